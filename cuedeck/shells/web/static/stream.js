// One stream of changes for all pages of this browser: a browser opens at most six
// connections to a host.
"use strict";
const STATES = ["lost", "live", "ended"];
const ports = new Set();
let source = null;
let changes = "";

// A stream that the server refuses ends for good; the next page that joins tries again.
function open() {
  source = new EventSource("/events");
  for (const kind of ["open", "files", "scene", "error"]) {
    source.addEventListener(kind, ({ data, target }) => {
      // The stream has an event of its own for its opening, too, without data.
      if (kind === "open" && !data) return;
      changes = data || changes;
      ports.forEach((port) => port.postMessage({ kind, changes, state: STATES[target.readyState] }));
      if (target.readyState === EventSource.CLOSED) source = null;
    });
  }
}

self.onconnect = (event) => {
  const port = event.ports[0];
  port.onmessage = (message) => {
    if (message.data === "join") {
      ports.add(port);
      if (source === null) open();
      else if (changes) port.postMessage({ kind: "open", changes, state: STATES[source.readyState] });
      return;
    }
    ports.delete(port);
    if (ports.size === 0 && source !== null) {
      source.close();
      source = null;
    }
  };
  port.start();
};
