"""What all workloads share: clients that work side by side and write down what they saw."""

import random
import threading

import wire
from history import FAIL, INFO, OK, Operation

UP_AGAIN_SECONDS = 60


class Workload:
    """One kind of work and what must hold afterwards. Subclasses say what `tables`, `step` and `check` are."""

    name = None
    mutants = ()  # ways of mutants.py that `check` must notice
    notices_loss = True  # whether it must notice that acknowledged writes are gone after a kill
    way = None    # a proxy that belongs to the workload (see proxy.py)

    def __init__(self, seed):
        self.random = random.Random(seed)

    def tables(self):
        """CreateTable requests."""
        raise NotImplementedError

    def prepare(self, connection):
        """Writes what has to be there before the clients begin."""

    def step(self, client):
        """One client does one thing."""
        raise NotImplementedError

    def check(self, connection, operations):
        """Reads what is there in the end, with nobody else about; returns what is wrong, as sentences."""
        raise NotImplementedError


class Client(threading.Thread):
    """Does steps until told to stop. Its operations are its own until it has ended."""

    def __init__(self, number, workload, port, seed, limits):
        super().__init__(daemon=True)
        self.number, self.workload, self.limits = number, workload, limits
        self.connection = wire.Connection(port)
        self.random = random.Random(seed)
        self.operations = []
        self.failure = None

    def run(self):
        try:
            while not self.limits.reached():
                try:
                    self.workload.step(self)
                except wire.NotSent:
                    self.limits.await_server()
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error
            self.limits.stop()
        self.connection.close()

    def attempt(self, kind, arguments, call, request, expected=()):
        """Sends one request and records it: the operation, with the answer as result, or what it was refused with.

        Refusals other than those `expected` (names of exceptions) are failures of the test.
        """
        operation = Operation(self.number, kind, arguments)
        try:
            answer = self.connection.call(call, request)
        except wire.Refused as refusal:
            if refusal.code not in expected:
                raise
            operation.finish(FAIL, refusal)
        except wire.Unsure:
            operation.finish(INFO)
            self.limits.note_unsure()
        else:
            operation.finish(OK, answer)
            self.limits.note_answer()
        self.operations.append(operation)
        return operation


class Limits:
    """When to stop, shared by all clients: after some seconds, and not before some number of answers."""

    def __init__(self, answers_min, up):
        self.answers_min, self.up = answers_min, up
        self.answers = self.unsure = 0  # guarded by lock_
        self.time_is_up, self.stopped = threading.Event(), threading.Event()
        self.lock_ = threading.Lock()

    def reached(self):
        return self.stopped.is_set()

    def stop(self):
        self.stopped.set()

    def end_time(self):
        """The seconds are over; the clients go on if there are too few answers."""
        with self.lock_:
            self.time_is_up.set()
            if self.answers >= self.answers_min:
                self.stop()

    def note_answer(self):
        with self.lock_:
            self.answers += 1
            if self.time_is_up.is_set() and self.answers >= self.answers_min:
                self.stop()

    def note_unsure(self):
        with self.lock_:
            self.unsure += 1

    def await_server(self):
        if not self.up.wait(UP_AGAIN_SECONDS):
            raise AssertionError(f"the server did not come back within {UP_AGAIN_SECONDS} s")
