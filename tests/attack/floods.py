"""One address opens as many connections and WebSockets as it can get, and lets them lie."""

import resource
import socket

from attack import Attack, end

CONNECTIONS = 11_000

resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)

with Attack("flood of connections") as attack:
    mallory = attack.user("mallory")
    held = []
    with attack.under_way():
        def hold(_):
            for _ in range(CONNECTIONS // 8):
                one = socket.create_connection(("127.0.0.1", attack.server.port), 5)
                held.append(one)
                one.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
        attack.at_once(8, hold)
        attack.notes["connections"] = len(held)
        attack.wait(6)
        for one in held:
            one.close()

with Attack("flood of WebSockets") as attack:
    mallory = attack.user("mallory")
    upgrade = mallory.head("GET", "/ws", Connection="Upgrade", Upgrade="websocket", **{
        "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="})
    held = []
    with attack.under_way():
        for number in range(2000):
            one = socket.socket()
            one.settimeout(2)
            try:
                one.connect(("127.0.0.1", attack.server.port))
                one.sendall(upgrade)
            except OSError:
                pass
            held.append(one)
        attack.wait(6)
        for one in held:
            one.close()
end()
