"""A server that is told its public address, as one behind a proxy is: what strangers get from it."""

import json

from attack import Attack, end

SCAN = {"Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": "DynamoDB_20120810.Scan"}
FORGED = {**SCAN, "X-Amz-Date": "20260101T000000Z", "Authorization":
          "AWS4-HMAC-SHA256 Credential=AKIACAIRNTESTKEY0001/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, "
          "Signature=" + "0" * 64}

with Attack("exposed by --public-url", ["--public-url", "https://cairn.example"]) as attack:
    stranger = attack.stranger()
    for host in ("cairn.example", f"127.0.0.1:{attack.server.port}"):
        for what, fields in (("unsigned", SCAN), ("with any signature", FORGED)):
            status, _, body = stranger.send("POST", "/", {"TableName": "CairnIdentity"}, Host=host, **fields)
            attack.check(f"POST / {what} to {host} is refused", status != 200, f"{status} {body[:100]}")
        status, _, _ = stranger.send("GET", "/metrics", Host=host)
        attack.check(f"/metrics of {host} is hidden", status != 200, status)
    status, _, _ = stranger.send("GET", "/healthz", Host="cairn.example")
    attack.check("/healthz answers", status == 200, status)

with Attack("reached by another name") as attack:
    stranger = attack.stranger()
    status, _, body = stranger.send("POST", "/", {"TableName": "CairnIdentity"}, Host="evil.example", **FORGED)
    attack.check("a Host that is not ours is refused", status != 200, f"{status} {body[:100]}")
    status, _, body = stranger.send("POST", "/", {"TableName": "CairnIdentity"}, Origin="https://evil.example", **FORGED)
    attack.check("a page of another site is refused", status != 200, f"{status} {body[:100]}")
end()
