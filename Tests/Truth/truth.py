"""Runs everything that can be compared with the model, all worlds in parallel, and writes the results: truth.py OUT
[kernel] [clients]. The rows about Doze take a second and are always compared: doze.py."""
import json
import platform
import sys
import threading
import time
import traceback
from importlib.metadata import version
from pathlib import Path

from clients import client_runs, present, warm_up
from doze import doze_rows
from kernel import TOLERANCE, kernel_rows, kernel_runs
from page import page

# Interpreters that start together slow each other down, most of all the clients, whose first waits are measured.
APART, CLIENTS_APART = 0.7, 1.5
# Starting clients and their virtual machines would lengthen the kernel rows' round trips, and every wait that is
# doubled from them. After this time, the kernel rows only wait in silence.
CLIENTS_WAIT = 330


def collect(first, second=()):
    """Returns the results of all runs. Each runs in its own thread, which mostly waits. A failure in any of them ends
    the program."""
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
    # The simulations run after the measurements, because both need the processors.
    found = [compare() for compare in collect(runs, list(client_runs(clients)) if clients else [])]
    measured = {(row["group"], row["row"]): row for group in found[:len(runs)] for row in group}
    own = [row for group in found[len(runs):] for row in group]
    libraries = {client.library: client.version for client in clients} | {"aioquic": version("aioquic")}
    document = {
        "schema": "deadzone/truth/1", "tolerance": TOLERANCE,
        "versions": {"kernel": platform.release(), "python": platform.python_version(), **dict(sorted(libraries.items(), key=lambda one: one[0].lower()))},
        "read_at": {client.library: client.read_at for client in clients if client.read_at},
        "kernel": [measured[(row.group, row.name)] for row in rows if (row.group, row.name) in measured],
        "clients": own, "doze": list(doze_rows())}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "truth.json").write_text(json.dumps(document, indent=1) + "\n")
    (folder / "README.md").write_text(page(document))


main()
