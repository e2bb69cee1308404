"""Four hundred connections ask for a page of notes and do not read it."""

import socket

from attack import Attack, end

CONNECTIONS, NOTES, NOTE_BYTES = 400, 100, 60_000

with Attack("unread pages") as attack:
    mallory = attack.user("mallory")
    text = "x" * NOTE_BYTES
    attack.at_once(8, lambda n: [mallory.send("POST", "/api/nexus/notes", {"title": "n", "body": text})
                                 for _ in range(NOTES // 8)])
    with attack.under_way():
        asking = mallory.head("GET", "/api/nexus/notes?limit=100")
        held = []
        for _ in range(CONNECTIONS):
            one = socket.socket()
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.settimeout(5)
            try:
                one.connect(("127.0.0.1", attack.server.port))
                one.sendall(asking)
            except OSError:
                pass
            held.append(one)
        attack.wait()
        for one in held:
            one.close()
end()
