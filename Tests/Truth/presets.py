"""The presets: the version that each was read at, and why some have no client that can run here."""
import re
from pathlib import Path

FOLDER = Path(__file__).parent.parent.parent / "Scenarios/strategies"

OWN = "a strategy of this project or of an article: there is no library"
ANDROID = "needs Android"
IOS = "needs iOS"
# Presets without a client in clients.py.
UNRUN = {
    "article-grpc-fixed": OWN, "article-grpc-kotlin": OWN, "article-grpc-swift": OWN, "article-websocket": OWN,
    "article-websocket-aggressive": OWN, "article-websocket-code": OWN, "article-websocket-push": OWN, "deadzone-recommended": OWN,
    "websocket-naive": OWN, "rest-polling-1s": OWN, "rest-polling-30s": OWN,
    "discord-gateway": "a documentation; `discord.py` is a client of it",
    "fcm": "closed source: a part of Google Play services",
    "grpc-android-okhttp": ANDROID, "grpc-ios-cfstream": IOS, "grpc-ios-monitor": IOS, "grpc-ios-tcp": IOS,
    "grpc-spec": "a specification; `grpc-core`, `grpc-go` and `grpc-java` follow it",
    "grpc-swift-1": "written in Swift, with packages that no index has here",
    "grpc-swift-2": "written in Swift, with packages that no index has here",
    "quic-migrating": "a specification; the rows about QUIC compare aioquic with it",
    "signal-android": ANDROID,
    "wechat-mars": "written in C++ for Android and iOS",
    "xmpp-sm": "a specification; `slixmpp` is a client without it",
}


def names():
    return sorted(file.stem for file in FOLDER.glob("*.yaml"))


def source(name):
    """Returns the text of the preset's sources in one line."""
    found = re.search(r"^source:\n(.*?)^\w", (FOLDER / f"{name}.yaml").read_text(), re.M | re.S)
    return " ".join(found[1].split()) if found else ""


def read_at(name):
    """Returns the first version in the sources of a preset: a commit, or a version of a package."""
    text = source(name)
    commit = re.search(r"\bat ([0-9a-f]{7,40})\b(?: \(([^)]*)\))?", text)
    if commit:
        return commit[1][:7] + (f" ({commit[2]})" if commit[2] else "")
    package = re.search(r"\b[\w.-]+ (\d+\.\d[\w.]*) \(PyPI\)", text)
    return package[1] if package else ""


def missing(run):
    """Returns the presets that are neither run nor in the list of those that cannot be."""
    return sorted(set(names()) - set(run) - set(UNRUN))
