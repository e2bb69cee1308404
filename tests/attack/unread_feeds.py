"""Twenty readers of a large calendar feed who do not read, and ten exports beside them."""

import json
import socket

from attack import Attack, end
from calendars import calendar

CONNECTIONS, FILES, EVENTS, EVENT_BYTES = 20, 8, 200, 20_000

with Attack("unread feeds") as attack:
    mallory = attack.user("mallory")
    for number in range(FILES):  # 32 MB together
        mallory.send("POST", "/api/nexus/import", calendar(EVENTS, f"f{number}", description="d" * EVENT_BYTES),
                     **{"Content-Type": "text/calendar"})
    status, _, body = mallory.send("POST", "/api/nexus/feed")
    feed = json.loads(body)["url"]
    with attack.under_way():
        held = []
        for number in range(CONNECTIONS + 10):
            one = socket.socket()
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.settimeout(5)
            try:
                one.connect(("127.0.0.1", attack.server.port))
                path = feed if number < CONNECTIONS else "/api/nexus/calendar.ics"
                one.sendall((attack.stranger() if number < CONNECTIONS else mallory).head("GET", path))
            except OSError:
                pass
            held.append(one)
        attack.wait()
        for one in held:
            one.close()
end()
