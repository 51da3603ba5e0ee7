"""Writes Results/herds.md and its pictures: the peak of reconnections by jitter, the recovery of a service, and simulation cost.

page.md is the template.

usage: herds.py BINARY [MOST]    MOST: the size of the largest herd, by default 1000000
"""

import csv
import os
import pathlib
import subprocess
import sys
import tempfile

BINARY = sys.argv[1]
MOST = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OUT = ROOT / "Results" / "herds"
SIZES = [size for size in (1_000, 10_000, 100_000, 1_000_000, 10_000_000) if size <= MOST]
# A larger wave takes half an hour.
WAVES = [size for size in SIZES if size <= 1_000_000]

WORLD = """version: 1
name: A herd
duration: 60s
phones: {phones}
replicas: 1
phone: {{radios: {{cellular: lte-verizon-2021}}}}
links: {{cellular: {{delay: 30ms, rate: 20Mbps}}}}
server: {{accepts-per-second: {accepts}}}
timeline: [{{at: 0s, cellular: up, app: foreground}}{more}]
strategies:
{strategies}
"""
# A second event in the timeline of a herd.
AWAY = ", {at: 25s, server: down, for: 1s}"
CLIENTS = {
    "grpc-core": "  grpc-core: {strategy: grpc-core}\n",
    "composed": "  composed: {strategy: composed, transport: websocket, backoff: {base: 1s, cap: 30s, jitter: full}}\n",
}


def run(words):
    """Runs the command. Returns its output, its processor time in seconds and its peak memory in MiB."""
    process = subprocess.Popen([BINARY, *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    output = process.stdout.read()
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        sys.exit(f"{' '.join(words)}: {process.returncode}\n{errors.decode()}")
    return output, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def scenario(text):
    file = tempfile.NamedTemporaryFile("w", suffix=".yaml", delete=False)
    file.write(text)
    file.close()
    return file.name


def strategies(output):
    """The metrics of each strategy, in the order of the output. CSV has no witnesses, which would need a second simulation."""
    found = {}
    for row in csv.DictReader(output.decode().splitlines()):
        if row["value"]:
            found.setdefault(row["strategy"], {})[row["metric"]] = float(row["value"])
    return found


def wave():
    rows = []
    for size in WAVES:
        path = scenario(f"extends: {ROOT}/Scenarios/herd/wave.yaml\nphones: {size}\nexpect: {{}}\n")
        try:
            output, *_ = run(["run", path, "--format", "csv", "-q", "--exit-zero"])
        finally:
            os.unlink(path)
        clients = strategies(output)
        step = next(iter(clients.values()))["herd.peak_per_s"]
        for name, metrics in clients.items():
            peak = metrics["herd.peak_per_s"]
            rows.append(
                f"| {size:,} | {name} | {metrics['herd.attempts']:,.0f} | {peak:,.0f} "
                f"| {100 * (1 - peak / step):.1f} % | {metrics['herd.all_connected_s']:.1f} s |")
    return rows


def cost(more=""):
    rows = []
    for size in SIZES:
        for name, client in CLIENTS.items():
            # The server accepts a herd of a million or more within twenty seconds.
            path = scenario(WORLD.format(phones=size, accepts=max(50_000, size // 20), more=more, strategies=client))
            try:
                output, processor, memory = run(["run", path, "--format", "csv", "-q", "--exit-zero", "--jobs", "1"])
            finally:
                os.unlink(path)
            metrics = strategies(output)[name]
            connected = metrics.get("herd.all_connected_s")
            rows.append(
                f"| {size:,} | {name} | {metrics['herd.attempts']:,.0f} | {f'{connected:.2f} s' if connected else 'never'} "
                f"| {processor:.2f} s | {1e6 * processor / size:.1f} µs | {memory:,.0f} MiB |")
    return rows


def main():
    OUT.mkdir(exist_ok=True)
    question = [
        "boundary", "Scenarios/herd/metastable.yaml", "--vary", "server.database.queries-per-second", "--range", "60,420",
        "--expect", "outage.calls.max_s: under 120s", "-q"]
    boundary, *_ = run([*question, "--format", "md"])
    for name, words in {
        "boundary": [*question, "--format", "svg"],
        "wave": ["run", "Scenarios/herd/wave.yaml", "--format", "svg", "-q"],
    }.items():
        (OUT / f"{name}.svg").write_bytes(run(words)[0])
    text = (OUT / "page.md").read_text()
    for word, block in {
        "wave": "\n".join(wave()), "start": "\n".join(cost()), "away": "\n".join(cost(AWAY)),
        "boundary": boundary.decode().strip(),
    }.items():
        text = text.replace("{" + word + "}", block)
    (ROOT / "Results" / "herds.md").write_text(text)


main()
