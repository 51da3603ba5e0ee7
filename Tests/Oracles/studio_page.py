"""Uses a running `deadzone studio` in a headless Chromium as a person would, and prints what the page shows as JSON.

usage: studio_page.py < {"address": "http://127.0.0.1:…/#token=…", "capture": "day.pcap", "downloads": "folder", "name": "mine.yaml",
                         "wrong": ["ping", "pnig"], "slider": "ping", "added": "timeout", "pictures": "folder or null"}
"""

import base64
import json
import os
import sys
import time

from browser import main

PATIENCE = 300


class Studio:
    def __init__(self, browser, address, width=1280, dark=False, stays_visible=True):
        self.browser = browser
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Network", "Log", "DOM"]:
            self.call(domain + ".enable")
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        # A hidden page does not run all replicas.
        if stays_visible:
            self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        self.resize(width)
        self.call("Page.navigate", url=address)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def resize(self, width):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=1000, deviceScaleFactor=1, mobile=False)

    def value(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True)
        if "exceptionDetails" in answer:
            sys.exit(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def until(self, expression):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if found := self.value(expression):
                return found
            time.sleep(0.02)
        sys.exit(f"never: {expression}; the page says {self.value('document.body.innerText')[:2000]}")

    def settled(self):
        """Waits for the results of all replicas."""
        return self.until("(/^\\d+ replicas$/.exec((document.getElementById('status') || {}).textContent) || [])[0]")

    def text(self):
        return self.value("document.querySelector('textarea').value")

    def select(self, words):
        """Selects the first occurrence in the editor."""
        self.value(f"(() => {{ const a = document.querySelector('textarea'), at = a.value.indexOf({json.dumps(words)});"
                   f"a.focus(); a.setSelectionRange(at, at + {len(words)}); }})()")

    def insert(self, words):
        self.call("Input.insertText", text=words)

    def key(self, name, code=None, modifiers=0):
        for kind in ["keyDown", "keyUp"]:
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=code or name, modifiers=modifiers,
                      windowsVirtualKeyCode={"ArrowRight": 39, "ArrowLeft": 37, "ArrowDown": 40, "Escape": 27, "Enter": 13, " ": 32}.get(name, 0))

    def picture(self, folder, name, full=False):
        if folder:
            data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=full)["data"]
            with open(os.path.join(folder, name + ".png"), "wb") as file:
                file.write(base64.b64decode(data))

    def look(self):
        """What a reader of the page sees."""
        return json.loads(self.value("""JSON.stringify({
          lanes: document.querySelectorAll('#timeline .strategy g.lane').length,
          tables: document.querySelectorAll('#results table').length,
          charts: [...document.querySelectorAll('#results figure.chart h3')].map(h => h.textContent),
          energy: Object.fromEntries([...document.querySelectorAll('#figures td[data-metric="battery.joules"]')]
            .map(j => [j.dataset.client, j.querySelector('data').value])),
          overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          inline: document.querySelectorAll('[style]:not(.offers):not(text),[onclick],[onload]').length,
          nameless: [...document.querySelectorAll('button,input,textarea,select')].filter(e => !(e.textContent.trim()
            || e.getAttribute('aria-label') || e.closest('label') || e.hidden)).length,
          sliders: document.querySelectorAll('.slider').length})"""))


def appears(folder, name):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if os.path.exists(os.path.join(folder, name)):
            return True
        time.sleep(0.02)
    sys.exit(f"{name} was never downloaded")


