"""Go and Java clients from Debian packages: their dependencies and how they are built. Clients that are not installed
are skipped."""
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from worlds import PROGRAMS

BUILT = PROGRAMS.parent.parent.parent / ".build/truth-programs"
JAVA = Path("/usr/share/java")
GO = Path("/usr/share/gocode")
# No optimising compilation: a client mostly waits.
RUNTIME = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx64m")


@dataclass(frozen=True)
class Program:
    package: str
    """The package that determines the version."""
    source: str
    jars: tuple = ()
    """Patterns of jars in /usr/share/java; empty for a Go program."""

    @property
    def name(self):
        return self.source.split(".")[0]

    @property
    def version(self):
        """The Debian version; None if the package is not installed."""
        if not shutil.which("dpkg-query"):
            return None
        asked = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}", self.package], capture_output=True, text=True)
        status, _, version = asked.stdout.partition(" ")
        return version if status == "installed" else None

    @property
    def path(self):
        return ":".join(map(str, [BUILT, *sorted(jar for pattern in self.jars for jar in JAVA.glob(pattern))]))

    @property
    def command(self):
        return ["java", *RUNTIME, "-cp", self.path, self.name] if self.jars else [str(BUILT / self.name)]

    def build(self):
        """Builds the program. Returns True if it is available; otherwise prints the reason."""
        compiler = "javac" if self.jars else "go"
        missing = None if shutil.which(compiler) else compiler
        missing = missing or (None if self.version else self.package)
        if missing:
            print(f"left out: {self.name}, as there is no {missing}", file=sys.stderr)
            return False
        BUILT.mkdir(parents=True, exist_ok=True)
        source = str(PROGRAMS / self.source)
        if self.jars:
            words, more = ["javac", "-d", str(BUILT), "-cp", self.path, source], {}
        else:
            words = ["go", "build", "-o", str(BUILT / self.name), source]
            more = {"GO111MODULE": "off", "GOPATH": str(GO), "GOCACHE": str(BUILT / "cache"), "GOFLAGS": "", "GOPROXY": "off"}
        subprocess.run(words, check=True, env=os.environ | more)
        return True


GRPC_GO = Program("golang-google-grpc-dev", "grpc.go")
GRPC_JAVA = Program("libgrpc-java", "GrpcJava.java", (
    "grpc-api.jar", "grpc-core.jar", "grpc-netty.jar", "grpc-context.jar", "netty-[a-z]*[a-z].jar", "guava.jar", "perfmark-api.jar"))
OKHTTP = Program("libokhttp-java", "OkHttpSocket.java", ("okhttp.jar", "okio.jar"))
NATS_GO = Program("golang-github-nats-io-go-nats-dev", "nats.go")
