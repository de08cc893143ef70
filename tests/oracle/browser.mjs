// Looks at the pages of `qijian` in a real browser: they render without a network and without errors, one can step
// through the game with keys and clicks, a phone shows them without scrolling sideways, and they print on A4.
//
//   apt-get install chromium fonts-noto-cjk; npm install --prefix /tmp/browser playwright-core
//   NODE_PATH=/tmp/browser/node_modules node tests/oracle/browser.mjs target/release/qijian [DIRECTORY FOR PICTURES]
//
// Exit status 0 and a line for each page; 1 with what is wrong.

import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import assert from "node:assert";

const require = createRequire(process.env.NODE_PATH ? process.env.NODE_PATH + "/x.js" : import.meta.url);
const { chromium } = require("playwright-core");
const [qijian, pictures = mkdtempSync(join(tmpdir(), "pages-"))] = process.argv.slice(2);
mkdirSync(pictures, { recursive: true });

function run(...args) {
  try {
    return execFileSync(qijian, args, { encoding: "utf8" });
  } catch (error) {
    if (error.status === 1) return error.stdout; // findings of severity error
    throw error;
  }
}

const PAGES = [
  { name: "show", args: ["show", "samples/valid-1.8.xqf", "--html"], plies: 8 },
  { name: "audit-one", args: ["audit", "samples/perpetual-check-drawn.pgn", "--format", "html"] },
  { name: "audit-two", args: ["audit", "samples/valid-audit-red.txt", "samples/audit-gap-black.txt", "--format", "html"] },
  { name: "check", args: ["check", "samples", "--format", "html"], board: false },
  { name: "stats", args: ["stats", "samples", "--format", "html"], board: false },
];

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});
for (const { name, args, plies, board = true } of PAGES) {
  for (const lang of ["zh", "en"]) {
    const file = join(pictures, `${name}.${lang}.html`);
    writeFileSync(file, run(...args, "--lang", lang));
    for (const [size, viewport] of [["desktop", { width: 1280, height: 900 }], ["phone", { width: 390, height: 844 }]]) {
      const page = await browser.newPage({ viewport });
      const wrong = [];
      page.on("console", message => message.type() === "error" && wrong.push(message.text()));
      page.on("pageerror", error => wrong.push(String(error)));
      page.on("request", request => request.url().startsWith("file:") || wrong.push(request.url()));
      await page.goto("file://" + file);
      assert.equal(await page.evaluate(() => document.documentElement.lang), lang === "zh" ? "zh-CN" : "en");
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert(wide <= 0, `${name} ${lang} ${size}: ${wide} pixels too wide`);
      if (board) await step(page, plies);
      await page.screenshot({ path: join(pictures, `${name}.${lang}.${size}.png`), fullPage: true });
      assert.deepEqual(wrong, [], `${name} ${lang} ${size}`);
      if (size === "desktop") {
        const pdf = await page.pdf({ path: join(pictures, `${name}.${lang}.pdf`), format: "A4" });
        const pages = pdf.toString("latin1").match(/\/Type\s*\/Page[^s]/g).length;
        console.log(`${name} ${lang}: ${pages} pages A4`);
        // On paper nothing can be scrolled: A4 less its margins is 180 mm wide.
        await page.emulateMedia({ media: "print" });
        await page.setViewportSize({ width: Math.floor(180 / 25.4 * 96), height: 1000 });
        const clipped = await page.evaluate(() => {
          const cut = box => box.scrollWidth > box.clientWidth + 1 || box.getBoundingClientRect().right > window.innerWidth + 1;
          const boxes = [...document.querySelectorAll("body, .grid, .wide, table, svg.chart")];
          return boxes.filter(cut).map(box => `${box.tagName} ${box.id || box.closest("[id]")?.id || box.className}`);
        });
        assert.deepEqual(clipped, [], `${name} ${lang}: cut off on paper`);
      }
      await page.close();
    }
  }
}
await browser.close();
console.log("pictures in " + pictures);

/// Steps with keys, buttons and clicks, and looks where the pieces stand.
async function step(page, plies) {
  const counter = async () => (await page.locator(".player output").first().textContent()).split(" / ").map(Number);
  const pieces = () => page.locator(".player svg.board").first().evaluate(svg =>
    [...svg.querySelectorAll(".pieces use")].map(use => use.getAttribute("href") + use.getAttribute("x") + "," + use.getAttribute("y")));
  const [, all] = await counter();
  if (plies) assert.equal(all, plies);
  await page.keyboard.press("Home");
  assert.equal((await counter())[0], 0);
  const start = await pieces();
  await page.keyboard.press("ArrowRight");
  assert.equal((await counter())[0], 1);
  const first = await pieces();
  assert.equal(start.filter(piece => !first.includes(piece)).length, 1 + start.length - first.length);
  await page.keyboard.press("ArrowLeft");
  assert.deepEqual(await pieces(), start);
  await page.keyboard.press("ArrowLeft");
  assert.equal((await counter())[0], 0);
  await page.keyboard.press("End");
  assert.equal((await counter())[0], all);
  const end = await pieces();
  await page.locator(".player [data-go=back]").first().click();
  assert.equal((await counter())[0], all - 1);
  await page.locator(`.player [data-ply="${all}"]`).first().click();
  assert.deepEqual(await pieces(), end);
  await page.keyboard.press("f");
  assert.notDeepEqual(await pieces(), end);
  await page.keyboard.press("f");
  assert.deepEqual(await pieces(), end);
}
