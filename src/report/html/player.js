"use strict";
// Each player on the page, from the nearest enclosing section.
(function (root) {
  const game = JSON.parse(root.querySelector("script.game").textContent);
  const svg = root.querySelector("svg.board");
  const pieces = svg.querySelector(".pieces");
  const marks = svg.querySelector(".marks");
  const counter = root.querySelector("output");
  const cells = new Map();
  root.querySelectorAll("[data-ply]").forEach(cell => cells.set(Number(cell.dataset.ply), cell));
  const UNIT = 40, EDGE = 40;
  let turned = false;

  // The board as a list of 90 letters, a9 first.
  function set_up(field) {
    const board = [];
    for (const sign of field.replaceAll("/", "")) {
      if (sign >= "1" && sign <= "9") board.push(...Array(Number(sign)).fill(""));
      else board.push(sign);
    }
    return board;
  }
  const index = square => (9 - Number(square[1])) * 9 + square.charCodeAt(0) - 97;
  function at(square) {
    let [file, row] = [square % 9, Math.floor(square / 9)];
    if (turned) [file, row] = [8 - file, 9 - row];
    return [EDGE + file * UNIT, EDGE + row * UNIT];
  }
  function draw(name, attributes) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  }

  let ply = game.at;
  function show(wanted) {
    ply = Math.max(0, Math.min(game.moves.length, wanted));
    const board = set_up(game.start);
    for (const move of game.moves.slice(0, ply)) {
      board[index(move.slice(2))] = board[index(move)];
      board[index(move)] = "";
    }
    pieces.replaceChildren(...board.flatMap((letter, square) => {
      if (!letter) return [];
      const [x, y] = at(square);
      return [draw("use", { href: "#disc-" + letter, x, y })];
    }));
    marks.replaceChildren();
    if (ply > 0) {
      const move = game.moves[ply - 1];
      const [from, to] = [at(index(move)), at(index(move.slice(2)))];
      const line = { fill: "none", stroke: "#1f5fbf" };
      marks.append(
        draw("circle", { ...line, cx: from[0], cy: from[1], r: 9, "stroke-width": 2, "stroke-dasharray": "4 3" }),
        draw("rect", { ...line, x: to[0] - 20, y: to[1] - 20, width: 40, height: 40, rx: 6, "stroke-width": 2.5 }));
    }
    counter.textContent = ply + " / " + game.moves.length;
    root.querySelectorAll(".now").forEach(cell => cell.classList.remove("now"));
    const cell = cells.get(ply);
    if (cell) {
      cell.classList.add("now");
      cell.scrollIntoView({ block: "nearest" });
    }
  }
  function go(where) {
    if (where === "turn") { turned = !turned; show(ply); return; }
    show({ first: 0, back: ply - 1, on: ply + 1, last: game.moves.length }[where]);
  }
  root.addEventListener("click", event => {
    const button = event.target.closest("[data-go]");
    const cell = event.target.closest("[data-ply]");
    if (button) go(button.dataset.go);
    else if (cell) show(Number(cell.dataset.ply));
  });
  const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", f: "turn" };
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in keys)) return;
    // With several players on a page the keys are for the one that has the focus, else for the first.
    const focused = document.activeElement.closest(".player") || document.querySelector(".player");
    if (focused !== root) return;
    event.preventDefault();
    go(keys[event.key]);
  });
})(document.currentScript.closest(".player"));
