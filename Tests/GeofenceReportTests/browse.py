#!/usr/bin/python3
"""Opens a page in Chromium, without a window, and does what a list of steps says.

  browse.py PAGE <steps.json

Standard input is an array of steps, each an object with one key: "view" (width, height, dark, touch and
paper),
"read" (an expression, whose value is told), "point" and "press" (the selector of an element, for the
mouse), "tap" (the same for a finger), "key" (the name of a key), "picture" and "print" (the file to
write a PNG or a PDF to). Standard output is an object: "values" of what was read, in order; "requests",
the addresses that the page asked for; and "problems", what it wrote to the console as an error, and
the exceptions that nobody caught.

Speaks the DevTools protocol over a pipe; when that closes, the browser ends by itself.
"""

import base64
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

TIMEOUT = 480
KEYS = {
    "Tab": 9, "Enter": 13, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
    "ArrowDown": 40,
}


class Browser:
    """A Chromium with a profile of its own, and one page in it."""

    def __init__(self, profile):
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()
        program = shutil.which("chromium") or shutil.which("chromium-browser")

        def give_pipe():
            # The browser reads from 3 and writes to 4; first out of each other's way.
            reading, writing = os.dup(to_browser), os.dup(from_browser)
            os.dup2(reading, 3)
            os.dup2(writing, 4)
            os.set_inheritable(3, True)
            os.set_inheritable(4, True)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe",
             "--disable-background-networking", "--disable-component-update",
             f"--user-data-dir={profile}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "TMPDIR": profile}, preexec_fn=give_pipe, close_fds=False, start_new_session=True)
        os.close(to_browser)
        os.close(from_browser)
        self.number = 0
        self.rest = b""
        self.events = []
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call(
            "Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def end(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            reply = self.receive()
            if reply.get("id") == self.number:
                if "error" in reply:
                    raise RuntimeError(f"{method}: {reply['error']['message']}")
                return reply["result"]
            self.events.append(reply)

    def receive(self):
        while b"\0" not in self.rest:
            piece = os.read(self.input, 1 << 20)
            if not piece:
                raise RuntimeError("the browser has ended")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def wait_for(self, method):
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.receive())

    def read(self, expression):
        result = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def settle(self):
        """Waits until what was done has been drawn."""
        self.read("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def middle(self, selector):
        place = self.read(
            f"(() => {{ const one = document.querySelector({json.dumps(selector)});"
            "if (!one) return null; one.scrollIntoView({block: 'nearest'});"
            "const box = one.getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]; })()")
        if place is None:
            raise RuntimeError(f"there is no {selector}")
        return place

    def mouse(self, kind, place, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], **more)

    def view(self, width, height, dark=False, touch=False, paper=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=2 if touch else 1, mobile=touch)
        self.call("Emulation.setTouchEmulationEnabled", enabled=touch)
        self.call("Emulation.setEmulatedMedia", media="print" if paper else "", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def step(self, name, value):
        if name == "view":
            self.view(**value)
        elif name == "read":
            return self.read(value)
        elif name == "point":
            place = self.middle(value)
            self.mouse("mouseMoved", (0, 0))
            self.mouse("mouseMoved", place)
        elif name == "press":
            place = self.middle(value)
            for kind in ("mousePressed", "mouseReleased"):
                self.mouse(kind, place, button="left", clickCount=1)
        elif name == "tap":
            x, y = self.middle(value)
            self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
            self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        elif name == "key":
            code = KEYS.get(value, 0)
            for kind in ("keyDown", "keyUp"):
                self.call("Input.dispatchKeyEvent", type=kind, key=value, code=value,
                          windowsVirtualKeyCode=code,
                          **({"text": value} if len(value) == 1 and kind == "keyDown" else {}))
        elif name == "picture":
            shot = self.call("Page.captureScreenshot", captureBeyondViewport=False)
            pathlib.Path(value).write_bytes(base64.b64decode(shot["data"]))
        elif name == "print":
            page = self.call("Page.printToPDF", printBackground=True)
            pathlib.Path(value).write_bytes(base64.b64decode(page["data"]))
        else:
            raise RuntimeError(f"no step is called {name}")
        self.settle()
        return None


def browse(page, steps, profile):
    browser = Browser(profile)
    try:
        for domain in ("Page", "Runtime", "Network", "Log"):
            browser.call(f"{domain}.enable")
        if "view" in steps[0]:
            browser.step("view", steps[0]["view"])
        browser.call("Page.navigate", url=pathlib.Path(page).resolve().as_uri())
        browser.wait_for("Page.loadEventFired")
        browser.settle()
        values = []
        for step in steps:
            (name, value), = step.items()
            told = browser.step(name, value)
            if name == "read":
                values.append(told)
        told = {"values": values, "requests": [], "problems": []}
        for event in browser.events:
            method, details = event.get("method"), event.get("params", {})
            if method == "Network.requestWillBeSent":
                told["requests"].append(details["request"]["url"])
            elif method == "Runtime.exceptionThrown":
                told["problems"].append(json.dumps(details["exceptionDetails"]))
            elif method == "Runtime.consoleAPICalled" and details["type"] in ("error", "warning"):
                told["problems"].append(json.dumps(details["args"]))
            elif method == "Log.entryAdded" and details["entry"]["level"] in ("error", "warning"):
                told["problems"].append(details["entry"]["text"])
        return told
    finally:
        browser.end()


def main():
    def too_late(*_):
        raise RuntimeError(f"the browser took longer than {TIMEOUT} s")

    signal.signal(signal.SIGALRM, too_late)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    signal.alarm(TIMEOUT)
    steps = json.load(sys.stdin)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        print(json.dumps(browse(sys.argv[1], steps, profile)))


if __name__ == "__main__":
    main()
