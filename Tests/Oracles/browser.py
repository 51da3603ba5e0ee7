"""Opens pages from disk in a headless Chromium, with one start of the browser, and prints the results of each as JSON.

usage: browser.py < {"pages": [{"file": "...", "scripts": true, "dark": false, "width": 1280, "hash": "", "points": []}]}

Points are user actions on the lanes: a number moves the pointer to that share of the time axis, a word presses that button;
"told" is the resulting text of the readout, or of the ruler.

Speaks the DevTools protocol over the two pipes of --remote-debugging-pipe: no port, no driver, no other package.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

COUNT = """(() => {
  const all = what => document.querySelectorAll(what).length;
  const box = document.documentElement;
  return JSON.stringify({
    title: document.title, lanes: all('.strategy g.lane'), blocks: all('.strategy'), figures: all('figure.chart'),
    cards: all('.card'), tables: all('table'), images: all('img,link,iframe,object,embed'), scripts: all('script'),
    inline: all('[style],[onclick],[onload],[onerror]'), text: document.body.innerText.length,
    changes: all('svg.change[role=img]'), zombies: all('path.k-zombie'), rules: all('path.rule'), titles: all('svg[role=img]'),
    untitled: [...document.querySelectorAll('figure svg[role=img]')].filter(s => !s.querySelector('title')).length,
    controls: [...document.querySelectorAll('.controls')].filter(c => !c.hidden).length,
    view: (document.querySelector('svg.time') || {getAttribute() { return ''; }}).getAttribute('viewBox'),
    skips: [...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(h => +h.tagName[1])
      .filter((level, index, levels) => level > (index ? levels[index - 1] : 0) + 1).length,
    nameless: [...document.querySelectorAll('th')].filter(t => !t.textContent.trim()).length,
    overflow: box.scrollWidth - box.clientWidth,
    small: [...document.querySelectorAll('svg text')].filter(t => t.getClientRects().length
      && parseFloat(getComputedStyle(t).fontSize) * Math.abs(t.getScreenCTM().d) < 8.5).length,
    clipped: [...document.querySelectorAll('.wide')].filter(w => w.innerText.trim() && w.scrollWidth > w.clientWidth + 1).length,
    scrolling: [...document.querySelectorAll('figure.chart > .wide')].filter(w => w.scrollWidth > w.clientWidth + 1).length,
    verdicts: Math.max(0, ...[...document.querySelectorAll('.changes .sign')].map(c => c.getBoundingClientRect().right)),
    flowEnergy: Math.max(0, ...[...document.querySelectorAll('.flows td:nth-child(2)')]
      .map(c => c.getBoundingClientRect().right)),
    paper: getComputedStyle(document.body).backgroundColor, bold: [...document.querySelectorAll('b,h1')].map(b => b.textContent).join('|'),
  });
})()"""


POINT = """((point) => {
  const lanes = document.querySelector('.lanes');
  if (typeof point === 'string') {
    document.querySelector(`.controls [data-do=${point}]`).click();
    return [...lanes.querySelectorAll('.ticks text')].map(t => t.textContent).join(' ');
  }
  const box = lanes.querySelector('svg.block').getBoundingClientRect();
  const [gutter, plot, full] = [132, 980, 1120];
  lanes.dispatchEvent(new PointerEvent('pointermove', {bubbles: true, clientY: box.top + 5,
    clientX: box.left + (gutter + plot * point) / full * box.width}));
  return lanes.closest('.part').querySelector('.readout').textContent;
})"""


class Browser:
    def __init__(self):
        program = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
        if program is None:
            sys.exit("no Chromium here")
        self.home = tempfile.mkdtemp()
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()

        def plug():
            # Copy both first: the numbers may be 3 and 4 already.
            a, b = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-pipe",
             "--disable-background-networking", "--user-data-dir=" + self.home, "about:blank"],
            close_fds=False, preexec_fn=plug, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.input, self.output = os.fdopen(ours_in, "rb"), os.fdopen(ours_out, "wb")
        self.number, self.events = 0, []

    def read(self):
        text = bytearray()
        while (byte := self.input.read(1)) not in (b"\0", b""):
            text += byte
        return json.loads(text)

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self.output.write(json.dumps(message).encode() + b"\0")
        self.output.flush()
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait(self, method, session):
        while True:
            for event in self.events:
                if event.get("method") == method and event.get("sessionId") == session:
                    return event
            self.events.append(self.read())

    def look(self, page):
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Network", "Log"]:
            self.call(domain + ".enable", session)
        self.call("Emulation.setScriptExecutionDisabled", session, value=not page.get("scripts", True))
        scheme = "dark" if page.get("dark") else "light"
        self.call("Emulation.setEmulatedMedia", session, features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Emulation.setDeviceMetricsOverride", session, width=page.get("width", 1280), height=1000,
                  deviceScaleFactor=1, mobile=False)
        address = "file://" + page["file"] + page.get("hash", "")
        self.call("Page.navigate", session, url=address)
        self.wait("Page.loadEventFired", session)
        # Scripts of the page stay off; the query uses the protocol instead.
        found = json.loads(self.call("Runtime.evaluate", session, expression=COUNT)["result"]["value"]) \
            if page.get("scripts", True) else self.silent(session)
        found["told"] = [self.call("Runtime.evaluate", session, expression=f"{POINT}({json.dumps(point)})")["result"]["value"]
                         for point in page.get("points", [])]
        found["requests"] = [e["params"]["request"]["url"] for e in self.events if e.get("method") == "Network.requestWillBeSent"
                             and not e["params"]["request"]["url"].startswith(address.split("#")[0])]
        found["errors"] = [e["params"].get("entry", e["params"]) for e in self.events
                           if e.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")]
        self.call("Target.closeTarget", targetId=target)
        return found

    def silent(self, session):
        """Without scripts, the page is read as a tree of nodes."""
        self.call("Emulation.setScriptExecutionDisabled", session, value=False)
        return json.loads(self.call("Runtime.evaluate", session, expression=COUNT)["result"]["value"])


    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)


def main(use):
    """Prints what `use` finds with a browser and with the wish on the standard input, as JSON."""
    wish = json.load(sys.stdin)
    browser = Browser()
    try:
        print(json.dumps(use(browser, wish)))
    finally:
        browser.close()


if __name__ == "__main__":
    main(lambda browser, wish: [browser.look(page) for page in wish["pages"]])
