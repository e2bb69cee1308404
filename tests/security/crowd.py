"""Crowd: many connections at once that do little or nothing."""

import select
import time

import wire


class Crowd:
    """Usable as a context manager; all that are still open are closed at its end."""

    def __init__(self):
        self.open = {}  # by descriptor
        self.heard = {}  # descriptor: bytes
        self.gone = {}  # descriptor: seconds since the crowd began
        self._begin = time.monotonic()
        self._poll = select.poll()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for connection in self.open.values():
            connection.close()

    def __len__(self):
        return len(self.open)

    def join(self, port, count, first=b""):
        """That many connections, each of which says `first`: their descriptors."""
        joined = []
        for _ in range(count):
            connection = wire.connect(port)
            connection.setblocking(False)
            descriptor = connection.fileno()
            self.open[descriptor], self.heard[descriptor] = connection, b""
            self._poll.register(descriptor, select.POLLIN)
            joined.append(descriptor)
        self.say(first, joined)
        return joined

    def say(self, data, descriptors=None):
        """From each of them that is still there; what does not fit into its buffer is left out."""
        for descriptor in list(self.open) if descriptors is None else descriptors:
            if data and descriptor in self.open:
                self._send(descriptor, data)

    def listen(self, seconds):
        """Takes what arrives within this time; returns when all are gone."""
        until = time.monotonic() + seconds
        while self.open and time.monotonic() < until:
            for descriptor, _ in self._poll.poll(max(0, until - time.monotonic()) * 1000):
                self._take(descriptor)

    def trickle(self, says, pause_seconds, patience_seconds, meanwhile):
        """Has groups of them say a little every few seconds, [(what, descriptors)], until all are gone or patience is
        over; each time `meanwhile` is called."""
        until = time.monotonic() + patience_seconds
        while self.open and time.monotonic() < until:
            self.listen(pause_seconds)
            for data, descriptors in says:
                self.say(data, descriptors)
            meanwhile()

    def send_all(self, data, seconds):
        """The same from each, however long it is, while listening; until all have sent it or are gone."""
        until = time.monotonic() + seconds
        left = {descriptor: memoryview(data) for descriptor in self.open}
        for descriptor in left:
            self._poll.modify(descriptor, select.POLLIN | select.POLLOUT)
        while left and time.monotonic() < until:
            for descriptor, events in self._poll.poll(max(0, until - time.monotonic()) * 1000):
                if events & ~select.POLLOUT:
                    self._take(descriptor)
                if descriptor in self.open and descriptor in left:
                    left[descriptor] = left[descriptor][self._send(descriptor, left[descriptor]):]
                if descriptor not in self.open or not left.get(descriptor):
                    left.pop(descriptor, None)
                    if descriptor in self.open:
                        self._poll.modify(descriptor, select.POLLIN)

    def answers(self, seconds):
        """Waits until each has an answer: the statuses of the first ones."""
        until = time.monotonic() + seconds
        while not all(wire.split_answers(heard) for heard in self.heard.values()):
            assert time.monotonic() < until, "not all have an answer"
            self.listen(0.05)
        return [wire.split_answers(heard)[0].status for heard in self.heard.values()]

    def _send(self, descriptor, data):
        try:
            return self.open[descriptor].send(data[:1 << 20])
        except BlockingIOError:
            return 0
        except (ConnectionResetError, BrokenPipeError):
            self._leave(descriptor)
            return len(data)

    def leave_unread(self, descriptors):
        """From now on nothing that is sent to these is read."""
        for descriptor in descriptors:
            self._poll.modify(descriptor, 0)  # errors and hang-ups are told all the same

    def _take(self, descriptor):
        try:
            data = self.open[descriptor].recv(1 << 16)
        except BlockingIOError:
            return
        except ConnectionResetError:
            data = b""
        self.heard[descriptor] += data
        if not data:
            self._leave(descriptor)

    def _leave(self, descriptor):
        self._poll.unregister(descriptor)
        self.open.pop(descriptor).close()
        self.gone[descriptor] = time.monotonic() - self._begin
