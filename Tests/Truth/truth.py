"""Runs everything that can be run beside the model, all worlds at once, and writes what came of it: truth.py OUT [kernel] [clients]."""
import json
import platform
import sys
import threading
import time
import traceback
from importlib.metadata import version
from pathlib import Path

from clients import client_runs, present, warm_up
from kernel import TOLERANCE, kernel_rows, kernel_runs
from page import page

# Interpreters that start together take each other's time, and those of clients, whose first waits are looked at, the most.
APART, CLIENTS_APART = 0.7, 1.5
# What clients and their virtual machines take as they start would be in the round trips of kernels, and from there in every wait that is
# doubled. By then nothing is left of those but silence.
CLIENTS_WAIT = 330


def collect(first, second=()):
    """What all of them found, each in a thread that mostly waits. None of them may fail unseen."""
    runs, began = [*first, *second], time.monotonic()
    found, failed = [None] * len(runs), []

    def go(index):
        try:
            found[index] = runs[index]()
        except Exception:
            failed.append(traceback.format_exc())

    threads = [threading.Thread(target=go, args=[index]) for index in range(len(runs))]
    for index, thread in enumerate(threads):
        if first and index == len(first):
            time.sleep(max(0, began + CLIENTS_WAIT - time.monotonic()))
        thread.start()
        time.sleep(APART if index < len(first) else CLIENTS_APART)
    for thread in threads:
        thread.join()
    if failed:
        sys.exit("\n".join(failed))
    return found


def main():
    folder, wanted = Path(sys.argv[1]), sys.argv[2:] or ["clients", "kernel"]
    rows, clients = list(kernel_rows()), present() if "clients" in wanted else []
    runs = kernel_runs(rows) if "kernel" in wanted else []
    warm_up(clients)
    # What is simulated takes the processors that what is measured waits for.
    found = [compare() for compare in collect(runs, list(client_runs(clients)) if clients else [])]
    measured = {(row["group"], row["row"]): row for group in found[:len(runs)] for row in group}
    own = [row for group in found[len(runs):] for row in group]
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
