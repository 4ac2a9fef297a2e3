// One stream of changes for all pages of this browser: a browser opens at most six
// connections to a host.
"use strict";
const ports = new Set();
let source = null;

function open() {
  source = new EventSource("/events");
  for (const kind of ["open", "files", "scene", "error", "ready"]) {
    source.addEventListener(kind, () => {
      // The stream also reports its own errors, without data.
      const live = source.readyState === EventSource.OPEN;
      ports.forEach((port) => port.postMessage({ kind, live }));
    });
  }
}

self.onconnect = (event) => {
  const port = event.ports[0];
  port.onmessage = (message) => {
    if (message.data === "join") {
      ports.add(port);
      if (source === null) open();
      else port.postMessage({ kind: "open", live: source.readyState === EventSource.OPEN });
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
