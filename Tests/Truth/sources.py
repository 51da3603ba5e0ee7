"""JavaScript and Java clients that run from the sources of their public repositories, at the commits named here. Clients
whose repository or tools are missing are skipped."""
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from debian import BUILT, RUNTIME
from worlds import PROGRAMS

# A folder of Git repositories, each `owner+name/repo`. Without it they are cloned.
REPOSITORIES = os.environ.get("DEADZONE_REPOSITORIES")
# Debian's JavaScript packages.
MODULES = Path("/usr/share/nodejs")


@dataclass(frozen=True)
class Repository:
    name: str
    commit: str
    paths: tuple = ()
    """Only these paths are checked out; empty for all."""

    @property
    def label(self):
        return self.name.replace("/", "+")

    @property
    def folder(self):
        return BUILT / "sources" / f"{self.label}-{self.commit}"

    def git(self):
        """Returns a Git directory that has the commit, or None."""
        own = Path(REPOSITORIES) / self.label / "repo" if REPOSITORIES else BUILT / "repositories" / self.label
        if not own.exists() and not REPOSITORIES:
            address = f"https://github.com/{self.name}"
            cloned = subprocess.run(["git", "clone", "-q", "--bare", "--filter=blob:none", address, str(own)], capture_output=True)
            if cloned.returncode:
                shutil.rmtree(own, ignore_errors=True)
        return own if own.exists() else None

    def check_out(self):
        """Returns True if the files are there."""
        if self.folder.exists():
            return True
        git = self.git()
        archived = git and subprocess.run(["git", "-C", str(git), "archive", self.commit, *self.paths], capture_output=True)
        if not archived or archived.returncode:
            return False
        self.folder.mkdir(parents=True)
        subprocess.run(["tar", "-x", "-C", str(self.folder)], input=archived.stdout, check=True)
        return True


@dataclass(frozen=True)
class Script:
    """A file of Programs/scripts, bundled with a library from its sources."""
    library: str
    number: str
    """The version number, if the commit has one."""
    repositories: tuple
    aliases: dict
    """Module names, and the files in the first repository that have this name, or in another: (number, file)."""
    modules: tuple = ()
    """Debian's modules that it needs."""
    unused: tuple = ()
    """Modules that it imports, and that its program here never uses."""
    is_copy: bool = False
    """True if the repository has a distributed file of a library that is developed elsewhere."""

    @property
    def version(self):
        if self.is_copy:
            return self.number
        commit = self.repositories[0].commit[:7]
        return f"{self.number} at {commit}" if self.number else f"at {commit}"

    @property
    def path(self):
        return BUILT / f"{self.library}.js"

    @property
    def command(self):
        return ["env", f"NODE_PATH={MODULES}", "node", "--max-old-space-size=64", str(self.path)]

    def file(self, place):
        number, file = (0, place) if isinstance(place, str) else place
        return self.repositories[number].folder / file

    def build(self):
        """Bundles the program. Returns True if it is available; otherwise prints the reason."""
        missing = [tool for tool in ("node", "esbuild", "git") if not shutil.which(tool)]
        missing += [f"node-{module}" for module in self.modules if not (MODULES / module).exists()]
        missing = missing or [one.name for one in self.repositories if not one.check_out()]
        if missing:
            print(f"left out: {self.library}, as there is no {missing[0]}", file=sys.stderr)
            return False
        # Settings of the library's own compiler would name packages that are not here.
        settings = BUILT / "settings.json"
        settings.write_text(json.dumps({"compilerOptions": {"target": "ES2022", "experimentalDecorators": True}}))
        words = ["esbuild", str(PROGRAMS / "scripts" / f"{self.library}.js"), "--bundle", "--platform=node", f"--outfile={self.path}",
                 f"--tsconfig={settings}", "--log-level=error", "--external:bufferutil", "--external:utf-8-validate",
                 # Firestore chooses its platform by a variable.
                 '--define:process.env.TEST_PLATFORM="node"', "--minify-syntax"]
        words += [f"--alias:{name}={self.file(place)}" for name, place in self.aliases.items()]
        words += [f"--alias:{name}={PROGRAMS / 'scripts/nothing.js'}" for name in self.unused]
        subprocess.run(words, check=True, env=os.environ | {"NODE_PATH": str(MODULES)})
        return True


