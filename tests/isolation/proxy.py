"""A relay between clients and the server, in a process of its own, that does not do as it should.

proxy.py --upstream PORT --way NAME [--seed N]     prints the port it listens on; ends with its standard input

A way takes a request and returns the answer for the client, or None for a connection that breaks instead. The ways are
in `lossy.py` (answers that get lost) and `mutants.py` (servers with broken promises).
"""

import argparse
import asyncio
import json
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))


class Request:
    """Bytes as they came, and what they ask for."""

    def __init__(self, head, body):
        self.head, self.body = head, body
        self.operation = next((line.split(".")[-1].strip() for line in head.decode("latin-1").split("\r\n")
                               if line.lower().startswith("x-amz-target:")), "")

    def json(self):
        return json.loads(self.body)

    def bytes(self):
        return self.head + self.body

    def altered(self, operation, body):
        """The same request for another operation or with another body."""
        encoded = json.dumps(body).encode()
        lines = []
        for line in self.head.decode("latin-1").split("\r\n"):
            name = line.partition(":")[0].lower()
            if name == "content-length":
                line = f"Content-Length: {len(encoded)}"
            elif name == "x-amz-target":
                line = f"X-Amz-Target: DynamoDB_20120810.{operation}"
            lines.append(line)
        return Request("\r\n".join(lines).encode("latin-1"), encoded)


class Answer:
    def __init__(self, head, body):
        self.head, self.body = head, body

    @property
    def status(self):
        return int(self.head.split()[1])

    def json(self):
        return json.loads(self.body)

    def bytes(self):
        return self.head + self.body

    @staticmethod
    def made(status, body):
        encoded = json.dumps(body).encode()
        return Answer(f"HTTP/1.1 {status} X\r\nContent-Type: application/x-amz-json-1.0\r\n"
                      f"Content-Length: {len(encoded)}\r\n\r\n".encode(), encoded)


async def read_message(reader):
    """Head and body of a request or an answer."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = next((int(line.partition(":")[2]) for line in head.decode("latin-1").split("\r\n")
                   if line.lower().startswith("content-length:")), 0)
    return head, await reader.readexactly(length)


class Upstream:
    """The server, seen from one client's connection."""

    def __init__(self, port):
        self.port = port
        self.reader = self.writer = None

    async def send(self, request):
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.writer.write(request.bytes())
        await self.writer.drain()
        return Answer(*await read_message(self.reader))

    def close(self):
        if self.writer:
            self.writer.close()


async def relay(way, upstream_port, reader, writer):
    upstream = Upstream(upstream_port)
    try:
        while True:
            request = Request(*await read_message(reader))
            answer = await way.handle(request, upstream)
            if answer is None:
                break
            writer.write(answer.bytes())
            await writer.drain()
    except (OSError, asyncio.IncompleteReadError):
        pass  # one side is gone: so is the other
    finally:
        upstream.close()
        writer.close()


async def serve(way, upstream_port):
    server = await asyncio.start_server(lambda r, w: relay(way, upstream_port, r, w), "127.0.0.1", 0, backlog=256)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)  # until the parent closes it
    server.close()


class Proxy:
    """The process, for the test that starts it. Usable as a context manager."""

    def __init__(self, upstream_port, way, seed):
        self._process = subprocess.Popen(
            [sys.executable, __file__, "--upstream", str(upstream_port), "--way", way, "--seed", str(seed)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self._process.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()


def main():
    import lossy
    import mutants
    ways = {**lossy.WAYS, **mutants.WAYS}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--upstream", type=int, required=True)
    parser.add_argument("--way", choices=sorted(ways), required=True)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    try:
        asyncio.run(serve(ways[options.way](random.Random(options.seed)), options.upstream))
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