def use(browser, wish):
    found, pictures = {}, wish.get("pictures")
    studio = Studio(browser, wish["address"])
    studio.settled()
    found["first"] = studio.look()
    found["address"] = studio.value("location.href")
    studio.picture(pictures, "first")

    # A mistake: the error, its suggestion, and the click that applies it.
    right, wrong = wish["wrong"]
    before = studio.text()
    studio.select(right)
    studio.insert(wrong)
    found["message"] = studio.until("(document.querySelector('.faults .message') || {}).textContent")
    found["caret"] = studio.value("document.querySelector('.faults .caret').textContent")
    studio.picture(pictures, "error")
    studio.value("document.querySelector('.faults .apply').click()")
    studio.until("!document.querySelector('.faults li')")
    found["isMended"] = studio.text() == before
    studio.settled()

    # Completion: words of the schema at this place.
    studio.select(right)
    studio.value("(a => a.setSelectionRange(a.selectionStart, a.selectionStart))(document.querySelector('textarea'))")
    studio.key(" ", "Space", modifiers=2)
    found["offers"] = studio.value("[...document.querySelectorAll('.offers b')].map(b => b.textContent).join(' ')")
    studio.picture(pictures, "completion")
    studio.key("Escape")

    # A slider, by keyboard.
    studio.value(f"[...document.querySelectorAll('.client > .slider')].find(s => s.querySelector('span').textContent"
                 f" === {json.dumps(wish['slider'])}).querySelector('input').focus()")
    for _ in range(4):
        studio.key("ArrowRight")
    # Everything that the page says after the last key: a poll can miss a short state.
    studio.value("(() => { const status = document.getElementById('status'); window.said = [];"
                 " new MutationObserver(() => window.said.push(status.textContent)).observe(status, {childList: true, characterData: true,"
                 " subtree: true}); })()")
    studio.key("ArrowRight")
    studio.until("window.said.includes('all replicas …') && /^\\d+ replicas$/.test(window.said[window.said.length - 1])")
    found["moved"], found["text"] = studio.look(), studio.text()

    # A slider of the preset writes its key.
    studio.value("document.querySelectorAll('.sliders .preset').forEach(d => { d.open = true; })")
    studio.value(f"[...document.querySelectorAll('.sliders .preset .slider')].find(s => s.querySelector('span').textContent"
                 f" === {json.dumps(wish['added'])}).querySelector('input').focus()")
    for _ in range(3):
        studio.key("ArrowRight")
    studio.until(f"document.querySelector('textarea').value.includes({json.dumps(wish['added'] + ': ')})")
    studio.value("document.activeElement.blur()")
    studio.until("/^\\d+ replicas$/.test(document.getElementById('status').textContent)"
                 f" && ![...document.querySelectorAll('.sliders .preset .slider span')].some(s => s.textContent === {json.dumps(wish['added'])})")
    found["moved"], found["text"] = studio.look(), studio.text()

    # Files: exports, and a link in another tab.
    browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=wish["downloads"])
    for format, name in [("yaml", wish["name"]), ("html", "report.html"), ("json", "results.json")]:
        studio.value(f"document.querySelector('[data-export={format}]').click()")
        appears(wish["downloads"], name)
    studio.value("navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }")
    studio.value("document.querySelector('[data-export=link]').click()")
    other = Studio(browser, studio.until("window.copied"), width=390, dark=True)
    other.settled()
    found["linked"], found["narrow"] = other.text() == found["text"], other.look()
    other.picture(pictures, "narrow-dark", full=True)
    other.resize(1280)
    other.picture(pictures, "dark")

    # What if: a copy of the client that the slider belongs to.
    studio.value("document.querySelectorAll('.client .copy')[1].click()")
    studio.until("[...document.querySelectorAll('.client > summary')].some(l => l.textContent.includes('what-if'))")
    studio.settled()
    found["copied"] = studio.look()["energy"]

    # A recording.
    node = studio.call("DOM.getDocument")["root"]["nodeId"]
    node = studio.call("DOM.querySelector", nodeId=node, selector="#file")["nodeId"]
    studio.call("DOM.setFileInputFiles", nodeId=node, files=[wish["capture"]])
    studio.until("!document.getElementById('adopt').hidden && document.querySelectorAll('#dropped .lane').length")
    found["recordingLanes"] = studio.value("document.querySelectorAll('#dropped .lane').length")
    studio.picture(pictures, "recording")
    studio.value("window.confirm = () => true, document.getElementById('adopt').click()")
    studio.settled()
    found["recording"] = studio.text()
    found["errors"] = [e["params"].get("entry", e["params"]) for e in browser.events
                       if e.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")]
    origin = wish["address"].split("#")[0]
    found["requests"] = [url for e in browser.events if e.get("method") == "Network.requestWillBeSent"
                         and not (url := e["params"]["request"]["url"]).startswith((origin, "blob:", "data:"))]
    return found


if __name__ == "__main__":
    main(use)
