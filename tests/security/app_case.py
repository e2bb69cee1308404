"""AppTest: a server with its applications, and users of them that attack or are disturbed."""

import http.client
import json
import pathlib
import threading

from case import SecurityTest, wire
from tokens import claims, sign

WELL_BEHAVED_SECONDS = 30  # an answer, however busy the machine; how fast is a question for bench/


class AppTest(SecurityTest):
    apps = True
    # What a user or an address may ask per second is another test's matter: here they ask for as much as they can.
    flags = ("--user-requests-per-second", "0", "--address-requests-per-second", "0", "--user-writes-mb-per-hour", "0")

    @classmethod
    def token(cls, user):
        return sign(pathlib.Path(cls.server.data, "signing.key").read_bytes(), claims(user))

    @classmethod
    def asking(cls, user, path):
        """A GET of a user, as bytes."""
        request = wire.get(cls.port, path)
        request.add("Authorization", "Bearer " + cls.token(user))
        return request.bytes()

    @classmethod
    def send(cls, user, method, path, body=b"", **fields):
        """One request on a connection of its own: status and body."""
        connection = http.client.HTTPConnection("127.0.0.1", cls.port, timeout=WELL_BEHAVED_SECONDS)
        try:
            headers = {name.replace("_", "-"): text for name, text in fields.items()}
            if user:
                headers["Authorization"] = "Bearer " + cls.token(user)
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    @classmethod
    def post(cls, user, path, values):
        status, body = cls.send(user, "POST", path, json.dumps(values).encode(), Content_Type="application/json")
        assert status < 300, (status, body[:500])
        return json.loads(body)

    @classmethod
    def metric(cls, name):
        heard = wire.talk(cls.port, wire.get(cls.port, "/metrics").bytes(), answers=1, seconds=WELL_BEHAVED_SECONDS)
        lines = heard.answers[0].body.decode().splitlines()
        return float(next(line for line in lines if line.startswith(name + " ")).split()[1])


class WellBehaved:
    """Someone who reads and writes notes of their own all the while; every request of theirs must succeed."""

    def __init__(self, test, user):
        self.test, self.user, self.done, self.wrong = test, user, 0, []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

    def _work(self):
        while not self._stop.is_set():
            try:
                note = self.test.post(self.user, "/api/nexus/notes", {"title": f"note {self.done}"})
                status, body = self.test.send(self.user, "GET", "/api/nexus/notes/" + note["noteId"])
                assert status == 200, (status, body)
                self.done += 1
            except (AssertionError, OSError, http.client.HTTPException) as wrong:
                self.wrong.append(repr(wrong))
                return
