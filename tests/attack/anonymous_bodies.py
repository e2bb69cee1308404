"""Thirty-six strangers begin to send a body of sixteen megabytes, to the login, and do not end."""

import socket

from attack import Attack, end

CONNECTIONS, BODY_BYTES = 36, 16 << 20

with Attack("anonymous bodies") as attack:
    with attack.under_way():
        head = attack.stranger().head("POST", "/api/auth/login", **{"Content-Type": "application/json",
                                                                   "Content-Length": BODY_BYTES})
        held = []

        def send(_):
            one = socket.create_connection(("127.0.0.1", attack.server.port), 10)
            held.append(one)
            one.sendall(head)
            for _ in range(BODY_BYTES // 65536 - 1):
                one.sendall(b'"' * 65536)

        attack.at_once(CONNECTIONS, send)
        attack.wait()
        for one in held:
            one.close()
end()
