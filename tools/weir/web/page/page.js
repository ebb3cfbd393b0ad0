// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
//
// The page of weir top --web. It asks for one state after the other and draws the runs in it. A box is a node, or the
// equal nodes of a farm together; all figures come from weir top, which computes them for the terminal view, too.
"use strict";

// ---- text ----

// Three digits and a letter, as in the terminal view.
function short(value) {
  const units = ["", " k", " M", " G", " T"];
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = value >= 99.95 || (unit === 0 && value === Math.round(value)) ? 0 : value >= 9.995 ? 1 : 2;
  return value.toFixed(digits) + units[unit];
}

const percent = (share) => `${Math.round(100 * share)} %`;

function seconds(ns) {
  const all = ns / 1e9;
  if (all < 60) return `${all.toFixed(1)} s`;
  const two = (n) => String(Math.floor(n)).padStart(2, "0");
  return all < 3600 ? `${Math.floor(all / 60)}:${two(all % 60)}` : `${Math.floor(all / 3600)}:${two((all / 60) % 60)}:${two(all % 60)}`;
}

const fillOf = (queue) => (queue && queue.room > 0 ? queue.waiting / queue.room : null);

// ---- elements ----

function make(tag, className, parent, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  if (parent) parent.append(made);
  return made;
}

function makeSvg(tag, className, parent) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  if (className) made.setAttribute("class", className);
  if (parent) parent.append(made);
  return made;
}

function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// A name, a bar, and the value in words.
function makeMeter(parent, name, className) {
  const row = make("div", `meter ${className}`, parent);
  make("span", "name", row, name);
  const bar = make("span", null, make("span", "rail", row));
  const value = make("span", "value", row);
  return { set(share, text) {
    bar.style.width = `${Math.round(100 * Math.min(1, share))}%`;
    say(value, text);
  } };
}

// ---- the nodes and channels of a run, as boxes and edges ----

// Channels between the same two boxes are one edge.
function edgesOf(run) {
  const boxOf = new Map();
  run.boxes.forEach((box, i) => box.members.forEach((member) => boxOf.set(run.nodes[member].path, i)));
  const edges = new Map();
  for (const channel of run.channels) {
    const from = boxOf.get(channel.from);
    const to = boxOf.get(channel.to);
    if (from === undefined || to === undefined) continue;
    const key = `${from} ${to}`;
    if (!edges.has(key)) edges.set(key, { from, to, waiting: 0, room: 0, limited: true });
    const edge = edges.get(key);
    edge.waiting += channel.waiting;
    edge.room += channel.room;
    edge.limited = edge.limited && channel.room > 0;
  }
  return [...edges.values()];
}

// Two runs with the same shape have the same picture, with other figures.
function shapeOf(run) {
  return JSON.stringify([run.boxes.map((box) => [box.path, box.group]), edgesOf(run).map((edge) => [edge.from, edge.to])]);
}

const workersInFull = 8;
// More boxes than these are drawn as one line each.
const boxesInFull = 60;

class Box {
  constructor(box, run, parent, onResize) {
    this.element = make("article", "box", parent);
    this.element.tabIndex = 0;
    const head = make("h3", null, this.element);
    make("span", "path", head, box.path);
    if (box.members.length > 1) make("span", "count", head, `× ${box.members.length}`);
    this.tag = make("div", "tag", this.element, "▶ bottleneck");
    this.rate = make("div", "rate", this.element);
    this.number = make("b", null, this.rate);
    this.rate.append(" items/s");
    this.busy = makeMeter(this.element, "busy", "busy");
    this.queue = box.queue && makeMeter(this.element, "queue", "queue");
    this.waits = make("div", "waits", this.element);
    this.workers = [];
    this.cells = [];
    if (box.members.length > 1) this.addWorkers(box, run, onResize);
  }

  addWorkers(box, run, onResize) {
    const few = box.members.length <= workersInFull;
    if (!few) {
      const strip = make("div", "strip", this.element);
      strip.setAttribute("aria-hidden", "true");
      this.cells = box.members.map(() => make("i", null, make("span", null, strip)));
    }
    const details = make("details", null, this.element);
    details.open = few && run.boxes.length <= 24;
    details.addEventListener("toggle", onResize);
    this.summary = make("summary", null, details);
    const table = make("table", null, make("div", "workers", details));
    const head = make("tr", null, table);
    for (const title of ["", "per s", "busy", "queue"]) make("th", null, head, title).scope = "col";
    this.workers = box.members.map((member) => {
      const row = make("tr", null, table);
      const path = run.nodes[member].path;
      make("td", null, row, path.slice(path.lastIndexOf("/") + 1)).title = path;
      return { row, cells: [0, 1, 2].map(() => make("td", null, row)) };
    });
  }

