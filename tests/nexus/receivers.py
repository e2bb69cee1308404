"""Where reminders are delivered in tests: a web server and a mail server on this machine."""

import contextlib
import email
import email.policy
import hashlib
import hmac
import http.server
import queue
import socketserver
import threading
import time


def signature_is_right(secret, header, body):
    """As docs/nexus.md tells a receiver to verify it."""
    parts = dict(part.split("=", 1) for part in header.split(","))
    expected = hmac.new(secret.encode(), parts["t"].encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, parts["v1"])


class Receiver:
    """Takes posts. `status` is what it answers; while `closed` is set it answers nothing."""

    def __init__(self, port=0):
        self.arrived, self.status = queue.Queue(), 200
        self.open = threading.Event()
        self.open.set()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.arrived.put((self.headers, body))
                outer.open.wait(60)
                self.send_response(outer.status)
                if outer.status == 302:
                    self.send_header("Location", outer.url + "elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def next(self, seconds=30):
        return self.arrived.get(timeout=seconds)

    def close(self):
        self.open.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(10)


class Ledger:
    """Takes posts and keeps whose they are, in order. While it holds them it answers none: they are under way."""

    # What the server waits for an answer, less what a busy machine takes to notice.
    PATIENCE_SECONDS = 8

    def __init__(self):
        self._changed = threading.Condition()
        self.arrived, self.distinct = [], set()  # ids of deliveries
        self.under_way = set()  # those that were not answered
        self.held = set()  # those among them that have to wait
        self.kept_waiting = set()  # those whose answer came so late that the server may have given up
        self._is_open = True
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                began = time.monotonic()
                delivery = self.headers["Cairn-Delivery"]
                outer._enter(delivery)
                self.send_response(200)
                self.send_header("Content-Length", "0")
                with contextlib.suppress(OSError):  # the server may be gone
                    self.end_headers()
                outer._leave(delivery, time.monotonic() - began)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, *_):
                pass  # of a server that was killed

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def _enter(self, delivery):
        with self._changed:
            self.arrived.append(delivery)
            self.distinct.add(delivery)
            self.under_way.add(delivery)
            if not self._is_open:
                self.held.add(delivery)
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._is_open, 60)

    def _leave(self, delivery, seconds):
        with self._changed:
            self.under_way.discard(delivery)
            self.held.discard(delivery)
            if seconds > self.PATIENCE_SECONDS:
                self.kept_waiting.add(delivery)
            self._changed.notify_all()

    def hold(self):
        with self._changed:
            self._is_open = False

    def let_go(self):
        with self._changed:
            self._is_open = True
            self._changed.notify_all()

    def wait_for(self, holds, seconds, what):
        """Until `holds(self)`, which is asked whenever a post comes or is answered, and once a second or so."""
        deadline = time.monotonic() + seconds
        with self._changed:
            while not holds(self):
                assert time.monotonic() < deadline, f"waited {seconds} s for {what}"
                self._changed.wait(1)

    def close(self):
        self.let_go()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(10)


class MailServer:
    """Speaks as much SMTP as it takes to receive a mail. Refuses while `refuses` is set; while `open` is not, it takes mails
    and does not say so."""

    def __init__(self):
        self.arrived, self.refuses = queue.Queue(), False
        self.open = threading.Event()
        self.open.set()
        outer = self

        class Handler(socketserver.StreamRequestHandler):
            def say(self, line):
                self.wfile.write(line.encode() + b"\r\n")

            def handle(self):
                self.say("220 test")
                sender = receiver = None
                while line := self.rfile.readline().decode().strip():
                    word = line.upper()
                    if word.startswith("EHLO") or word.startswith("HELO"):
                        self.say("250 test")
                    elif word.startswith("MAIL FROM:"):
                        sender = line[10:].split()[0]
                        self.say("451 not now" if outer.refuses else "250 ok")
                    elif word.startswith("RCPT TO:"):
                        receiver = line[8:].split()[0]
                        self.say("250 ok")
                    elif word == "DATA":
                        self.say("354 go on")
                        lines = []
                        while (data := self.rfile.readline()) != b".\r\n":
                            lines.append(data)
                        text = b"".join(lines)
                        parsed = email.message_from_bytes(text, policy=email.policy.default)
                        outer.arrived.put((sender, receiver, parsed, text))
                        outer.open.wait(60)
                        self.say("250 ok")
                    elif word == "QUIT":
                        self.say("221 bye")
                        return
                    else:
                        self.say("250 ok")

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"smtp://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def next(self, seconds=30):
        return self.arrived.get(timeout=seconds)

    def close(self):
        self.open.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(10)
