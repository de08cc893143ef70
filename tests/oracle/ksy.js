// Reads a file with the reader that the Kaitai compiler makes of a grammar, and prints its fields as JSON.
//
//     npm install --prefix DIR kaitai-struct-compiler kaitai-struct js-yaml
//     NODE_PATH=DIR/node_modules node ksy.js ../../grammars/cbr.ksy FILE
//
// Bytes are printed in hexadecimal. Exit status 3: the packages are not there. `tests/ksy.rs` runs it.
"use strict";
const fs = require("fs");
const os = require("os");
const path = require("path");

let compiler, runtime, yaml;
try {
  compiler = require("kaitai-struct-compiler");
  runtime = require("kaitai-struct");
  yaml = require("js-yaml");
} catch (error) {
  console.error(error.message);
  process.exit(3);
}

const BASE = Buffer.from("[(C) Copyright Mr. Dong Shiwei.]");

// The custom process of xqf.ksy, as its description has it. The body begins at a multiple of 32.
class XqfUnmask {
  constructor(version, keyMask, keyOr, keys) {
    this.mask = BASE.map((byte, i) => (version > 10 ? byte & ((keys[i % 4] & keyMask) | keyOr[i % 4]) : 0));
  }

  decode(stored) {
    return Uint8Array.from(stored, (byte, i) => (byte - this.mask[i % 32]) & 0xff);
  }
}

function plain(value) {
  if (value instanceof Uint8Array) {
    return Buffer.from(value).toString("hex");
  }
  if (Array.isArray(value)) {
    return value.map(plain);
  }
  if (value === null || typeof value !== "object") {
    return value;
  }
  const fields = {};
  for (const key of Object.keys(value)) {
    if (!key.startsWith("_")) {
      fields[key] = plain(value[key]);
    }
  }
  return fields;
}

async function main([grammar, file]) {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "ksy-"));
  try {
    const made = await compiler.compile("javascript", yaml.load(fs.readFileSync(grammar, "utf8")), null, false);
    const [name] = Object.keys(made);
    fs.writeFileSync(path.join(directory, name), made[name]);
    // What is made asks for a custom process as a module of its name.
    fs.mkdirSync(path.join(directory, "node_modules"));
    fs.writeFileSync(path.join(directory, "node_modules", "XqfUnmask.js"), "module.exports = globalThis.processes;");
    globalThis.processes = { XqfUnmask };
    const loaded = require(path.join(directory, name));
    const Reader = typeof loaded === "function" ? loaded : loaded[path.basename(name, ".js")];
    const parsed = new Reader(new runtime.KaitaiStream(fs.readFileSync(file), 0));
    // Instances are computed when they are asked for.
    const nodes = parsed.nodes || (parsed.body && parsed.body.nodes) || [];
    const squares = nodes.map((node) => [node.fromSquare, node.toSquare]);
    console.log(JSON.stringify({ fields: plain(parsed), squares }));
  } finally {
    fs.rmSync(directory, { recursive: true });
  }
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error);
  process.exit(1);
});
