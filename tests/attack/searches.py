"""Eight who search twenty megabytes of notes, again and again."""

import time

from attack import ATTACK_SECONDS, Attack, end

NOTES, NOTE_BYTES = 400, 50_000

with Attack("searches") as attack:
    mallory = attack.user("mallory")
    text = ("lorem ipsum dolor sit amet " * (NOTE_BYTES // 27 + 1))[:NOTE_BYTES]
    attack.at_once(8, lambda n: [mallory.send("POST", "/api/nexus/notes", {"title": "n", "body": text})
                                 for _ in range(NOTES // 8)])
    statuses = []
    with attack.under_way():
        until = time.monotonic() + ATTACK_SECONDS

        def search(_):
            while time.monotonic() < until:
                statuses.append(mallory.send("GET", "/api/nexus/search?q=nothing+that+is+there")[0])
        attack.at_once(8, search)
    attack.notes["answers"] = {status: statuses.count(status) for status in sorted(set(statuses))}
end()
