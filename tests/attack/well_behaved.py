"""Somebody who just works, in a process of their own: reads and writes a little, again and again, and tells how long each
answer took. Ends when standard input does; then prints {"seconds": [...], "failures": [...]}.

well_behaved.py HOST:PORT TOKEN
"""

import http.client
import json
import sys
import threading
import time

FROM = "127.0.0.2"  # not where the attack comes from
PAUSE_SECONDS = 0.05
ANSWER_SECONDS_MAX = 30


def main():
    place, token = sys.argv[1:]
    host, port = place.rsplit(":", 1)
    over = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), over.set()), daemon=True).start()
    fields = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    steps = [("GET", "/api/nexus/notes?limit=5", None), ("GET", "/api/values", None), ("GET", "/api/auth/me", None),
             ("POST", "/api/nexus/notes", json.dumps({"title": "mine", "body": "short"}))]
    told = {"seconds": [], "failures": []}
    connection, count = None, 0
    while not over.is_set():
        method, path, body = steps[count % len(steps)]
        count += 1
        begun = time.monotonic()
        try:
            connection = connection or http.client.HTTPConnection(host, int(port), ANSWER_SECONDS_MAX, (FROM, 0))
            connection.request(method, path, body, fields)
            answer = connection.getresponse()
            answer.read()
            if answer.status >= 400:
                told["failures"].append(f"{method} {path}: {answer.status}")
        except (OSError, http.client.HTTPException) as error:
            told["failures"].append(f"{method} {path}: {error!r}")
            if connection:
                connection.close()
            connection = None
        told["seconds"].append(time.monotonic() - begun)
        if connection and count % 4 == 0:  # others come and go, too
            connection.close()
            connection = None
        over.wait(PAUSE_SECONDS)
    print(json.dumps(told))


if __name__ == "__main__":
    main()
