"""Floors that need their own process: `python -m benchmarks.floor
save|load|index ...`.

Each does the minimum of necessary work with the same libraries, without code of the
product.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator


def save(source: str, target: str, size_text: str) -> None:
    """Answer each event in the folder of `source`: read the file, then replace `target`
    durably by as many bytes.
    """
    from watchfiles import watch

    padding = b"x" * int(size_text)
    batches = watch(
        os.path.dirname(source),
        watch_filter=None,
        debounce=1,
        step=1,
        rust_timeout=1_000,
        yield_on_timeout=True,
        raise_interrupt=False,
    )
    ready = False
    for batch in batches:
        if not batch and not ready:
            # The first timeout shows that the watcher is running.
            ready = True
            _print_event({"event": "ready"})
        if batch:
            with open(source, "rb", buffering=0) as file:
                data = file.readall()
            temporary = target + ".tmp"
            with open(temporary, "wb", buffering=0) as file:
                file.write((data + padding)[: len(padding)])
                os.fsync(file.fileno())
            os.replace(temporary, target)


def load(vocabulary: str, scene: str, seconds: str) -> None:
    """Load the graph library and the tokenizer, count one scene, then stay for the
    given time.
    """
    os.environ["TIKTOKEN_CACHE_DIR"] = vocabulary
    import networkx
    import tiktoken

    assert networkx.__name__
    with open(scene, encoding="utf-8") as file:
        tokens = len(tiktoken.get_encoding("o200k_base").encode_ordinary(file.read()))
    _print_event({"event": "ready", "tokens": tokens})
    time.sleep(float(seconds))


def index(root: str) -> None:
    """List, read and hash every file below `root` except CueDeck's own files."""
    started = time.perf_counter()
    count = size = 0
    for place in _files(root):
        with open(place, "rb", buffering=0) as file:
            data = file.readall()
        hashlib.sha256(data).hexdigest()
        count, size = count + 1, size + len(data)
    _print_event(
        {
            "event": "done",
            "files": count,
            "bytes": size,
            "seconds": time.perf_counter() - started,
        }
    )


def _files(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name != "cache":
                    yield from _files(entry.path)
            elif entry.is_file(follow_symlinks=False):
                yield entry.path


def _print_event(event: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


_FLOORS: dict[str, Callable[..., None]] = {"save": save, "load": load, "index": index}

if __name__ == "__main__":
    _FLOORS[sys.argv[1]](*sys.argv[2:])