@dataclass(frozen=True)
class JavaSource:
    """A Java program of this folder, compiled together with its library."""
    source: str
    repository: Repository
    number: str
    roots: tuple
    """The folders of the library's sources."""

    @property
    def name(self):
        return self.source.split(".")[0]

    @property
    def version(self):
        return f"{self.number} at {self.repository.commit[:7]}"

    @property
    def classes(self):
        return BUILT / f"{self.name}-classes"

    @property
    def command(self):
        resources = {str((self.repository.folder / root).parent / "resources") for root in self.roots}
        path = ":".join([str(self.classes), *sorted(resources), *(str(self.repository.folder / root) for root in self.roots)])
        return ["java", *RUNTIME, "-cp", path, self.name]

    def build(self):
        missing = None if shutil.which("javac") else "javac"
        missing = missing or (None if self.repository.check_out() else self.repository.name)
        if missing:
            print(f"left out: {self.name}, as there is no {missing}", file=sys.stderr)
            return False
        self.classes.mkdir(parents=True, exist_ok=True)
        files = [str(file) for root in self.roots for file in sorted((self.repository.folder / root).rglob("*.java"))]
        subprocess.run(["javac", "-nowarn", "-d", str(self.classes), *files, str(PROGRAMS / self.source)], check=True,
                       stderr=subprocess.DEVNULL)
        return True


@dataclass(frozen=True)
class Formula:
    """A class of AWS' simulator whose waits a loop of attempts sleeps."""
    name: str

    repository = Repository("aws-samples/aws-arch-backoff-simulator", "66cb169")

    @property
    def version(self):
        return f"at {self.repository.commit}"

    @property
    def command(self):
        return [sys.executable, str(PROGRAMS / "aws.py"), str(self.repository.folder / "src/backoff_simulator.py"), self.name]

    def build(self):
        if not self.repository.check_out():
            print(f"left out: {self.name}, as there is no {self.repository.name}", file=sys.stderr)
            return False
        return True


RECONNECTING = Script(
    "reconnecting-websocket", "4.4.0", (Repository("pladaria/reconnecting-websocket", "05a2f7cb", ("*.ts",)),),
    {"library": "reconnecting-websocket.ts"}, ("ws",))
GRAPHQL = Script("graphql-ws", "6.2.0", (Repository("enisdenjo/graphql-ws", "af4f5c9", ("src",)),), {"library": "src/client.ts"}, ("ws",))
PHOENIX = Script("phoenix", "1.9.0-dev", (Repository("phoenixframework/phoenix", "167c469", ("assets/js",)),),
                 {"library": "assets/js/phoenix/index.js"}, ("ws",))
SUPABASE = Script(
    "supabase-realtime", "", (
        Repository("supabase/supabase-js", "381bded5", ("packages/core/realtime-js/src",)),
        Repository("supabase/phoenix", "94ab442e7", ("assets/js",))),
    {"library": "packages/core/realtime-js/src/index.ts", "@supabase/phoenix": (1, "assets/js/phoenix/index.js")}, ("ws", "tslib"))
PUSHER = Script("pusher-js", "8.6.0", (Repository("pusher/pusher-js", "f53faf9", ("dist/node",)),), {"library": "dist/node/pusher.js"})
CENTRIFUGE = Script("centrifuge-js", "5.7.1", (Repository("centrifugal/centrifuge-js", "c9e8678", ("src",)),), {"library": "src/index.ts"}, ("ws",))
ACTION_CABLE = Script(
    "actioncable", "", (Repository("rails/rails", "2a2db1e8d6d", ("actioncable/app/javascript",)),),
    {"library": "actioncable/app/javascript/action_cable/index.js",
     "monitor": "actioncable/app/javascript/action_cable/connection_monitor.js"}, ("ws",))