  set(box, run) {
    const { queue } = box;
    const fill = fillOf(queue);
    this.element.classList.toggle("bottleneck-box", box.bottleneck);
    this.tag.hidden = !box.bottleneck;
    say(this.number, short(box.items_per_second));
    this.busy.set(box.busy, percent(box.busy));
    if (this.summary) say(this.summary, `workers, each busy ${Math.round(100 * box.busy_least)}-${percent(box.busy_most)}`);
    if (this.queue && queue) this.queue.set(fill ?? 0, fill === null ? short(queue.waiting) : percent(fill));
    const waits = [["input", box.waiting_input], ["room", box.waiting_room], ["a core", box.ready]];
    const most = waits.reduce((a, b) => (b[1] > a[1] ? b : a));
    say(this.waits, most[1] >= 0.005 ? `waits for ${most[0]} ${percent(most[1])}` : "waits for nothing");
    this.element.title = `${box.path}${box.group ? ` in ${box.group}` : ""}, ${box.kind}\n${short(box.items)} items so far\n` +
      `busy ${percent(box.busy)}, ${waits.map(([what, share]) => `waits for ${what} ${percent(share)}`).join(", ")}` +
      (queue ? `\nqueue: ${short(queue.waiting)}${queue.room > 0 ? ` of ${short(queue.room)}` : ", without a limit"}` : "");
    box.members.forEach((member, i) => this.setWorker(i, run.nodes[member]));
  }

  setWorker(i, node) {
    const fill = fillOf(node.queue);
    const cell = this.cells[i];
    if (cell) {
      cell.style.height = `${Math.round(100 * node.busy)}%`;
      cell.parentElement.title = `${node.path}: ${short(node.items_per_second)} items/s, busy ${percent(node.busy)}`;
      cell.parentElement.classList.toggle("bottleneck-worker", node.bottleneck);
    }
    const worker = this.workers[i];
    if (!worker) return;
    worker.row.classList.toggle("bottleneck-worker", node.bottleneck);
    const texts = [short(node.items_per_second), percent(node.busy),
                   fill !== null ? percent(fill) : node.queue ? short(node.queue.waiting) : ""];
    texts.forEach((text, column) => say(worker.cells[column], text));
  }
}

// ---- the place of each box ----

// Returns the edges that would close a circle, found by going along all of them.
function backEdges(count, edges) {
  const next = Array.from({ length: count }, () => []);
  edges.forEach((edge) => next[edge.from].push(edge));
  const state = new Array(count).fill(0); // 1: on the way, 2: done
  const back = new Set();
  for (let start = 0; start < count; start += 1) {
    const way = state[start] === 0 ? [[start, 0]] : [];
    if (way.length > 0) state[start] = 1;
    while (way.length > 0) {
      const top = way[way.length - 1];
      const edge = next[top[0]][top[1]];
      top[1] += 1;
      if (edge === undefined) {
        state[top[0]] = 2;
        way.pop();
      } else if (state[edge.to] === 1) {
        back.add(edge);
      } else if (state[edge.to] === 0) {
        state[edge.to] = 1;
        way.push([edge.to, 0]);
      }
    }
  }
  return back;
}

// Returns the layer of each box: the longest way from a source, without the edges that lead back.
function layersOf(count, edges, back) {
  const forth = edges.filter((edge) => !back.has(edge));
  const missing = new Array(count).fill(0);
  const next = Array.from({ length: count }, () => []);
  forth.forEach((edge) => {
    missing[edge.to] += 1;
    next[edge.from].push(edge.to);
  });
  const layers = new Array(count).fill(0);
  const ready = [...missing.keys()].filter((box) => missing[box] === 0);
  for (let i = 0; i < ready.length; i += 1) {
    for (const to of next[ready[i]]) {
      layers[to] = Math.max(layers[to], layers[ready[i]] + 1);
      missing[to] -= 1;
      if (missing[to] === 0) ready.push(to);
    }
  }
  return layers;
}

