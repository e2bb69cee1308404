"""Where reminders are delivered in tests: a web server and a mail server on this machine."""

import email
import email.policy
import hashlib
import hmac
import http.server
import queue
import socketserver
import threading


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


class MailServer:
    """Speaks as much SMTP as it takes to receive a mail. Refuses while `refuses` is set."""

    def __init__(self):
        self.arrived, self.refuses = queue.Queue(), False
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
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(10)
