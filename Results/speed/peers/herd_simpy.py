"""The herd of peers.py with SimPy. usage: herd_simpy.py CLIENTS"""

import random
import sys

import simpy

COUNT, DELAY, END = int(sys.argv[1]), 0.05, 180
random.seed(1)
world = simpy.Environment()
server = simpy.Resource(world, capacity=1)
totals = {"opened": 0, "answered": 0, "received": 0}


class Client:
    def __init__(self):
        self.is_open = False
        self.loss = world.timeout(60)
        world.process(self.run())
        world.process(self.send())

    def run(self):
        while True:
            accepted = world.process(self.connect())
            yield accepted | world.timeout(30)
            if accepted.triggered:
                yield from self.ping()
                self.loss = world.event()

    def connect(self):
        yield world.timeout(DELAY)
        with server.request() as turn:
            yield turn
            yield world.timeout(10 / COUNT)
        yield world.timeout(DELAY)
        self.is_open = True
        totals["opened"] += 1

    def ping(self):
        """Pings until the connection is lost."""
        while True:
            yield world.timeout(60) | self.loss
            if self.loss.processed:
                break
            answer = world.process(self.answer())
            yield answer | world.timeout(10)
        self.is_open = False

    def answer(self):
        yield world.timeout(DELAY)
        yield world.timeout(DELAY)
        totals["answered"] += 1

    def send(self):
        while True:
            yield world.timeout(random.expovariate(1 / 60))
            if self.is_open:
                world.process(self.receive())

    def receive(self):
        yield world.timeout(DELAY)
        totals["received"] += 1


clients = [Client() for _ in range(COUNT)]
world.run(END)
print(*totals.values())
