"""Runs everything that can be compared with the model, all worlds in parallel, and writes the results: truth.py OUT
[kernel] [clients] [CLIENT …] [changed]. Names of clients measure these clients only, and `changed` only their second set of
options; all other rows remain as they are. The rows about Doze take a second and are always compared: doze.py."""
import datetime
import json
import os
import platform
import sys
import threading
import time
import traceback
from importlib.metadata import version
from pathlib import Path

from clients import CLIENTS, client_runs, present, warm_up
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


def merged(old, new):
    """Returns the rows with those of the last run that were not measured again, in the order of the clients."""
    again = {(row["client"], row["what"]) for row in new}
    order = {client.library: number for number, client in enumerate(CLIENTS)}
    return sorted([row for row in old if (row["client"], row["what"]) not in again] + new, key=lambda row: order.get(row["client"], len(order)))


def main():
    folder, wanted = Path(sys.argv[1]), sys.argv[2:] or ["clients", "kernel"]
    named = [name for name in wanted if name not in ("clients", "kernel", "changed")]
    rows, clients = list(kernel_rows()), present(named) if named or {"clients", "changed"} & set(wanted) else []
    runs = kernel_runs(rows) if "kernel" in wanted else []
    warm_up(clients)
    load = round(os.getloadavg()[0], 1)
    measured_at = {client.library: {"date": f"{datetime.date.today():%Y-%m-%d}", "load": load} for client in clients}
    # The simulations run after the measurements, because both need the processors.
    found = [compare() for compare in collect(runs, list(client_runs(clients, "changed" not in wanted)) if clients else [])]
    measured = {(row["group"], row["row"]): row for group in found[:len(runs)] for row in group}
    own = [row for group in found[len(runs):] for row in group]
    # Rows that were not measured remain. A run of everything starts anew, so that no row of a client that left remains.
    is_full = not named and {"clients", "kernel"} <= set(wanted) and "changed" not in wanted
    saved = folder / "truth.json"
    document = json.loads(saved.read_text()) if saved.exists() and not is_full else {"schema": "deadzone/truth/1", "clients": [], "kernel": []}
    libraries = document.get("versions", {}) | {client.library: client.version for client in clients} | {"aioquic": version("aioquic")}
    document |= {"tolerance": TOLERANCE, "doze": list(doze_rows())}
    if runs:
        document["kernel"] = [measured[(row.group, row.name)] for row in rows if (row.group, row.name) in measured]
        document["measured"] = document.get("measured", {}) | {"kernel": {"date": f"{datetime.date.today():%Y-%m-%d}", "load": load}}
        document.pop("note", None)
    if runs or "kernel" not in libraries:
        libraries |= {"kernel": platform.release(), "python": platform.python_version()}
    document["versions"] = dict(sorted(libraries.items(), key=lambda one: one[0].lower()))
    document["read_at"] = {client.library: client.read_at for client in CLIENTS if client.read_at}
    document["causes"] = {client.library: client.causes for client in CLIENTS if client.causes}
    document["measured"] = document.get("measured", {}) | measured_at
    document["clients"] = merged(document["clients"], own)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "truth.json").write_text(json.dumps(document, indent=1) + "\n")
    (folder / "README.md").write_text(page(document))


main()
