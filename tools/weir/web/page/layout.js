// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
//
// The place of each box of a run, in layers: the sources first, and each box behind those that send to it.
"use strict";

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

// More boxes than these are drawn as one line each.
const boxesInFull = 60;
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
