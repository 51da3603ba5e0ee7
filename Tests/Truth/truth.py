"""Runs everything that can be run beside the model, all worlds at once, and writes what came of it: truth.py OUT [kernel] [clients]."""
import json
import platform
import sys
import threading
import time
import traceback
from importlib.metadata import version
from pathlib import Path

from clients import client_runs, present
from kernel import TOLERANCE, kernel_rows, kernel_runs
from page import page

# Interpreters that start together take each other's time.
APART = 0.7


def collect(runs):
    """What all of them found, each in a thread that mostly waits. None of them may fail unseen."""
    found, failed = [None] * len(runs), []

    def go(index):
        try:
            found[index] = runs[index]()
        except Exception:
            failed.append(traceback.format_exc())

    threads = [threading.Thread(target=go, args=[index]) for index in range(len(runs))]
    for thread in threads:
        thread.start()
        time.sleep(APART)
    for thread in threads:
        thread.join()
    if failed:
        sys.exit("\n".join(failed))
    return found


def main():
    folder, wanted = Path(sys.argv[1]), sys.argv[2:] or ["clients", "kernel"]
    rows, clients = list(kernel_rows()), present() if "clients" in wanted else []
    runs = {"clients": list(client_runs(clients)), "kernel": kernel_runs(rows)}
    count = len(runs["clients"]) if "clients" in wanted else 0
    # What is simulated takes the processors that what is measured waits for.
    found = [compare() for compare in collect([run for part in wanted for run in runs[part]])]
    own = [row for group in found[:count] for row in group]
    measured = {(row["group"], row["row"]): row for group in found[count:] for row in group}
    libraries = {client.library: client.version for client in clients} | {"aioquic": version("aioquic")}
    document = {
        "schema": "deadzone/truth/1", "tolerance": TOLERANCE,
        "versions": {"kernel": platform.release(), "python": platform.python_version(), **dict(sorted(libraries.items(), key=lambda one: one[0].lower()))},
        "read_at": {client.library: client.read_at for client in clients if client.read_at},
        "kernel": [measured[(row.group, row.name)] for row in rows if (row.group, row.name) in measured],
        "clients": own}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "truth.json").write_text(json.dumps(document, indent=1) + "\n")
    (folder / "README.md").write_text(page(document))


main()
