"""The herd of peers.py with salabim. usage: herd_salabim.py CLIENTS"""

import random
import sys

import salabim

COUNT, DELAY, END = int(sys.argv[1]), 0.05, 180
random.seed(1)
salabim.yieldless(False)
world = salabim.Environment(trace=False)
server = salabim.Resource("server", monitor=False)
totals = {"opened": 0, "answered": 0, "received": 0}


class Client(salabim.Component):
    def process(self):
        """Connects, loses the connection after a minute, before the first ping, connects again, and pings."""
        yield from self.connect()
        yield self.hold(till=60)
        self.is_open = False
        yield from self.connect()
        while True:
            yield from self.ping()

    def connect(self):
        yield self.hold(DELAY)
        yield self.request(server, fail_delay=30)
        yield self.hold(10 / COUNT)
        self.release(server)
        yield self.hold(DELAY)
        self.is_open = True
        totals["opened"] += 1

    def ping(self):
        yield self.hold(60)
        Answer(client=self)
        # The answer ends this wait.
        yield self.hold(10)


class Answer(salabim.Component):
    def setup(self, client):
        self.client = client

    def process(self):
        yield self.hold(DELAY)
        yield self.hold(DELAY)
        totals["answered"] += 1
        self.client.activate()


class Messages(salabim.Component):
    def setup(self, client):
        self.client = client

    def process(self):
        while True:
            yield self.hold(random.expovariate(1 / 60))
            if self.client.is_open:
                Message()


class Message(salabim.Component):
    def process(self):
        yield self.hold(DELAY)
        totals["received"] += 1


for _ in range(COUNT):
    client = Client()
    client.is_open = False
    Messages(client=client)
world.run(END)
print(*totals.values())
