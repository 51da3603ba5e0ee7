"""Drops drawn faults that do not compile, before the program is built.

A fault inside a function changes no interface. So the modules are checked one by one against the interfaces of the
original sources, and each check reports all errors of a module at once. The type checker and the later diagnostics,
such as a missing return or a value used before it is set, are two passes, because the second needs the first.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess

import planting

SWIFTC = os.environ.get("SWIFTC", "swiftc")
FEATURES = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
PASSES = ["-typecheck", "-emit-sil"]
MAP = "module %s { umbrella \"%s\" export * }\n"


def modules(sources):
    """Returns the files of each module of Sources that other modules may import, in an order in which they can be built."""
    files, uses = {}, {}
    for path in sorted(sources):
        room = planting.module_of(path)
        files.setdefault(room, []).append(path)
        uses.setdefault(room, set()).update(re.findall(r"^\s*(?:\w+ )?import Deadzone(\w+)", sources[path], re.MULTILINE))
    order, left = [], set(files)
    while left:
        ready = sorted(room for room in left if not uses[room] & left - {room})
        order += ready
        left -= set(ready)
    return {room: files[room] for room in order}


class Checker:
    """The interfaces of the original sources in a folder, against which modules with faults are checked."""

    def __init__(self, tree, folder, sources, wanted):
        self.tree, self.folder, self.rooms = pathlib.Path(tree), pathlib.Path(folder), modules(sources)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.flags = ["-swift-version", "6", "-package-name", "deadzone", "-parse-as-library", "-suppress-warnings",
                      "-I", str(self.folder)]
        self.flags += [word for feature in FEATURES for word in ("-enable-upcoming-feature", feature)]
        self.include()
        self.emit(wanted)

    def include(self):
        """Adds the modules of C: those with a map, and those for which SwiftPM would write one."""
        for path in sorted(self.tree.glob("Sources/*/module.modulemap")):
            self.flags += ["-I", str(path.parent)]
        for path in sorted(self.tree.glob("Sources/*/include")):
            mapped = self.folder / path.parent.name / "module.modulemap"
            mapped.parent.mkdir(exist_ok=True)
            mapped.write_text(MAP % (path.parent.name, path))
            self.flags += ["-I", str(mapped.parent)]

    def emit(self, wanted):
        """Writes the interfaces that the wanted modules need, without the bodies of functions."""
        needed = set(wanted)
        for room in reversed(self.rooms):
            if room in needed:
                text = "\n".join((self.tree / path).read_text() for path in self.rooms[room])
                needed |= set(re.findall(r"^\s*(?:\w+ )?import Deadzone(\w+)", text, re.MULTILINE))
        for room in [room for room in self.rooms if room in needed]:
            done = self.run(room, {}, [
                "-emit-module", "-emit-module-path", str(self.folder / f"Deadzone{room}.swiftmodule"),
                "-Xfrontend", "-experimental-skip-all-function-bodies"])
            if done.returncode != 0:
                raise RuntimeError(f"{room} has no interface:\n{done.stdout[-4000:]}")

    def run(self, room, laid, action):
        """Runs the compiler on a module, with other texts for some of its files."""
        files = []
        for path in self.rooms[room]:
            file = self.tree / path
            if path in laid:
                # The compiler requires different names in different folders, too.
                file = self.folder / "laid" / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(laid[path])
            files.append(str(file))
        return subprocess.run(
            [SWIFTC, *self.flags, "-module-name", f"Deadzone{room}", "-whole-module-optimization", *action, *files],
            cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def errors(self, room, laid, action):
        """Returns the places of errors in a module: path and line."""
        output = ["-o", str(self.folder / f"{room}.sil")] if action == "-emit-sil" else []
        done = self.run(room, laid, [action, *output])
        found = re.findall(r"/(Sources/[^:\s]+\.swift):(\d+):\d+: error:", done.stdout)
        if done.returncode != 0 and not found:
            raise RuntimeError(f"{room} does not compile, without a place:\n{done.stdout[-4000:]}")
        return [(path, int(line)) for path, line in found]

    def sound(self, room, faults, plant):
        """Returns the faults of a module that compile. `plant` returns the texts of files, and the faults of their lines.

        An error outside all faulty bodies may come from any of several faults. All of them are dropped, because each
        further check takes seconds. So a part may have fewer faults left than are wanted."""
        kept = list(faults)
        for action in PASSES:
            while guilty := self.guilty(room, kept, action, plant):
                kept = [fault for fault in kept if fault not in guilty]
        return kept

    def guilty(self, room, kept, action, plant):
        """Returns the faults that cause errors."""
        laid, rows, left = plant(kept)
        sure, unsure = set(left), set()
        errors = self.errors(room, laid, action)
        for path, line in errors:
            of = rows[path][line - 1][1] if path in rows else None
            if of and not isinstance(of, list):
                sure.add(of)
            else:
                unsure |= set((of or [fault for fault in kept if fault.path == path]))
        if errors and not sure | unsure:
            raise RuntimeError(f"{room} does not compile without a fault at {errors[0]}")
        return sure or unsure


def checked(checker, found, plant, jobs):
    """Returns the faults of each module that compile."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as workers:
        kept = workers.map(lambda room: checker.sound(room, found[room], plant), found)
        return dict(zip(found, kept))
