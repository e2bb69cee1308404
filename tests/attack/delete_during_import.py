"""Accounts that are deleted while they import, commit and write: nothing of them is left."""

import json
import threading

from attack import Attack, User, end, wait_until
from calendars import calendar

PASSWORD = "a-long-enough-passphrase"
TABLES = ("App", "CairnIdentity", "CairnReceipts", "CairnJobs", "ProductivityData")


def left(attack, text):
    """Items of all tables that have the text anywhere."""
    found = 0
    for table in TABLES:
        start = {}
        while True:
            status, _, body = attack.stranger().send("POST", "/", {"TableName": table, "ConsistentRead": True, **start}, **{
                "Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": "DynamoDB_20120810.Scan",
                "X-Amz-Date": "20260101T000000Z", "Authorization":
                    "AWS4-HMAC-SHA256 Credential=AKIACAIRNTESTKEY0001/20260101/us-east-1/dynamodb/aws4_request, "
                    "SignedHeaders=host, Signature=" + "0" * 64})
            assert status == 200, body
            page = json.loads(body)
            found += sum(text in json.dumps(item) for item in page["Items"])
            if "LastEvaluatedKey" not in page:
                break
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
    return found


with Attack("deleted while importing") as attack:
    with attack.under_way():
        for name in ("ada", "eve"):
            stranger = attack.stranger()
            stranger.send("POST", "/api/auth/register", {"email": f"{name}@example.org", "password": PASSWORD})
            _, _, body = stranger.send("POST", "/api/auth/login", {"email": f"{name}@example.org", "password": PASSWORD,
                                                                   "kind": "program"})
            user = User(attack, name, json.loads(body)["accessToken"])
            user_id = json.loads(user.send("GET", "/api/auth/me")[2])["userId"]
            works = [threading.Thread(target=user.send, args=("POST", "/api/nexus/import", calendar(3000, f"i{number}")),
                                      kwargs={"Content-Type": "text/calendar"}) for number in range(3)]
            works += [threading.Thread(target=lambda: [user.send("POST", "/api/values/nodes", {
                "nodeType": "DRIVER", "title": "late"}) for _ in range(200)])]
            for work in works:
                work.start()
            wait_until(lambda: left(attack, user_id) > 200, 30, "the imports to be under way")
            status, _, _ = user.send("DELETE", "/api/auth/me", {"password": PASSWORD})
            attack.check(f"{name} is deleted", status in (202, 204), status)
            for work in works:
                work.join(60)
            try:
                wait_until(lambda: not left(attack, user_id), 15, "every trace to go")
            except AssertionError:
                pass
            attack.check(f"nothing is left of {name}", left(attack, user_id) == 0, left(attack, user_id))
end()
