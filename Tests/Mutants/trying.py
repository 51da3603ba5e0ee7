"""Decides whether a fault is detected: by the tests of its module, quick suites first, and by the laws, each within a
time limit."""

import os
import pathlib
import re
import resource
import selectors
import signal
import subprocess
import sys
import time

TREE = pathlib.Path(__file__).resolve().parent.parent.parent / ".build/mutants"
TESTS = [".build/release/deadzonePackageTests.xctest", "--testing-library", "swift-testing", "--no-parallel", "--filter"]
PROGRAM = ".build/release/deadzone"
# Fewer histories than by default, ten seconds of them: as many as their coverage goals need.
LAWS = ["worlds --seeds 1000", "delivery --seeds 1000", "visits --seeds 500", "strategies --length 2 --seeds 100"]
# The tests of modules that have none of the same name, or additional ones.
OWN = {
    "Strategies": ["ClientTests"],
    "Protocols": ["PhoneEndTests", "ServerTests"],
    "World": ["ScenariosTests", "EngineTests"],
    "PhoneSimulation": ["EngineTests"],
    "Laws": ["DeviceTests", "ClientTests", "EngineTests"],
    "Runs": ["RunsTests", r"CommandTests\.(Witness|Shard|Boundary|Stop|LawsVerb|Count|Visit|Replay)\w*"],
}
# Suites that use an external program.
OUTSIDE = {"Captures": ["TsharkTests"]}
FAILED = re.compile(r"recorded an issue|Fatal error|Test (?!run with|case passing).+? failed after")


def environment(number):
    """No outside oracles and no captures. Goldens are written, so they cannot differ."""
    own = {key: value for key, value in os.environ.items() if not key.startswith("DEADZONE_")}
    return own | {"DEADZONE_FAULT": str(number), "DEADZONE_BINARY": str(TREE / PROGRAM), "DEADZONE_RECORD": "1"}


def stop(why):
    print(why, file=sys.stderr)
    sys.exit(2)


def tests(target, *, only=(), but=()):
    """Returns the command for the tests of a target: only these suites, or all but these."""
    module = re.match(r"\w+", target)[0]
    of = lambda suites: rf"^{module}\.({'|'.join(suites)})/"
    but = [*but, *OUTSIDE.get(module.removesuffix("Tests"), [])]
    return TESTS + [of(only) if only else rf"^{target}[./]"] + (["--skip", of(but)] if but else [])


def laws(part):
    return [PROGRAM, "laws", *part.split(), "--jobs", "1"]


class Stage:
    """A program that should detect a fault, and its run time without one."""

    def __init__(self, name, command):
        self.name, self.command, self.seconds, self.limit = name, command, None, None

    def rest(self):
        """Runs without a fault, which must pass, and returns the output."""
        said = []
        if by := self.noticed(0, said):
            stop(f"without a fault {self.name} fails: {by}\n{said[0][-4000:]}")
        self.limit = 10 + 3 * self.seconds
        return said[0]

    def noticed(self, number, heard=None):
        """Returns the first thing that detected a fault: a test, a crash, an endless run. None if it was not detected.
        Stops the program at its first failure."""

        def bound():
            if self.limit:
                resource.setrlimit(resource.RLIMIT_CPU, (int(self.limit) + 1, int(self.limit) + 1))

        process = subprocess.Popen(
            self.command, cwd=TREE, env=environment(number), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=bound)
        # A program that waits for ever takes no processor time.
        said, ends = b"", time.monotonic() + (60 + 20 * self.seconds if self.limit else 3600)
        watch = selectors.DefaultSelector()
        watch.register(process.stdout, selectors.EVENT_READ)
        try:
            while time.monotonic() < ends:
                if not watch.select(timeout=1):
                    continue
                part = os.read(process.stdout.fileno(), 1 << 16)
                said += part
                text = said.decode(errors="replace")
                if failed := FAILED.search(text):
                    named = re.search(r"Test (?!run with|case passing)(\S+) .*?(?:failed|recorded)", text)
                    return named[1] if named else failed[0]
                if not part:
                    _, status, used = os.wait4(process.pid, 0)
                    process.returncode = code = os.waitstatus_to_exitcode(status)
                    self.seconds = self.seconds or used.ru_utime + used.ru_stime
                    if code in (-signal.SIGXCPU, -signal.SIGKILL):
                        return "no end"
                    isProgram = self.command[0] == PROGRAM
                    if code != 0:
                        return "a broken law" if isProgram and code == 1 else "a crash"
                    return None if isProgram or re.search(r"Test run with [1-9]\d* test", text) else "no test at all"
            return "no end"
        finally:
            if heard is not None:
                heard.append(said.decode(errors="replace"))
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            process.stdout.close()


def stages(name):
    """Returns the stages: one for laws; for tests the suites below a third of a second, and then the others."""
    if name in LAWS:
        whole = Stage(f"laws {name.split()[0]}", laws(name))
        whole.rest()
        return [whole]
    whole = Stage(name, tests(name))
    took = re.findall(r"Suite (\w+) passed after ([\d.]+) seconds", whole.rest())
    slow = [suite for suite, seconds in sorted(took, key=lambda one: float(one[1])) if float(seconds) >= 0.3]
    if not slow or len(slow) == len(took):
        return [whole]
    parts = [Stage(name, tests(name, but=slow)), Stage(name, tests(name, only=slow))]
    for part in parts:
        part.seconds, part.limit = whole.seconds, whole.limit
    print(f"{name}: {whole.seconds:.1f} s, and last of them {', '.join(slow)}", flush=True)
    return parts


def targets(room):
    return OWN.get(room, [f"{room}Tests"])


def verdict(fault, known):
    """Returns the test that detected the fault; None if none did."""
    for name in targets(fault.room) + LAWS:
        for stage in known[name]:
            if by := stage.noticed(fault.number):
                return f"{stage.name}: {by}"
    return None
