"""A WebSocket in raw frames, right and wrong ones."""

import base64
import json
import os
import struct
import time

import wire

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
FINAL = 0x80


def handshake(host, path="/ws", **fields):
    """The request; a field None is left out, a list is several."""
    said = {"Host": host, "Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13",
            "Sec_WebSocket_Key": base64.b64encode(b"0123456789abcdef").decode(), **fields}
    lines = [f"{name.replace('_', '-')}: {text}" for name, texts in said.items() if texts is not None
             for text in (texts if isinstance(texts, list) else [texts])]
    return (f"GET {path} HTTP/1.1\r\n" + "\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def frame(opcode, payload=b"", flags=FINAL, masked=True, length=None):
    """`length`: said instead of the payload's own, in eight bytes."""
    size = len(payload)
    mask_bit = 0x80 if masked else 0
    if length is not None:
        head = struct.pack("!BBQ", flags | opcode, mask_bit | 127, length)
    elif size < 126:
        head = struct.pack("!BB", flags | opcode, mask_bit | size)
    elif size < 1 << 16:
        head = struct.pack("!BBH", flags | opcode, mask_bit | 126, size)
    else:
        head = struct.pack("!BBQ", flags | opcode, mask_bit | 127, size)
    if not masked:
        return head + payload
    mask = os.urandom(4)
    key = (mask * (size // 4 + 1))[:size]
    return head + mask + (int.from_bytes(payload, "big") ^ int.from_bytes(key, "big")).to_bytes(size, "big")


def text(message):
    return frame(TEXT, message.encode() if isinstance(message, str) else json.dumps(message).encode())


class WebSocket:
    """Usable as a context manager. `status` says how the handshake ended: 101, or a refusal."""

    def __init__(self, port, path="/ws", **fields):
        self._connection = wire.connect(port)
        self._received = b""
        self.status = 0
        self.refusal = b""
        self._connection.sendall(handshake(f"{wire.HOST}:{port}", path, **fields))
        while b"\r\n\r\n" not in self._received:
            self._receive(time.monotonic() + wire.DEADLINE_SECONDS)
        head, _, self._received = self._received.partition(b"\r\n\r\n")
        self.status = int(head.split(b" ")[1])
        if self.status != 101:
            self.refusal = head + self._received

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._connection.close()

    def send(self, data):
        """False: the server has hung up meanwhile."""
        try:
            self._connection.settimeout(wire.DEADLINE_SECONDS)
            self._connection.sendall(data)
            return True
        except (ConnectionResetError, BrokenPipeError):
            return False

    def _receive(self, deadline):
        readable, _ = wire.ready(self._connection, deadline)
        if not readable:
            raise TimeoutError("the server says nothing")
        data = self._connection.recv(1 << 16)
        if not data:
            raise ConnectionError("the server has hung up")
        self._received += data

    def frame(self, seconds=wire.DEADLINE_SECONDS):
        """The next frame: opcode and payload."""
        deadline = time.monotonic() + seconds
        while True:
            parsed = self._parse()
            if parsed:
                return parsed
            self._receive(deadline)

    def _parse(self):
        data = self._received
        if len(data) < 2:
            return None
        size, at = data[1] & 0x7f, 2
        if size >= 126:
            at = 4 if size == 126 else 10
            size = int.from_bytes(data[2:at], "big") if len(data) >= at else len(data)
        if len(data) < at + size:
            return None
        self._received = data[at + size:]
        return data[0] & 0x0f, data[at:at + size]

    def message(self, seconds=wire.DEADLINE_SECONDS):
        """The next message, parsed."""
        opcode, payload = self.frame(seconds)
        assert opcode == TEXT, f"no message, but {opcode} {payload}"
        return json.loads(payload)

    def close_code(self, seconds=wire.DEADLINE_SECONDS):
        """The code of the close frame, past all messages before it."""
        deadline = time.monotonic() + seconds
        while True:
            opcode, payload = self.frame(max(0, deadline - time.monotonic()))
            if opcode == CLOSE:
                return int.from_bytes(payload[:2], "big") if payload else 1005
