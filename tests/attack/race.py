"""Sixty-four clients change the same few things at once: every answer is a decision, and nothing is lost."""

import json

from attack import Attack, end

CLIENTS, ROUNDS = 64, 10

with Attack("64 clients race") as attack:
    ann = attack.user("ann")
    card = json.loads(ann.send("POST", "/api/nexus/notes", {"title": "n", "body": "0"})[2])
    path = f"/api/nexus/notes/{card['noteId']}"
    won, statuses = [], []

    def change(number):
        for round_number in range(ROUNDS):
            status, headers, _ = ann.send("GET", path)
            if status != 200:
                statuses.append(status)
                continue
            mark = f"{number}-{round_number}"
            status, _, _ = ann.send("PATCH", path, {"body": mark}, **{
                "If-Match": headers["ETag"], "Content-Type": "application/merge-patch+json"})
            statuses.append(status)
            if status == 200:
                won.append(mark)

    with attack.under_way():
        attack.at_once(CLIENTS, change)
    now = json.loads(ann.send("GET", path)[2])
    attack.notes["answers"] = {status: statuses.count(status) for status in sorted(set(statuses))}
    attack.check("each change that was acknowledged is one version", now["version"] == card["version"] + len(won),
                 f"version {now['version']} after {len(won)} changes")
    attack.check("no answer but 200, 409, 412, 429", set(statuses) <= {200, 409, 412, 429}, sorted(set(statuses)))
end()
