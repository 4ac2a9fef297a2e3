// The picture of the graph: columns by depth for a walk, connected nodes near each other
// for a workspace. Names of nodes with many links are larger; the others appear when the
// picture is enlarged.
"use strict";
const LEDGER = ["decision", "attempt", "assumption", "record", "experience", "session"];
const SHAPES = { card: "round-rectangle", doc: "rectangle", source: "ellipse", folder: "barrel" };
let picture = null;
let drawn = "";

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

function sizeOf(node) {
  return Math.max(14, Math.min(64, Math.sqrt(node.tokens || 60) * 2.2));
}

// A workspace is drawn without nodes that nothing links; the list has them.
function elements(graph, isWalk) {
  const linked = new Set(graph.edges.flatMap((edge) => [edge.source, edge.target]));
  const drawn = graph.nodes.filter((node) => isWalk || linked.has(node.address));
  const known = new Set(drawn.map((node) => node.address));
  const nodes = drawn.map((node) => {
    const isLedger = LEDGER.includes(node.kind);
    const label = node.title || node.address.split("/").pop();
    return {
      data: {
        id: node.address,
        label: label.length > 40 ? label.slice(0, 39) + "…" : label,
        size: sizeOf(node),
        depth: node.depth < 0 ? 9 : node.depth,
        shape: isLedger ? "diamond" : SHAPES[node.kind] || "ellipse",
        color: color(isLedger ? "block" : node.kind === "card" ? "card" : node.state === "related" ? "related" : "explicit"),
      },
      classes: (isLedger ? "ledger " : "") + (node.state === "left-out" ? "left" : ""),
    };
  });
  const edges = graph.edges
    .filter((edge) => known.has(edge.source) && known.has(edge.target))
    .map((edge) => ({ data: { source: edge.source, target: edge.target, label: edge.edge }, classes: edge.edge }));
  // The same start gives the same picture.
  nodes.forEach((node, at) => {
    const angle = at * 2.4;
    node.position = { x: 40 * Math.sqrt(at) * Math.cos(angle), y: 40 * Math.sqrt(at) * Math.sin(angle) };
  });
  return [...nodes, ...edges];
}

// Columns by depth, spread over the height of the box; a column with many nodes
// continues to the right. In a tall box, columns are rows.
function place(graph, ratio) {
  const isTall = ratio > 1;
  const columns = new Map();
  for (const node of graph.nodes) {
    const depth = node.depth < 0 ? 9 : node.depth;
    columns.set(depth, [...(columns.get(depth) || []), node]);
  }
  const most = isTall ? 3 : 12;
  const lines = [];
  for (const depth of [...columns.keys()].sort((a, b) => a - b)) {
    const rows = columns.get(depth);
    for (let at = 0; at < rows.length; at += most) lines.push(rows.slice(at, at + most));
  }
  const step = isTall ? 90 : 180;
  const room = (node) => (isTall ? 155 : sizeOf(node) + 30);
  const lengthOf = (line) => line.reduce((sum, node) => sum + room(node), 0);
  const longest = Math.max(...lines.map(lengthOf));
  const spread = isTall ? 1 : Math.max(1, Math.min(3.5, ((lines.length - 1) * step * ratio) / longest));
  const found = {};
  lines.forEach((line, at) => {
    let along = (-lengthOf(line) * spread) / 2;
    for (const node of line) {
      const across = along + (room(node) * spread) / 2;
      found[node.address] = isTall ? { x: across, y: at * step } : { x: at * step, y: across };
      along += room(node) * spread;
    }
  });
  return found;
}

async function draw() {
  const box = document.getElementById("graph");
  if (!box) return;
  const text = await (await fetch(box.dataset.url)).text();
  if (text === drawn) return; // the place that a person chose stays
  drawn = text;
  const graph = JSON.parse(text);
  if (!graph.nodes) return;
  const isWalk = graph.nodes.some((node) => node.depth >= 0);
  const positions = isWalk ? place(graph, box.clientHeight / box.clientWidth) : null;
  if (picture) picture.destroy();
  picture = cytoscape({
    container: box,
    elements: elements(graph, isWalk),
    layout: isWalk
      ? { name: "preset", positions: (node) => positions[node.id()], fit: true, padding: 24 }
      : graph.nodes.length > 400
        ? { name: "concentric", concentric: (node) => node.degree(), levelWidth: () => 2, minNodeSpacing: 12, animate: false }
        : { name: "cose", randomize: false, animate: false, nodeDimensionsIncludeLabels: true, nodeRepulsion: () => 60000, idealEdgeLength: () => 60, componentSpacing: 60, numIter: 600 },
    textureOnViewport: graph.nodes.length > 300,
    hideEdgesOnViewport: graph.nodes.length > 300,
    style: [
      { selector: "node", style: { width: "data(size)", height: "data(size)", shape: "data(shape)", "background-color": "data(color)", label: "data(label)", color: color("text"), "font-size": isWalk ? 12 : (node) => 12 + 3 * Math.sqrt(node.degree()), "text-wrap": "ellipsis", "text-max-width": 150, "text-valign": "bottom", "text-margin-y": 3, "min-zoomed-font-size": 7 } },
      { selector: "edge", style: { width: 1.2, "line-color": color("frame"), "target-arrow-color": color("frame"), "target-arrow-shape": "triangle", "arrow-scale": 0.8, "curve-style": "bezier" } },
      { selector: ".left", style: { "background-opacity": 0.15, "border-width": 2, "border-style": "dashed", "border-color": "data(color)" } },
      { selector: ".hidden", style: { display: "none" } },
      { selector: ":selected", style: { "border-width": 3, "border-color": color("focus") } },
    ],
  });
  picture.minZoom(picture.zoom() / 2);
  picture.on("tap", "node", (event) => {
    htmx.ajax("GET", "/read?address=" + encodeURIComponent(event.target.id()), { target: "#chosen", swap: "innerHTML" });
  });
  choose();
}

function choose() {
  for (const box of document.querySelectorAll(".show")) {
    const selector = box.value === "ledger" ? "node.ledger" : box.value.split(" ").map((each) => "edge." + each).join(",");
    picture?.$(selector).toggleClass("hidden", !box.checked);
  }
}

document.addEventListener("change", (event) => event.target.classList.contains("show") && choose());
document.addEventListener("click", (event) => {
  if (event.target.id !== "png" || !picture) return;
  const link = document.createElement("a");
  link.href = picture.png({ full: true, bg: color("page"), scale: 2 });
  link.download = "cuedeck-graph.png";
  link.click();
});
document.addEventListener("refreshed", draw);
addEventListener("DOMContentLoaded", draw);