// Returns ranks of places and, for each edge, the chain of places that it passes. Where an edge skips ranks, it keeps a
// place free there. A place has the `box` or none, its `rank`, its `lane`, and `near`, the places that it is connected to.
function placesOf(layers, lanes, edges, back) {
  const places = layers.map((rank, box) => ({ box, rank, lane: lanes[box], near: [] }));
  const ranks = [];
  const add = (place) => (ranks[place.rank] ??= []).push(place);
  places.forEach(add);
  const chains = edges.map((edge) => {
    const [first, last] = [places[edge.from], places[edge.to]];
    if (back.has(edge) || first.rank >= last.rank) return [first, last];
    const chain = [first];
    for (let rank = first.rank + 1; rank < last.rank; rank += 1) {
      const between = { box: null, rank, lane: first.lane, near: [] };
      add(between);
      chain.push(between);
    }
    chain.push(last);
    for (let i = 1; i < chain.length; i += 1) {
      chain[i - 1].near.push(chain[i]);
      chain[i].near.push(chain[i - 1]);
    }
    return chain;
  });
  for (let rank = 0; rank < ranks.length; rank += 1) ranks[rank] ??= [];
  sortRanks(ranks);
  return { places, ranks, chains };
}

// Orders the places of each rank by the mean position of their neighbours, which makes few edges cross.
function sortRanks(ranks) {
  const number = (rank) => rank.forEach((place, i) => { place.order = i / rank.length; });
  ranks.forEach(number);
  for (let pass = 0; pass < 4; pass += 1) {
    for (const rank of pass % 2 === 0 ? ranks : [...ranks].reverse()) {
      const wish = new Map(rank.map((place) => [place, place.near.length === 0 ? place.order
        : place.near.reduce((sum, each) => sum + each.order, 0) / place.near.length]));
      rank.sort((a, b) => a.lane - b.lane || wish.get(a) - wish.get(b));
      number(rank);
    }
  }
}

const laneHead = 22;
const lanePad = 10;
const boxGap = 16;
const railWidth = 16;

// From left to right: a rank is a column, a lane a band across all of them.
function placeAcross(ranks, boxes, laneCount, width, named) {
  const columns = ranks.length;
  const gap = Math.min(110, Math.max(56, (width - 2 * lanePad - columns * 196) / Math.max(1, columns - 1)));
  const boxWidth = Math.min(230, Math.floor((width - 2 * lanePad - (columns - 1) * gap) / columns));
  if (boxWidth < 180) return null;
  boxes.forEach((box) => { box.element.style.width = `${boxWidth}px`; });
  const heightOf = (place) => (place.box === null ? railWidth : boxes[place.box].element.offsetHeight);
  const lanes = [];
  let top = 0;
  for (let lane = 0; lane < laneCount; lane += 1) {
    const parts = ranks.map((rank) => rank.filter((place) => place.lane === lane));
    const height = Math.max(0, ...parts.map((part) =>
      part.reduce((sum, place) => sum + heightOf(place) + boxGap, -boxGap)));
    const head = named ? laneHead : 0;
    parts.forEach((part, column) => {
      const its = part.reduce((sum, place) => sum + heightOf(place) + boxGap, -boxGap);
      let y = top + head + lanePad + (height - its) / 2;
      for (const place of part) {
        Object.assign(place, { x: lanePad + column * (boxWidth + gap), y, w: boxWidth, h: heightOf(place) });
        y += place.h + boxGap;
      }
    });
    lanes.push({ x: 0, y: top, w: 2 * lanePad + columns * boxWidth + (columns - 1) * gap, h: head + height + 2 * lanePad });
    top += head + height + 2 * lanePad + (named ? 12 : 0);
  }
  return { width: lanes[0]?.w ?? 0, height: top, lanes, down: false };
}

