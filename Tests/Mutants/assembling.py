"""Assembles programs with drawn faults from a build without faults and the modules that have some.

A fault inside a function changes no interface, and this build inlines nothing across modules. So the objects of the
other modules and of the tests stay valid: only the modules with faults are compiled, each as a whole, and the programs
are linked again. One build without faults serves every seed.
"""

import concurrent.futures
import hashlib
import json
import pathlib
import re
import subprocess

import planting

PRODUCTS = {"deadzonePackageTests": "test", "deadzone": "exe"}


class Assembly:
    """The objects of modules with faults in a folder, and the programs that are linked from them."""

    def __init__(self, build, folder):
        self.build, self.folder = pathlib.Path(build), pathlib.Path(folder)
        self.manifest = (self.build / "release.yaml").read_text()
        self.objects = {}
        self.folder.mkdir(parents=True, exist_ok=True)
        for path, text in planting.MODULE.items():
            (self.folder / pathlib.Path(path).name).write_text(text)
        (self.folder / "module.modulemap").write_text('module CFaults { header "CFaults.h" export * }\n')
        self.run(["clang", "-O1", "-fPIC", "-c", "faults.c", "-o", "faults.o"])

    def run(self, command):
        done = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)[:200]}:\n{done.stdout[-4000:]}")

    def command(self, target, kind):
        """Returns the command with which SwiftPM compiles a module or links a product."""
        found = re.search(rf'"C\.{target}-(?:\w+-){{4}}release\.{kind}":.*?\n    args: (\[.*?\])\n', self.manifest, re.DOTALL)
        return json.loads(found[1])

    def compile(self, room, texts):
        """Compiles a module from these texts of its files; nothing if they are those of the last time."""
        mark, stored = hashlib.sha256(json.dumps(texts).encode()).hexdigest(), self.folder / f"{room}.mark"
        self.objects[room] = self.folder / f"{room}.o"
        if stored.is_file() and stored.read_text() == mark:
            return
        files = []
        for path, text in texts.items():
            files.append(self.folder / path)
            files[-1].parent.mkdir(parents=True, exist_ok=True)
            files[-1].write_text(text)
        self.run([*self.flags(room), "-suppress-warnings", "-wmo", "-I", str(self.folder), "-o", str(self.objects[room]),
                  *map(str, files)])
        stored.write_text(mark)

    def flags(self, room):
        """Returns the command that compiles a module, without its files, its outputs and what incremental builds need."""
        words, kept, skipped = self.command(f"Deadzone{room}", "module"), [], 0
        for word in words:
            if word in ("-emit-module-path", "-output-file-map", "-index-store-path", "-emit-objc-header-path",
                        "-num-threads"):
                skipped = 2
            elif word in ("-emit-module", "-emit-dependencies", "-incremental", "-enable-batch-mode", "-serialize-diagnostics",
                          "-parseable-output", "-emit-objc-header", "-warnings-as-errors") or word.startswith("@"):
                skipped = 1
            if skipped == 0:
                kept.append(word)
            skipped = max(0, skipped - 1)
        return kept

    def link(self, product):
        """Links a product, with the objects of the modules that have faults instead of those of the build."""
        words, program = self.command(product, PRODUCTS[product]), self.folder / product
        listed = next(word for word in words if word.startswith("@"))
        names = re.findall(r"[^\s'\"]+", pathlib.Path(listed[1:]).read_text())
        names = [name for name in names if not any(f"/Deadzone{room}.build/" in name for room in self.objects)]
        own = self.folder / f"{product}.list"
        own.write_text("\n".join([*names, *map(str, self.objects.values()), str(self.folder / "faults.o")]))
        words[words.index(listed)] = f"@{own}"
        words[words.index("-o") + 1] = str(program)
        self.run(words)
        return program

    def assemble(self, rooms, jobs):
        """Compiles these modules and links all products. Returns the programs by product."""
        with concurrent.futures.ThreadPoolExecutor(jobs) as workers:
            list(workers.map(lambda room: self.compile(room, rooms[room]), rooms))
        return {product: self.link(product) for product in PRODUCTS}
