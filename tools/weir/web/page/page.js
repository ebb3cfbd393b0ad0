// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
//
// The page of weir top --web. It asks for one state after the other and draws the runs in it. A box is a node, or the
// equal nodes of a farm together; all figures come from weir top, which computes them for the terminal view, too.
// It follows layout.js in one script.

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

// Two runs with the same shape have the same picture, with other figures.
function shapeOf(run) {
  return JSON.stringify([run.boxes.map((box) => [box.path, box.group]), run.edges.map((edge) => [edge.from, edge.to])]);
}

const workersInFull = 8;

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
    this.edges = run.edges.filter((edge) => edge.from !== edge.to).map((edge) => ({
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
    const edges = run.edges.filter((edge) => edge.from !== edge.to);
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
    const fill = fillOf(edge);
    const isFull = fill !== null && fill >= 0.8;
    drawn.line.style.strokeWidth = `${1.5 + 5 * Math.min(1, fill ?? 0)}px`;
    for (const part of [drawn.line, drawn.head, drawn.label]) part.classList.toggle("full", isFull);
    say(drawn.label, fill === null ? short(edge.waiting) : percent(fill));
    drawn.label.title = `${this.run.boxes[edge.from].path} to ${this.run.boxes[edge.to].path}: ` +
      `${short(edge.waiting)} items wait${edge.room > 0 ? `, room for ${short(edge.room)}` : ", no limit"}`;
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
    this.edges.forEach((edge, i) => this.draw(edge, plan.chains[i], placed));
    this.placeLabels(placed.down);
    this.sizes = this.boxes.map((box) => box.element.offsetHeight).join();
    this.section.dataset.layout = placed.down ? "down" : "across";
  }

  draw(edge, chain, { down, height, width }) {
    const [first, last] = [chain[0], chain[chain.length - 1]];
    const leads = down ? last.y > first.y : last.x > first.x;
    edge.last = null;
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
    edge.last = [points[points.length - 2], end];
  }

  // Puts the label of each edge on its last curve, where it covers no other label if there is such a place. Steep curves
  // have more such places, and come last.
  placeLabels(down) {
    const [along, across] = down ? [1, 0] : [0, 1];
    const taken = [];
    const curved = this.edges.filter((edge) => edge.last);
    curved.sort((a, b) => Math.abs(a.last[1][across] - a.last[0][across]) - Math.abs(b.last[1][across] - b.last[0][across]));
    for (const edge of curved) {
      const places = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8].map((t) => this.pointOn(edge.last, t, along, across));
      const isFree = ([x, y]) => taken.every((other) => Math.abs(other[0] - x) > 44 || Math.abs(other[1] - y) > 18);
      const place = places.find(isFree) ?? places[0];
      taken.push(place);
      setMiddle(edge.label, place[0], place[1]);
    }
  }

  // The curve is that of `draw`: cubic in the direction of the flow, and smooth across it.
  pointOn([from, to], t, along, across) {
    const middle = (from[along] + to[along]) / 2;
    const s = 1 - t;
    const point = [];
    point[along] = s ** 3 * from[along] + 3 * s * t * middle + t ** 3 * to[along];
    point[across] = from[across] + (to[across] - from[across]) * (3 * t * t - 2 * t ** 3);
    return point;
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