// From top to bottom: a rank is a row. The rows of a lane stand together.
function placeDown(ranks, boxes, laneCount, width, named) {
  const rowGap = boxes.length > boxesInFull ? 26 : 40;
  const inner = width - 2 * lanePad;
  const lanes = [];
  let top = 0;
  let right = width;
  for (let lane = 0; lane < laneCount; lane += 1) {
    const rows = ranks.filter((rank) => rank.some((place) => place.lane === lane && place.box !== null));
    let y = top + (named ? laneHead : 0) + lanePad;
    for (const row of rows) {
      const real = row.filter((place) => place.box !== null).length;
      const boxWidth = Math.max(150, Math.min(320, (inner - (row.length - 1) * boxGap - (row.length - real) * railWidth) / real));
      const widthOf = (place) => (place.box === null ? railWidth : boxWidth);
      row.forEach((place) => { if (place.box !== null) boxes[place.box].element.style.width = `${boxWidth}px`; });
      const all = row.reduce((sum, place) => sum + widthOf(place) + boxGap, -boxGap);
      const height = Math.max(...row.map((place) => (place.box === null ? 0 : boxes[place.box].element.offsetHeight)));
      let x = lanePad + Math.max(0, (inner - all) / 2);
      for (const place of row) {
        Object.assign(place, { x, y, w: widthOf(place), h: place.box === null ? height : boxes[place.box].element.offsetHeight });
        x += place.w + boxGap;
      }
      right = Math.max(right, x - boxGap + lanePad);
      y += height + rowGap;
    }
    lanes.push({ x: 0, y: top, h: y - rowGap + lanePad - top });
    top = y - rowGap + lanePad + (named ? rowGap : 0);
  }
  lanes.forEach((lane) => { lane.w = right; });
  return { width: right, height: top, lanes, down: true };
}

// ---- a run ----

class RunView {
  constructor(run, parent) {
    this.shape = shapeOf(run);
    this.section = make("section", null, parent);
    this.title = make("h2", null, this.section);
    this.facts = make("p", "run-facts", this.section);
    this.sentence = make("p", "bottleneck", this.section);
    this.label = make("strong", null, this.sentence, "▶ Bottleneck: ");
    this.reason = make("span", null, this.sentence);
    this.sentence.append(" ");
    this.finder = make("button", null, this.sentence, "show it");
    this.finder.addEventListener("click", () => this.showBottleneck());
    this.graph = make("div", "graph", this.section);
    this.graph.setAttribute("role", "group");
    this.graph.setAttribute("aria-label", "the graph of the run");
    this.canvas = make("div", run.boxes.length > boxesInFull ? "canvas compact" : "canvas", this.graph);
    this.svg = makeSvg("svg", null, this.canvas);
    this.svg.setAttribute("aria-hidden", "true");
    this.groups = [...new Set(run.boxes.map((box) => box.group))];
    this.laneFrames = this.groups[0] === "" || this.groups.length === 0 ? [] : this.groups.map((group) => {
      const frame = make("div", "lane", this.canvas);
      make("span", null, frame, `group ${group}`);
      return frame;
    });
    this.boxes = run.boxes.map((box) => new Box(box, run, this.canvas, () => this.place()));
    this.edges = edgesOf(run).filter((edge) => edge.from !== edge.to).map((edge) => ({
      ...edge,
      line: makeSvg("path", "edge", this.svg),
      head: makeSvg("path", "head", this.svg),
      label: make("span", "fill", this.canvas),
    }));
    this.run = run;
  }

  set(run, alone) {
    this.run = run;
    this.title.hidden = alone;
    say(this.title, `run ${run.run}${run.ended ? ", ended" : ""}`);
    say(this.facts, `${seconds(run.wall_ns)}, ${short(run.in)} items in, ${short(run.out)} out` +
      (run.ended ? "; ended, figures of the whole run" : ""));
    const isOne = run.boxes.some((box) => box.bottleneck);
    this.label.hidden = !isOne;
    this.finder.hidden = !isOne;
    this.sentence.classList.toggle("none", !isOne);
    this.sentence.hidden = run.bottleneck === "";
    say(this.reason, run.bottleneck);
    run.boxes.forEach((box, i) => this.boxes[i].set(box, run));
    const edges = edgesOf(run).filter((edge) => edge.from !== edge.to);
    edges.forEach((edge, i) => this.setEdge(this.edges[i], edge));
    const sizes = this.boxes.map((box) => box.element.offsetHeight).join();
    if (sizes !== this.sizes) this.place();
  }

  showBottleneck() {
    const { element } = this.boxes[this.run.boxes.findIndex((box) => box.bottleneck)];
    element.scrollIntoView({ block: "center", inline: "center" });
    element.focus({ preventScroll: true });
  }

  setEdge(drawn, edge) {
    const fill = edge.limited ? edge.waiting / edge.room : null;
    const isFull = fill !== null && fill >= 0.8;
    drawn.line.style.strokeWidth = `${1.5 + 5 * Math.min(1, fill ?? 0)}px`;
    for (const part of [drawn.line, drawn.head, drawn.label]) part.classList.toggle("full", isFull);
    say(drawn.label, fill === null ? short(edge.waiting) : percent(fill));
    drawn.label.title = `${this.run.boxes[edge.from].path} to ${this.run.boxes[edge.to].path}: ` +
      `${short(edge.waiting)} items wait${edge.limited ? `, room for ${short(edge.room)}` : ", no limit"}`;
  }