SOCKET_IO = Script(
    "socket.io", "4.8.3", (Repository("socketio/socket.io", "d2d753f", ("packages/socket.io-client/dist",)),),
    {"library": "packages/socket.io-client/dist/socket.io.js"}, ("ws",))
SIGNALR = Script(
    # The repository of the library is too large for many machines; this one has its distributed file.
    "signalr", "6.0.0", (Repository("natandovale/notifications-in-real--time-signalr", "bedd628", ("wwwroot/lib/microsoft",)),),
    {"library": "wwwroot/lib/microsoft/signalr/dist/browser/signalr.js"}, ("ws", "eventsource", "node-fetch"), is_copy=True)
SLACK = Script(
    "slack-socket-mode", "3.0.0", (
        Repository("slackapi/node-slack-sdk", "4322e14f", ("packages/socket-mode", "packages/web-api", "packages/logger", "packages/types")),
        Repository("nodejs/undici", "v7.29.0", ("index.js", "lib", "package.json")),
        Repository("sindresorhus/p-retry", "e11ca9c"), Repository("sindresorhus/p-queue", "180ab9e", ("source",)),
        Repository("sindresorhus/p-timeout", "f9ced5e"), Repository("sindresorhus/is-network-error", "b119a91")),
    {"library": "packages/socket-mode/src/index.ts", "@slack/web-api": "packages/web-api/src/index.ts",
     "@slack/logger": "packages/logger/src/index.ts", "undici": (1, "index.js"), "p-retry": (2, "index.js"),
     "p-queue": (3, "source/index.ts"), "p-timeout": (4, "index.js"), "is-network-error": (5, "index.js")},
    ("eventemitter3", "retry"), ("@slack/types",))
ABLY = Script(
    "ably", "2.26.0", (
        Repository("ably/ably-js", "7fa7dc59", ("src", "package.json")), Repository("lukeed/dequal", "37c21f6", ("src",)),
        Repository("ulid/javascript", "11c2067", ("source",))),
    {"library": "src/platform/nodejs/index.ts", "dequal": (1, "src/index.js"), "ulid": (2, "source/index.ts"),
     "common": "src/common", "plugins": "src/plugins", "platform": "src/platform"}, ("ws", "got"), ("@ably/msgpack-js",))
_FIREBASE = Repository("firebase/firebase-js-sdk", "6f865964ba", tuple(
    f"packages/{name}" for name in ("*/package.json", "app", "component", "database", "firestore/src", "logger", "util")))
_SHARED = {f"@firebase/{name}": f"packages/{name}/index.ts" for name in ("component", "logger")} | {
    "@firebase/util": "packages/util/index.node.ts", "@firebase/app": "packages/app/src/index.ts"}
FIREBASE = Script("firebase-rtdb", "1.1.5", (_FIREBASE,), _SHARED | {"library": "packages/database/src/index.node.ts"}, ("faye-websocket", "tslib"), ("idb",))
FIRESTORE = Script("firestore", "", (_FIREBASE,), _SHARED | {
    "library": "packages/firestore/src/remote/persistent_stream.ts", "queue": "packages/firestore/src/util/async_queue_impl.ts"}, ("tslib",),
    ("idb", "re2js", "@firebase/webchannel-wrapper/bloom-blob", "@firebase/webchannel-wrapper/webchannel-blob",
     "@grpc/grpc-js", "@grpc/proto-loader", "protobufjs"))
PAHO_JAVA = JavaSource(
    "PahoJava.java", Repository("eclipse-paho/paho.mqtt.java", "9c742c1d", ("org.eclipse.paho.client.mqttv3/src/main",)), "1.2.6",
    ("org.eclipse.paho.client.mqttv3/src/main/java", "org.eclipse.paho.client.mqttv3/src/main/java-templates"))
