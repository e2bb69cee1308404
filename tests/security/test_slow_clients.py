"""slowloris: clients that take their time. Each phase of a request has a deadline for its whole; here the head's, which
is 10 seconds, and that of a WebSocket without a token, which is as long. The two of 60 seconds are in
test_very_slow_clients.py."""

from typing import NamedTuple

from case import SecurityTest
from crowd import Crowd
from websocket import handshake

DEADLINE_SECONDS = 10
LATE_SECONDS = 3  # the server looks once a second; the rest is for a busy machine
CLOSE_SECONDS = 7  # that a WebSocket has to answer a close frame: 5, which begin and end when the server looks


class Slow(NamedTuple):
    """What a client says at first, and then every few seconds."""
    name: str
    count: int
    first: bytes
    then: bytes
    answer: bytes  # what it hears before the end
    seconds: int = DEADLINE_SECONDS  # when it is dropped


CLIENTS = [
    Slow("a byte of the head at a time", 300, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", b"x", b" 408 "),
    Slow("a byte of the first line at a time", 100, b"GET /", b"x", b" 408 "),
    Slow("a field at a time", 50, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n", b"X-Slow: x\r\n", b" 408 "),
    Slow("half a request behind a whole one", 50, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /", b"x", b" 408 "),
    Slow("a WebSocket that says nothing", 50, handshake("localhost"), b"", (4401).to_bytes(2, "big"),
         DEADLINE_SECONDS + CLOSE_SECONDS),
]


class SlowClients(SecurityTest):
    apps = True

    def test_slow_clients_are_dropped_in_time_and_disturb_nobody(self):
        with Crowd() as crowd:
            joined = {slow: crowd.join(self.port, self.fewer_when_sanitized(slow.count, slow.count // 5), slow.first)
                      for slow in CLIENTS}
            for _ in range(3):
                crowd.listen((DEADLINE_SECONDS - 1) / 3)
                self.assertEqual(crowd.gone, {}, "nobody is dropped early")
                for slow, descriptors in joined.items():
                    crowd.say(slow.then, descriptors)
                self.check_unharmed()
            crowd.listen(1 + CLOSE_SECONDS + LATE_SECONDS)
            for slow, descriptors in joined.items():
                with self.subTest(slow.name):
                    late = [each for each in descriptors if crowd.gone.get(each, 99) > slow.seconds + LATE_SECONDS]
                    self.assertFalse(late, f"{len(late)} were dropped too late")
                    self.assertTrue(all(slow.answer in crowd.heard[each] for each in descriptors),
                                    crowd.heard[descriptors[0]])
        self.check_unharmed()