  place() {
    if (this.boxes.length === 0) return;
    const width = this.graph.clientWidth;
    const lanes = this.run.boxes.map((box) => this.groups.indexOf(box.group));
    const back = backEdges(this.boxes.length, this.edges);
    const layers = layersOf(this.boxes.length, this.edges, back);
    const named = this.laneFrames.length > 0;
    const { style } = this.canvas;
    let plan = placesOf(layers, lanes, this.edges, back);
    let placed = width < 700 ? null : placeAcross(plan.ranks, this.boxes, this.groups.length, width, named);
    if (placed === null) {
      // The rows of one lane come before those of the next one.
      const keys = layers.map((layer, i) => lanes[i] * layers.length + layer);
      const rows = [...new Set(keys)].sort((a, b) => a - b);
      plan = placesOf(keys.map((key) => rows.indexOf(key)), lanes, this.edges, back);
      plan.ranks.forEach((rank) => {
        const { lane } = rank.find((place) => place.box !== null);
        rank.forEach((place) => { place.lane = lane; });
      });
      placed = placeDown(plan.ranks, this.boxes, this.groups.length, width, named);
    }
    [style.width, style.height] = [`${placed.width}px`, `${placed.height + (back.size > 0 ? 24 : 0)}px`];
    this.laneFrames.forEach((frame, i) => setPlace(frame, placed.lanes[i], true));
    plan.places.forEach((place) => setPlace(this.boxes[place.box].element, place, false));
    this.labels = [];
    this.edges.forEach((edge, i) => this.draw(edge, plan.chains[i], placed));
    this.sizes = this.boxes.map((box) => box.element.offsetHeight).join();
    this.section.dataset.layout = placed.down ? "down" : "across";
  }

  draw(edge, chain, { down, height, width }) {
    const [first, last] = [chain[0], chain[chain.length - 1]];
    const leads = down ? last.y > first.y : last.x > first.x;
    if (!leads) return down ? this.drawBackBeside(edge, first, last, width) : this.drawBackBelow(edge, first, last, height);
    const points = chain.flatMap((place, i) => {
      const [mx, my] = [place.x + place.w / 2, place.y + place.h / 2];
      const enter = down ? [mx, place.y] : [place.x, my];
      const leave = down ? [mx, place.y + place.h] : [place.x + place.w, my];
      return i === 0 ? [leave] : i === chain.length - 1 ? [enter] : [enter, leave];
    });
    const end = points[points.length - 1];
    const tip = [end[0] - (down ? 0 : 8), end[1] - (down ? 8 : 0)];
    let path = `M ${points[0].join(" ")}`;
    for (let i = 1; i < points.length; i += 1) {
      const [from, to] = [points[i - 1], i === points.length - 1 ? tip : points[i]];
      path += i % 2 === 0 ? ` L ${to.join(" ")}` : ` C ${down
        ? `${from[0]} ${(from[1] + to[1]) / 2} ${to[0]} ${(from[1] + to[1]) / 2}`
        : `${(from[0] + to[0]) / 2} ${from[1]} ${(from[0] + to[0]) / 2} ${to[1]}`} ${to.join(" ")}`;
    }
    edge.line.setAttribute("d", path);
    edge.head.setAttribute("d", down ? arrow(end, [-5, -9], [5, -9]) : arrow(end, [-9, -5], [-9, 5]));
    this.setLabel(edge.label, points[points.length - 2], end, down);
  }

  // Puts a label on the last curve of an edge, where it covers no other label if there is such a place.
  setLabel(label, from, to, down) {
    // The curve is that of `draw`: cubic in the direction of the flow, and smooth across it.
    const at = (t) => {
      const [along, across] = down ? [1, 0] : [0, 1];
      const middle = (from[along] + to[along]) / 2;
      const s = 1 - t;
      const point = [];
      point[along] = s ** 3 * from[along] + 3 * s * t * middle + t ** 3 * to[along];
      point[across] = from[across] + (to[across] - from[across]) * (3 * t * t - 2 * t ** 3);
      return point;
    };
    const isFree = ([x, y]) => this.labels.every((other) => Math.abs(other[0] - x) > 44 || Math.abs(other[1] - y) > 18);
    const place = [0.5, 0.35, 0.65, 0.22, 0.78].map(at).find(isFree) ?? at(0.5);
    this.labels.push(place);
    setMiddle(label, place[0], place[1]);
  }

