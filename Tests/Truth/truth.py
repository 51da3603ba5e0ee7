"""Runs everything that can be compared with the model, worlds of one kind in parallel, and writes the results: truth.py OUT
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

# Worlds that start together slow each other down, most of all the clients, whose first waits are measured. So each kind of runs
# has the seconds between two of them, and those after the last one in which it needs the processors for itself. Worlds of waits only
# wait in silence after their first minute; of the transfers, six are on their way at a time; random packets need many minutes.
WAITS, TRANSFERS, RANDOM, ALL_CLIENTS = (0.7, 65), (14, 90), (0.7, 940), (1.5, 0)


def collect(phases):
    """Returns the results of all runs of all phases. Each runs in its own thread, which mostly waits. A failure in any of them ends
    the program."""
    found, failed, threads = {}, [], []

    def go(number, run):
        try:
            found[number] = run()
        except Exception:
            failed.append(traceback.format_exc())

    for (apart, alone), runs in phases:
        for run in runs:
            threads.append(threading.Thread(target=go, args=[len(threads), run]))
            threads[-1].start()
            time.sleep(apart)
        time.sleep(alone if runs else 0)
    for thread in threads:
        thread.join()
    if failed:
        sys.exit("\n".join(failed))
    return [found[number] for number in range(len(threads))]


def merged(old, new):
    """Returns the rows with those of the last run that were not measured again, in the order of the clients."""
    again = {(row["client"], row["what"]) for row in new}
    order = {client.library: number for number, client in enumerate(CLIENTS)}
    return sorted([row for row in old if (row["client"], row["what"]) not in again] + new, key=lambda row: order.get(row["client"], len(order)))


def main():
    folder, wanted = Path(sys.argv[1]), sys.argv[2:] or ["clients", "kernel"]
    named = [name for name in wanted if name not in ("clients", "kernel", "changed")]
    rows, clients = list(kernel_rows()), present(named) if named or {"clients", "changed"} & set(wanted) else []
    waits, transfers, random = kernel_runs(rows) if "kernel" in wanted else ([], [], [])
    runs = [*waits, *transfers, *random]
    warm_up(clients)
    load = round(os.getloadavg()[0], 1)
    measured_at = {client.library: {"date": f"{datetime.date.today():%Y-%m-%d}", "load": load} for client in clients}
    # The simulations run after the measurements, because both need the processors.
    of_clients = list(client_runs(clients, "changed" not in wanted)) if clients else []
    found = [compare() for compare in collect([(WAITS, waits), (TRANSFERS, transfers), (RANDOM, random), (ALL_CLIENTS, of_clients)])]
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
