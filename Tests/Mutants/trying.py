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
import tempfile
import time

import outcomes
import planting

# The copy of the checkout in which faults are planted.
TREE = outcomes.STORE / "mutants"
PROGRAMS = {}
OPTIONS = ["--testing-library", "swift-testing", "--no-parallel"]
# Fewer histories than by default, ten seconds of them: as many as their coverage goals need.
LAWS = ["worlds --seeds 1000", "delivery --seeds 1000", "visits --seeds 500", "strategies --length 2 --seeds 100"]
# The tests of modules that have none of the same name, or additional ones.
OWN = {
    "AccessPath": ["SystemTests", "EngineTests", r"LiveTests\.(LivePath|PathLaw|Waiting)\w*"],
    "Memory": ["PrimitivesTests", "EngineTests"],
    "Client": ["ClientTests", r"EngineTests\.(JournalStory|CredentialRun)\w*"],
    "Device": ["DeviceTests", r"EngineTests\.JournalStory\w*"],
    "Network": ["NetworkTests", r"EngineTests\.(JournalStory|NameRun|NetworkAddress|MiddleboxRun)\w*"],
    "Transport": ["TransportTests", "PhoneEndTests", "ServerTests", r"EngineTests\.JournalStory\w*"],
    "Strategies": [
        "ClientTests", r"EngineTests\.(SubscriptionRun|ICERun|CoAPRun|CredentialRun|Composed|CallTests|Login|RefusedMessage)\w*",
    ],
    "PhoneEnd": ["PhoneEndTests", "EngineTests"],
    "Protocols": ["PhoneEndTests", "ServerTests", "EngineTests"],
    "Scenarios": ["ScenariosTests", r"CommandTests\.(Across|HeartbeatFault)\w*"],
    "Server": ["ServerTests", "EngineTests"],
    "Messages": ["MessagesTests", "EngineTests"],
    "System": ["SystemTests", "EngineTests"],
    "World": ["ScenariosTests", "EngineTests"],
    "PacketNetwork": ["EngineTests"],
    "PhoneSimulation": ["EngineTests"],
    "Connections": ["EngineTests"],
    "ClientHost": ["EngineTests"],
    "Laws": ["DeviceTests", "ClientTests", "EngineTests"],
    "Compare": [
        "CompareTests",
        r"DocumentsTests\.(Hunt|AcrossText|BoundaryText|BottomLine|ClaimText)\w*",
        r"ClaimsTests\.(Rule|BothSides)\w*",
        r"CommandTests\.(Compare|Uncompared|BoundaryReason|BaselineFile|GateFile|Unjudged|Check|Across)\w*",
    ],
    "Documents": ["DocumentsTests", r"CommandTests\.(BaselineFile|ReviewFormat|ReplayReport)\w*"],
    "Runs": [
        "RunsTests",
        r"FitTests\.(WaitFit|PresetVerdict|RailTrace|RadioFit)\w*",
        r"EngineTests\.IsolatedSchedule\w*",
        r"CommandTests\.(Hunt|FitVerb|Witness|Shard|Boundary|Stop|LawsVerb|Count|Visit|Replay|Schedule|PresetSchedule|PresetBound"
        r"|RunVerb|CacheVerb|BaselineFile|GroupResult|Compare|Uncompared|GateFile|Unjudged|Check|WrongInput|Verb"
        r"|AddedStrategy|Across|TuneVerb|DayVerb|RadioRoundTrip)\w*",
    ],
}
# The seconds of the first suites that are tried together.
QUICK = 0.5
# Suites that use an external program.
OUTSIDE = {"Captures": ["TsharkTests"]}
NO_TEST = "no test at all"
FAILED = re.compile(r"recorded an issue|Fatal error|Test (?!run with|case passing).+? failed after")


def use(programs, isSample):
    """Tries these programs. A sample has many faults, so a survivor of it runs fewer histories."""
    PROGRAMS.update({product: str(path) for product, path in programs.items()})
    if isSample:
        LAWS[:] = ["worlds --seeds 300", "delivery --seeds 300", "visits --seeds 150"]


def environment(number, reached=None):
    """No outside oracles and no captures. Goldens are written, so they cannot differ."""
    own = {key: value for key, value in os.environ.items() if not key.startswith("DEADZONE_")}
    own |= {"DEADZONE_REACHED": reached} if reached else {}
    return own | {"DEADZONE_FAULT": str(number), "DEADZONE_BINARY": str(TREE / PROGRAMS["deadzone"]), "DEADZONE_RECORD": "1"}


def stop(why):
    print(why, file=sys.stderr)
    sys.exit(2)


