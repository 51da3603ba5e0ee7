"""Measures `deadzone studio` in a headless Chromium: the time from a key to the redrawn timeline, the memory of page and program over many
edits, and what ten tabs and a killed browser leave behind. Prints a page of Markdown.

usage: studio_speed.py DEADZONE [EDITS]      1,000 edits by default, which take a few minutes
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from browser import Browser
from studio_page import Studio

SCENARIOS = Path(__file__).resolve().parent.parent.parent / "Scenarios"
CLIENTS = """
strategies:
  mine: {strategy: patient, ping: 45s, timeout: 10s}
  ours: {strategy: deadzone-recommended}
"""
# Each scenario with the number in which the digits are typed.
TEXTS = {
    "elevator, 45 minutes": ((SCENARIOS / "handoff/elevator.yaml").read_text(), r"ping: (\d)"),
    "chat, 24 hours": ((SCENARIOS / "articles/day-in-the-life.yaml").read_text().split("\nstrategies:")[0] + CLIENTS, r"ping: (\d)"),
}

# Notes the time from the last key to the end of the frame that shows the new timeline, in milliseconds. The message is handled after
# style, layout and paint of the frame that begins with the callback.
WATCH = """(() => {
  addEventListener('keydown', event => { window.keyAt = event.timeStamp; }, true);
  const frame = new MessageChannel();
  frame.port1.onmessage = () => { window.drawn = performance.now() - window.keyAt; };
  new MutationObserver(() => requestAnimationFrame(() => frame.port2.postMessage(0)))
    .observe(document.getElementById('timeline'), {childList: true, subtree: true});
})()"""
ZOOMED = "chat, 24 hours, zoomed in"


class Program:
    """A running studio, and what the system says of its process."""

    def __init__(self, binary, path):
        self.process = subprocess.Popen([binary, "studio", path, "--no-open", "-q"], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()

    def status(self, field):
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"^{field}:\s+(\d+)", text, re.MULTILINE)[1])

    def seconds(self):
        """Processor time so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def sockets(self):
        folder = Path(f"/proc/{self.process.pid}/fd")
        return sum(os.readlink(link).startswith("socket:") for link in folder.iterdir())

    def close(self):
        self.process.terminate()
        self.process.wait()


def type_digit(studio, pattern, digit):
    """Replaces one digit in the editor, and returns the milliseconds until the timeline is redrawn."""
    studio.value("(() => { const a = document.querySelector('textarea'), m = new RegExp(" + json.dumps(pattern) + ").exec(a.value);"
                 " const at = m.index + m[0].length - 1; a.focus(); a.setSelectionRange(at, at + 1); window.drawn = 0; })()")
    studio.call("Input.dispatchKeyEvent", type="keyDown", key=digit, text=digit)
    studio.call("Input.dispatchKeyEvent", type="keyUp", key=digit)
    return studio.until("window.drawn")


def edits(binary, folder, name, count):
    text, pattern = TEXTS[name.removesuffix(", zoomed in")]
    path = os.path.join(folder, "mine.yaml")
    Path(path).write_text(text)
    program, browser = Program(binary, path), Browser()
    try:
        studio = Studio(browser, program.address)
        studio.until("document.querySelectorAll('#timeline .strategy').length")
        studio.value(WATCH)
        if name == ZOOMED:
            studio.value("for (let i = 0; i < 4; i++) document.querySelector('#timeline [data-do=in]').click()")
            studio.until("document.querySelectorAll('#timeline .near').length")
        times, memory = [], []
        for number in range(count):
            times.append(type_digit(studio, pattern, str(1 + number % 9)))
            if number % 100 == 99 or number == count - 1:
                studio.call("HeapProfiler.collectGarbage")
                memory.append((studio.call("Runtime.getHeapUsage")["usedSize"] / 2**20, program.status("VmRSS") / 1024))
    finally:
        browser.close()
        program.close()
    times.sort()
    return times, memory


def ends(binary, folder):
    """Ten tabs that run a long scenario; then the browser is killed."""
    path = os.path.join(folder, "long.yaml")
    Path(path).write_text(re.sub(r"(?m)^replicas: .*$", "replicas: 100000", TEXTS["chat, 24 hours"][0]))
    program, browser = Program(binary, path), Browser()
    try:
        idle = program.status("Threads"), program.sockets()
        tabs = [Studio(browser, program.address, stays_visible=False) for _ in range(10)]
        for tab in tabs:
            tab.until("document.querySelectorAll('#timeline .strategy').length")
        time.sleep(2)
        busy = program.status("Threads"), program.sockets()
        browser.close()
        time.sleep(2)
        before = program.seconds()
        time.sleep(2)
        return idle, busy, (program.status("Threads"), program.sockets()), program.seconds() - before
    finally:
        program.close()


def main(binary, count):
    print("# Speed of the studio\n\nWritten by `Tests/Oracles/studio_speed.py`, in headless Chromium on "
          f"{os.cpu_count()} cores. Load average before the start: {os.getloadavg()[0]:.1f}. Not compared by any test.\n")
    print("## From a key to the redrawn timeline\n\nOne digit of a setting is typed; the timeline of one replica is drawn. Milliseconds until "
          "the browser has painted it.\n")
    print("| scenario | edits | p50 | p95 | longest |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        found = {name: edits(binary, folder, name, count) for name in TEXTS}
        found[ZOOMED] = edits(binary, folder, ZOOMED, (count + 3) // 4)
        for name, (times, _) in found.items():
            print(f"| {name} | {len(times)} | {times[len(times) // 2]:.0f} | {times[len(times) * 95 // 100]:.0f} | {times[-1]:.0f} |")
        print("\n## Memory\n\nMiB after each hundred edits: heap of the page after a collection, and resident memory of the program.\n")
        print("| scenario | page | program |\n|---|---|---|")
        for name, (_, memory) in found.items():
            print(f"| {name} | {' '.join(f'{m[0]:.1f}' for m in memory)} | {' '.join(f'{m[1]:.0f}' for m in memory)} |")
        idle, busy, after, seconds = ends(binary, folder)
    print("\n## Ten tabs and a killed browser\n\nEach tab runs a scenario that would take minutes.\n")
    print("| | threads | sockets |\n|---|---|---|")
    for name, (threads, sockets) in [("before", idle), ("with ten tabs", busy), ("two seconds after the kill", after)]:
        print(f"| {name} | {threads} | {sockets} |")
    print(f"\nProcessor time in the two seconds after that: {seconds:.2f} s.")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