  drawBackBelow(edge, first, last, height) {
    const y = height + 8;
    const [from, to] = [[first.x + first.w / 2, first.y + first.h], [last.x + last.w / 2, last.y + last.h]];
    edge.line.setAttribute("d", `M ${from.join(" ")} C ${from[0]} ${y + 12} ${to[0]} ${y + 12} ${to[0]} ${to[1] + 8}`);
    edge.head.setAttribute("d", arrow(to, [-5, 9], [5, 9]));
    setMiddle(edge.label, (from[0] + to[0]) / 2, 0.25 * (from[1] + to[1]) / 2 + 0.75 * (y + 12));
  }

  drawBackBeside(edge, first, last, width) {
    const x = width - 4;
    const [from, to] = [[first.x + first.w, first.y + first.h / 2], [last.x + last.w, last.y + last.h / 2]];
    edge.line.setAttribute("d", `M ${from.join(" ")} C ${x} ${from[1]} ${x} ${to[1]} ${to[0] + 8} ${to[1]}`);
    edge.head.setAttribute("d", arrow(to, [9, -5], [9, 5]));
    setMiddle(edge.label, 0.25 * (from[0] + to[0]) / 2 + 0.75 * x, (from[1] + to[1]) / 2);
  }
}

const arrow = (tip, a, b) =>
  `M ${tip.join(" ")} L ${tip[0] + a[0]} ${tip[1] + a[1]} L ${tip[0] + b[0]} ${tip[1] + b[1]} Z`;

function setPlace(element, place, sized) {
  element.style.left = `${place.x}px`;
  element.style.top = `${place.y}px`;
  if (!sized) return;
  element.style.width = `${place.w}px`;
  element.style.height = `${place.h}px`;
}

function setMiddle(element, x, y) {
  element.style.left = `${x}px`;
  element.style.top = `${y}px`;
}

// ---- the page ----

const page = Object.fromEntries(["program", "status", "facts", "alert", "runs"].map((id) => [id, document.getElementById(id)]));
const views = new Map(); // by the number of the run

function show(state) {
  document.title = `${state.program}: weir top`;
  document.body.dataset.number = state.number;
  say(page.program, state.program);
  showStatus(state.state === "" ? "running" : state.state, state.state !== "" || state.notice !== "");
  say(page.facts, `process ${state.pid}` +
    (state.cores ? `, ${state.cores_used.toFixed(2)} of ${state.cores} ${state.cores === 1 ? "core" : "cores"}` : ""));
  warn(state.notice === "" ? "" : `Old figures: ${state.notice}.`);
  for (const [number, view] of views) {
    const run = state.runs.find((each) => each.run === number);
    if (run !== undefined && shapeOf(run) === view.shape) continue;
    view.section.remove();
    views.delete(number);
  }
  for (const run of state.runs) {
    if (!views.has(run.run)) views.set(run.run, new RunView(run, page.runs));
    views.get(run.run).set(run, state.runs.length === 1);
  }
}

function showStatus(text, isOver) {
  say(page.status, text);
  page.status.classList.toggle("over", isOver);
}

function warn(text) {
  page.alert.hidden = text === "";
  say(page.alert, text);
}

const wait = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

async function watch() {
  const token = new URLSearchParams(location.search).get("token") ?? "";
  const tries = 2000; // milliseconds between them
  let number = 0;
  for (;;) {
    try {
      const answer = await fetch(`/sample?after=${number}`, { headers: { Authorization: `Bearer ${token}` }, cache: "no-store" });
      if (answer.status === 401 || answer.status === 403) {
        showStatus("connection lost", true);
        warn("weir top does not know this page any more. Open the address that it has printed last.");
        return;
      }
      if (answer.status === 200) {
        const state = await answer.json();
        number = state.number;
        show(state);
        if (state.last) return;
      } else if (answer.status !== 204) {
        throw new Error(`status ${answer.status}`);
      }
    } catch (problem) {
      showStatus("connection lost", true);
      warn("Connection lost: weir top has ended, or can't be reached. These are the last figures that came.");
      console.info(problem);
      await wait(tries);
    }
  }
}

addEventListener("resize", () => views.forEach((view) => view.place()));
watch();