def tests(target, *, only=(), but=()):
    """Returns the command for the tests of a target: only these suites, or all but these."""
    module = re.match(r"\w+", target)[0]
    of = lambda suites: rf"^{module}\.({'|'.join(suites)})/"
    but = [*but, *OUTSIDE.get(module.removesuffix("Tests"), [])]
    command = [PROGRAMS["deadzonePackageTests"], *OPTIONS, "--filter", of(only) if only else rf"^{target}[./]"]
    return command + (["--skip", of(but)] if but else [])


def laws(part):
    return [PROGRAMS["deadzone"], "laws", *part.split(), "--jobs", "1"]


class Stage:
    """A program that should detect faults: its run time without one, and the faults that it reaches."""

    def __init__(self, name, command):
        self.name, self.command, self.seconds, self.limit, self.reached = name, command, None, None, None

    def rest(self):
        """Runs without a fault, which must pass, and records the reached faults. False if there was no test."""
        said = []
        with tempfile.NamedTemporaryFile() as marks:
            marks.write(bytes(planting.MOST))
            marks.flush()
            by = self.noticed(0, said, reached=marks.name)
            self.reached = {number for number, mark in enumerate(pathlib.Path(marks.name).read_bytes()) if mark}
        if by and by != NO_TEST:
            stop(f"without a fault {self.name} fails: {by}\n{said[0][-4000:]}")
        self.limit = 10 + 3 * self.seconds
        return by != NO_TEST

    def noticed(self, number, heard=None, reached=None):
        """Returns the first thing that detected a fault: a test, a crash, an endless run. None if it was not detected.
        Stops the program at its first failure."""

        def bound():
            if self.limit:
                resource.setrlimit(resource.RLIMIT_CPU, (int(self.limit) + 1, int(self.limit) + 1))

        process = subprocess.Popen(
            self.command, cwd=TREE, env=environment(number, reached), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
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
                    isProgram = self.command[0] == PROGRAMS["deadzone"]
                    if code != 0:
                        return "a broken law" if isProgram and code == 1 else "a crash"
                    return None if isProgram or re.search(r"Test run with [1-9]\d* test", text) else NO_TEST
            return "no end"
        finally:
            if heard is not None:
                heard.append(said.decode(errors="replace"))
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            process.stdout.close()


def suites(target):
    """Returns the suites of a target that use no external program, and True if it has tests outside suites."""
    listed = subprocess.run(
        [PROGRAMS["deadzonePackageTests"], "--list-tests", *OPTIONS], cwd=TREE, env=environment(0), capture_output=True, text=True, check=True)
    own = [line for line in listed.stdout.split() if re.match(rf"{target}[./]", line)]
    found = {line.split("/")[0].split(".")[1] for line in own if "/" in line}
    return sorted(found - set(OUTSIDE.get(target.removesuffix("Tests"), []))), any("/" not in line for line in own)


def stages(name):
    """Returns the stages: one for laws; for tests one for each suite, and one for the tests outside suites."""
    if name in LAWS:
        of = [Stage(f"laws {name.split()[0]}", laws(name))]
    else:
        every, hasOthers = suites(name)
        of = [Stage(name, tests(name, only=[suite])) for suite in every]
        of += [Stage(name, tests(name, but=every))] if hasOthers else []
        for stage, suite in zip(of, every):
            stage.suite = suite
    return [stage for stage in of if stage.rest()]


def together(name, of):
    """Returns stages as few runs: the quickest suites together, and each run takes longer than the one before."""
    runs, batch, most = [], [], QUICK
    for stage in sorted(of, key=lambda stage: stage.seconds):
        isApart = batch and not (hasattr(stage, "suite") and hasattr(batch[-1], "suite"))
        if isApart or batch and sum(one.seconds for one in batch) + stage.seconds > most:
            runs.append(batch)
            batch, most = [], 3 * most
        batch.append(stage)
    return [joined(name, batch) for batch in runs + [batch] if batch]


def joined(name, batch):
    """Returns one stage for several suites."""
    if len(batch) == 1:
        return batch[0]
    whole = Stage(name, tests(name, only=[stage.suite for stage in batch]))
    whole.seconds = sum(stage.seconds for stage in batch)
    whole.limit = 10 + 3 * whole.seconds
    return whole


def targets(room):
    return OWN.get(room, [f"{room}Tests"])


def verdict(fault, known):
    """Returns the test that detected the fault. None if none did, an empty text if no test reaches the fault."""
    isReached = False
    for name in targets(fault.room) + LAWS:
        for stage in together(name, [stage for stage in known[name] if fault.number in stage.reached]):
            isReached = True
            if by := stage.noticed(fault.number):
                return f"{stage.name}: {by}"
    return None if isReached else ""
