"""slowloris: clients that take their time. Each phase of a request has a deadline for its whole; here the head's, which
is 10 seconds, and that of a WebSocket without a token, which is as long. The two of 60 seconds are in
test_very_slow_clients.py."""

from typing import NamedTuple

from case import SecurityTest
from crowd import Crowd
from websocket import handshake

DEADLINE_SECONDS = 10
PATIENCE_SECONDS = 120  # of a busy machine; whoever goes on talking would never be dropped without a deadline


class Slow(NamedTuple):
    """What a client says at first, and then every few seconds."""
    name: str
    count: int
    first: bytes
    then: bytes
    answer: bytes  # what it hears before the end


CLIENTS = [
    Slow("a byte of the head at a time", 300, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", b"x", b" 408 "),
    Slow("a byte of the first line at a time", 100, b"GET /", b"x", b" 408 "),
    Slow("a field at a time", 50, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n", b"X-Slow: x\r\n", b" 408 "),
    Slow("half a request behind a whole one", 50, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /", b"x", b" 408 "),
    Slow("a WebSocket that says nothing", 50, handshake("localhost"), b"", (4401).to_bytes(2, "big")),
]


class SlowClients(SecurityTest):
    apps = True

    def test_slow_clients_are_dropped_and_disturb_nobody(self):
        with Crowd() as crowd:
            joined = {slow: crowd.join(self.port, self.fewer_when_sanitized(slow.count, slow.count // 5), slow.first)
                      for slow in CLIENTS}
            crowd.trickle([(slow.then, descriptors) for slow, descriptors in joined.items()], 3, PATIENCE_SECONDS,
                          self.check_unharmed)
            for slow, descriptors in joined.items():
                with self.subTest(slow.name):
                    self.assertFalse([each for each in descriptors if each not in crowd.gone], "some are still there")
                    early = [each for each in descriptors if crowd.gone[each] < DEADLINE_SECONDS - 1]
                    self.assertFalse(early, f"{len(early)} were dropped too early")
                    self.assertTrue(all(slow.answer in crowd.heard[each] for each in descriptors),
                                    crowd.heard[descriptors[0]])
        self.check_unharmed()
