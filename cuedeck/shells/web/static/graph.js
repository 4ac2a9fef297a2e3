// The picture of the graph: columns by depth for a walk, connected nodes near each other
// for a workspace. Names of nodes with many links are larger; the others appear when the
// picture is enlarged.
"use strict";
const LEDGER = ["decision", "attempt", "assumption", "record", "experience", "session"];
const SHAPES = { card: "round-rectangle", doc: "rectangle", source: "ellipse", folder: "barrel" };
let picture = null;

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
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
        size: Math.max(14, Math.min(64, Math.sqrt(node.tokens || 60) * 2.2)),
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
    elements: elements(graph, isWalk),
    layout: isWalk
      ? { name: "preset", positions: (node) => positions[node.id()], fit: true, padding: 24 }
      : graph.nodes.length > 400
        ? { name: "concentric", concentric: (node) => node.degree(), levelWidth: () => 2, minNodeSpacing: 12, animate: false }
        : { name: "cose", randomize: false, animate: false, nodeRepulsion: () => 60000, idealEdgeLength: () => 90, componentSpacing: 60, numIter: 600 },
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
