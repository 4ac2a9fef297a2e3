// Follows the changes of the files, moves cards, and copies the scene.
"use strict";
const live = document.getElementById("live");
const worker = window.SharedWorker ? new SharedWorker("/static/stream.js") : null;
const STATES = {
  live: "live: follows every save",
  lost: "no connection: is `cuedeck web` running?",
  ended: "the server was restarted: open the address that it printed",
};
let mayBeOld = document.hidden;

function show(state) {
  if (live.className === "ended" && state === "live" && ![...document.forms].some(isChanged)) location.reload(); // its forms have a key of the old server
  live.textContent = STATES[state];
  live.className = state;
}

function isChanged(form) {
  return [...form.elements].some((each) => {
    const options = [...(each.options || [])];
    if (options.length) return !(options.find((option) => option.defaultSelected) || options[0]).selected;
    return each.type !== "hidden" && each.value !== (each.defaultValue ?? each.value);
  });
}

// What a person opened, typed or loaded survives the update of the page.
Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, node) =>
  !(name === "open" && node.tagName === "DETAILS");
Idiomorph.defaults.callbacks.beforeNodeMorphed = (old) => {
  if (old.classList === undefined) return true;
  if (old.id === "chosen" || (old.tagName === "FORM" && isChanged(old))) return false;
  return !(old.classList.contains("lazy") && old.closest("details").open);
};

let pending = 0;
function refresh() {
  clearTimeout(pending);
  pending = setTimeout(async () => {
    await htmx.ajax("GET", location.pathname + location.search, {
      target: "#main", select: "#main", swap: "morph:outerHTML",
    });
    document.querySelectorAll("details[open] .lazy").forEach((each) => htmx.trigger(each, "reload"));
    document.dispatchEvent(new CustomEvent("refreshed"));
  }, 20);
}

// Changes may have been missed before a stream opened.
function onMessage({ data }) {
  show(data.state);
  if (data.state !== "live") return;
  const shown = document.getElementById("main").dataset.changes;
  if (data.kind !== "open" || mayBeOld || data.changes !== shown) refresh();
  mayBeOld = true;
}

function follow() {
  worker?.port.postMessage(document.hidden ? "leave" : "join");
}

if (worker) {
  worker.port.onmessage = onMessage;
  worker.port.start();
  if (!document.hidden) follow();
} else live.textContent = "reload to see changes";
document.addEventListener("visibilitychange", follow);
window.addEventListener("pagehide", () => worker?.port.postMessage("leave"));
window.addEventListener("pageshow", (event) => event.persisted && follow());

document.addEventListener("input", (event) => {
  const text = event.target;
  if (text.closest("#other")) text.closest("#other").querySelectorAll("input").forEach((each) => { each.value = text.value; });
});
// A form of fields sends those that were changed, with the texts that were shown.
document.body.addEventListener("htmx:configRequest", (event) => {
  const form = event.detail.elt;
  if (!form.matches("form[data-fields]")) return;
  for (const input of form.querySelectorAll("input, textarea, select")) {
    const chosen = input.options && [...input.options].find((each) => each.defaultSelected);
    const shown = input.options ? (chosen ? chosen.value : "") : input.defaultValue;
    if (input.type === "hidden") continue;
    if (input.value === shown) delete event.detail.parameters[input.name];
    else if (input.dataset.shown !== "no") event.detail.parameters["seen." + input.name] = shown;
  }
});
document.body.addEventListener("htmx:afterRequest", ({ detail }) => {
  const form = detail.elt;
  if (form.tagName !== "FORM" || detail.xhr.status >= 400) return;
  // After a search, the page has its address, so that an update shows the same.
  if (detail.requestConfig.verb === "get") history.replaceState(null, "", detail.pathInfo.finalRequestPath);
  else if (form.id !== "editor") form.reset();
  else form.elements.text.defaultValue = form.elements.text.value;
});
document.body.addEventListener("changed", refresh);
document.body.addEventListener("htmx:sendError", () => show("lost"));
document.body.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.xhr.status !== 403) return;
  detail.shouldSwap = false;
  show("ended");
});
document.addEventListener("click", async (event) => {
  if (event.target.closest(".close")) event.target.closest(".notice").remove();
  if (event.target.id === "copy") {
    const text = await (await fetch(event.target.dataset.url)).text();
    await navigator.clipboard.writeText(text);
    event.target.textContent = "Copied";
  }
});

// --- the board

const STATUSES = ["todo", "active", "done", "archived"];
const OPERATIONS = { todo: "card/reopen", active: "card/activate", done: "card/done", archived: "card/archive" };

async function move(card, status) {
  const from = card.closest(".column").dataset.status;
  if (from === status || !OPERATIONS[status]) return;
  await htmx.ajax("POST", "/do/" + OPERATIONS[status], {
    source: card, target: "#notices", values: { identity: card.dataset.id },
  });
}

document.addEventListener("keydown", (event) => {
  const card = event.target;
  if (!card.classList || !card.classList.contains("card") || !card.draggable) return;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const at = STATUSES.indexOf(card.closest(".column").dataset.status) + step;
  const id = card.id;
  if (at < 0 || at >= STATUSES.length) return;
  document.addEventListener("refreshed", () => document.getElementById(id)?.focus(), { once: true });
  move(card, STATUSES[at]);
});
document.addEventListener("dragstart", (event) => {
  const card = event.target.closest?.(".card");
  if (card) event.dataTransfer.setData("text/plain", card.id);
});
document.addEventListener("dragover", (event) => {
  const column = event.target.closest?.(".column");
  document.querySelectorAll(".over").forEach((each) => each.classList.remove("over"));
  if (column) {
    event.preventDefault();
    column.classList.add("over");
  }
});
document.addEventListener("drop", (event) => {
  const column = event.target.closest?.(".column");
  const card = document.getElementById(event.dataTransfer.getData("text/plain"));
  if (!column || !card) return;
  event.preventDefault();
  column.classList.remove("over");
  move(card, column.dataset.status);
});
