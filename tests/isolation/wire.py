"""Calls of the DynamoDB protocol over one socket, with the outcomes that a history has to tell apart.

A call returns the parsed answer, or raises
  Refused   the server said no: nothing was written;
  Unsure    no answer, or an internal error: it may or may not have happened;
  NotSent   nobody listens: it has certainly not happened.
"""

import json
import socket

TIMEOUT_SECONDS = 20
_HEAD = ("POST / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/x-amz-json-1.0\r\n"
         "X-Amz-Target: %s.%s\r\nX-Amz-Date: 20260101T000000Z\r\n"
         "Authorization: AWS4-HMAC-SHA256 Credential=isolation/20260101/us-east-1/dynamodb/aws4_request, "
         "SignedHeaders=host;x-amz-date;x-amz-target, Signature=" + "0" * 64 + "\r\nContent-Length: %d\r\n\r\n")
_STREAMS = ("DescribeStream", "GetShardIterator", "GetRecords")


class Refused(Exception):
    def __init__(self, status, body):
        self.status, self.body = status, body
        self.code = body.get("__type", "").rpartition("#")[2]
        self.reasons = body.get("CancellationReasons", [])
        super().__init__(f"{status} {self.code}: {body.get('message', body.get('Message', ''))}")

    def reason_codes(self):
        return [reason.get("Code") for reason in self.reasons]


class Unsure(Exception):
    pass


class NotSent(Exception):
    pass


class Connection:
    """One keep-alive connection, opened when it is needed. For one thread. Usable as a context manager."""

    def __init__(self, port, timeout_seconds=TIMEOUT_SECONDS):
        self.port, self.timeout_seconds = port, timeout_seconds
        self._socket, self._received = None, b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def call(self, operation, request):
        body = json.dumps(request, separators=(",", ":")).encode()
        service = "DynamoDBStreams_20120810" if operation in _STREAMS else "DynamoDB_20120810"
        status, answer = self.exchange((_HEAD % (self.port, service, operation, len(body))).encode() + body)
        if status >= 500:
            raise Unsure(f"{status} {answer[:200]}")
        answer = json.loads(answer)
        if status != 200:
            raise Refused(status, answer)
        return answer

    def exchange(self, request):
        """Sends a whole request; returns status and body."""
        self._connect()
        try:
            self._socket.sendall(request)
            return self._read_answer()
        except OSError as error:
            self.close()
            raise Unsure(repr(error)) from error

    def _connect(self):
        if self._socket:
            return
        try:
            self._socket = socket.create_connection(("127.0.0.1", self.port), self.timeout_seconds)
        except OSError as error:
            raise NotSent(repr(error)) from error
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._received = b""

    def _read_answer(self):
        while (end := self._received.find(b"\r\n\r\n")) < 0:
            self._receive()
        head = self._received[:end].decode("latin-1").split("\r\n")
        fields = dict(line.lower().split(":", 1) for line in head[1:])
        whole = end + 4 + int(fields["content-length"])
        while len(self._received) < whole:
            self._receive()
        body, self._received = self._received[end + 4:whole], self._received[whole:]
        if fields.get("connection", "").strip() == "close":
            self.close()
        return int(head[0].split()[1]), body

    def _receive(self):
        more = self._socket.recv(65536)
        if not more:
            raise ConnectionResetError("closed before the answer was complete")
        self._received += more

    def close(self):
        if self._socket:
            self._socket.close()
            self._socket = None

    # What tests/protocol/stream_reader.py wants of a client.

    def describe_stream(self, **request):
        return self.call("DescribeStream", request)

    def get_shard_iterator(self, **request):
        return self.call("GetShardIterator", request)

    def get_records(self, **request):
        return self.call("GetRecords", request)


# Attribute values and requests, written briefly.

def text(value):
    return {"S": str(value)}


def number(value):
    return {"N": str(value)}


def numbers(values):
    return {"L": [number(value) for value in values]}


def integer(attribute):
    return int(attribute["N"])


def table(name, keys, index=None, stream=False):
    """CreateTable's request: table("t", "pk:S sk:N", index=("by-owner", "owner:S"))."""
    request = {"TableName": name, "BillingMode": "PAY_PER_REQUEST", "KeySchema": _schema(keys)}
    texts = keys
    if index:
        texts += " " + index[1]
        request["GlobalSecondaryIndexes"] = [{"IndexName": index[0], "KeySchema": _schema(index[1]),
                                              "Projection": {"ProjectionType": "ALL"}}]
    if stream:
        request["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
    kinds = dict(key.split(":") for key in texts.split())
    request["AttributeDefinitions"] = [{"AttributeName": n, "AttributeType": k} for n, k in kinds.items()]
    return request


def _schema(keys):
    return [{"AttributeName": key.split(":")[0], "KeyType": role} for key, role in zip(keys.split(), ("HASH", "RANGE"))]


def scan(connection, table_name, **where):
    """All items, page by page."""
    return _all_pages(connection, "Scan", {"TableName": table_name, **where})


def query(connection, table_name, partition, value, **where):
    return _all_pages(connection, "Query", query_request(table_name, partition, value, **where))


def query_request(table_name, partition, value, **where):
    return {"TableName": table_name, "KeyConditionExpression": "#p = :p", "ExpressionAttributeNames": {"#p": partition},
            "ExpressionAttributeValues": {":p": value}, **where}


def _all_pages(connection, operation, request):
    items = []
    while True:
        page = connection.call(operation, request)
        items += page["Items"]
        if "LastEvaluatedKey" not in page:
            return items
        request = {**request, "ExclusiveStartKey": page["LastEvaluatedKey"]}
