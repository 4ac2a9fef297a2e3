// The picture of the graph: columns by depth for a walk, rings around the busiest nodes
// for a workspace.
"use strict";
const LEDGER = ["decision", "attempt", "assumption", "record", "experience", "session"];
const SHAPES = { card: "round-rectangle", doc: "rectangle", source: "ellipse", folder: "barrel" };
let picture = null;

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

function elements(graph) {
  const known = new Set(graph.nodes.map((node) => node.address));
  const nodes = graph.nodes.map((node) => {
    const isLedger = LEDGER.includes(node.kind);
    const label = node.title || node.address.split("/").pop();
    return {
      data: {
        id: node.address,
        label: label.length > 40 ? label.slice(0, 39) + "…" : label,
        size: Math.max(14, Math.min(90, Math.sqrt(node.tokens || 60) * 2.2)),
        depth: node.depth < 0 ? 9 : node.depth,
        shape: isLedger ? "diamond" : SHAPES[node.kind] || "ellipse",
        color: color(isLedger ? "block" : node.kind === "card" ? "card" : node.state === "related" ? "related" : "explicit"),
      },
      classes: isLedger ? "ledger" : "",
    };
  });
  const edges = graph.edges
    .filter((edge) => known.has(edge.source) && known.has(edge.target))
    .map((edge) => ({ data: { source: edge.source, target: edge.target, label: edge.edge }, classes: edge.edge }));
  return [...nodes, ...edges];
}

// Columns by depth, spread over the height of the box; a column with many nodes
// continues to the right.
function place(graph, ratio) {
  const columns = new Map();
  for (const node of graph.nodes) {
    const depth = node.depth < 0 ? 9 : node.depth;
    columns.set(depth, [...(columns.get(depth) || []), node.address]);
  }
  const found = {};
  const longest = Math.min(Math.max(...[...columns.values()].map((rows) => rows.length)), 12);
  const gap = Math.max(80, Math.min(220, ((columns.size - 1) * 190 * ratio * 0.8) / longest));
  let x = 0;
  for (const depth of [...columns.keys()].sort((a, b) => a - b)) {
    const rows = columns.get(depth);
    rows.forEach((address, at) => {
      const height = Math.min(rows.length, 12);
      found[address] = { x: x + Math.floor(at / 12) * 170, y: ((at % 12) - (height - 1) / 2) * gap };
    });
    x += 190 + Math.floor((rows.length - 1) / 12) * 170;
  }
  return found;
}

async function draw() {
  const box = document.getElementById("graph");
  if (!box) return;
  const graph = await (await fetch(box.dataset.url)).json();
  if (!graph.nodes) return;
  const isWalk = graph.nodes.some((node) => node.depth >= 0);
  const positions = isWalk ? place(graph, box.clientHeight / box.clientWidth) : null;
  if (picture) picture.destroy();
  picture = cytoscape({
    container: box,
    elements: elements(graph),
    layout: isWalk
      ? { name: "preset", positions: (node) => positions[node.id()], fit: true, padding: 24 }
      : { name: "concentric", concentric: (node) => node.degree(), levelWidth: () => 2, minNodeSpacing: 12, animate: false },
    textureOnViewport: graph.nodes.length > 300,
    hideEdgesOnViewport: graph.nodes.length > 300,
    style: [
      { selector: "node", style: { width: "data(size)", height: "data(size)", shape: "data(shape)", "background-color": "data(color)", label: "data(label)", color: color("text"), "font-size": 12, "text-wrap": "ellipsis", "text-max-width": 150, "text-valign": "bottom", "text-margin-y": 3, "min-zoomed-font-size": 7 } },
      { selector: "edge", style: { width: 1.2, "line-color": color("frame"), "target-arrow-color": color("frame"), "target-arrow-shape": "triangle", "arrow-scale": 0.8, "curve-style": "bezier" } },
      { selector: ".hidden", style: { display: "none" } },
      { selector: ":selected", style: { "border-width": 3, "border-color": color("focus") } },
    ],
  });
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
