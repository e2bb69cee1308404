"""What /openapi.json promises, as a check of requests and answers. Used by client.py for every single answer."""

import datetime
import json
import re
import threading
import urllib.parse
import uuid

import jsonschema
from jsonschema import Draft202012Validator, FormatChecker, RefResolver

METHODS = ("get", "put", "post", "delete", "patch")
_formats = FormatChecker(formats=())


class Broken(AssertionError):
    """An answer, or a request that was accepted, is not as the document says."""


@_formats.checks("date-time", raises=ValueError)
def _is_moment(text):
    """Only two spellings are ever sent, UTC both: milliseconds, or seconds where a design stores those (Nexus)."""
    if not isinstance(text, str):
        return True  # formats are about texts; what may be null says so
    milliseconds = len(text) == len("2026-01-01T00:00:00.000Z")
    datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ" if milliseconds else "%Y-%m-%dT%H:%M:%SZ")
    return milliseconds or len(text) == len("2026-01-01T00:00:00Z")


@_formats.checks("date", raises=ValueError)
def _is_day(text):
    return len(datetime.date.fromisoformat(text).isoformat()) == len(text)


@_formats.checks("uuid", raises=ValueError)
def _is_uuid(text):
    return str(uuid.UUID(text)) == text.lower()


def _refuse_twice(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError(f"a member is there twice: {[name for name, _ in pairs]}")
    return members


def parse_json(text):
    """JSON without members that are there twice, and without NaN."""
    def refuse(constant):
        raise ValueError(f"{constant} is no JSON")
    return json.loads(text, object_pairs_hook=_refuse_twice, parse_constant=refuse)


class Operation:
    """One method of one path."""

    def __init__(self, contract, path, method, item):
        self.contract, self.path, self.method, self.item = contract, path, method, item
        self.id = item["operationId"]
        self.parameters = {(p["in"], p["name"]): p for p in item.get("parameters", ())}
        self._segments = path.strip("/").split("/")

    def fits(self, segments):
        return len(segments) == len(self._segments) and all(
            mine.startswith("{") or mine == given for mine, given in zip(self._segments, segments))

    def rank(self):
        """Fixed segments are looked at first, from left to right."""
        return [segment.startswith("{") for segment in self._segments]

    def path_names(self):
        return [segment[1:-1] for segment in self._segments if segment.startswith("{")]

    def is_change(self):
        return self.method != "get"

    def body_content(self):
        return self.item.get("requestBody", {}).get("content", {})


class Contract:
    """The document, and what it says about one request and its answer."""

    _of_url, _lock = {}, threading.Lock()

    def __init__(self, document):
        self.document = document
        self.operations = {}
        for path, methods in document["paths"].items():
            for method, item in methods.items():
                operation = Operation(self, path, method, item)
                self.operations[operation.id] = operation
        self._by_rank = sorted(self.operations.values(), key=Operation.rank)
        self._resolver = RefResolver("", document)
        self._validators = {}

    @classmethod
    def of(cls, url, read):
        """The contract of the server at `url`; `read` fetches the document's text."""
        with cls._lock:
            if url not in cls._of_url:
                cls._of_url[url] = cls(parse_json(read()))
            return cls._of_url[url]

    def find(self, method, path):
        """The operation that answers, or None."""
        method = "get" if method == "HEAD" else method.lower()
        segments = [urllib.parse.unquote(part) for part in path.partition("?")[0].strip("/").split("/")]
        fitting = [operation for operation in self._by_rank if operation.fits(segments)]
        # As routers do: the best path decides, then its method.
        return next((o for o in fitting if o.path == fitting[0].path and o.method == method), None)

    def validate(self, schema, value, what):
        key = json.dumps(schema, sort_keys=True)
        if key not in self._validators:
            self._validators[key] = Draft202012Validator(schema, resolver=self._resolver, format_checker=_formats)
        try:
            self._validators[key].validate(value)
        except jsonschema.ValidationError as error:
            raise Broken(f"{what}: {error.message} at /{'/'.join(map(str, error.absolute_path))}") from None

    def check(self, answer):
        """Fails unless the document allows this answer."""
        operation = self.find(answer.method, answer.path)
        what = f"{answer.method} {answer.path[:200]} -> {answer!r}"
        if answer.status >= 400:
            if operation is not None or answer.path.startswith("/api/"):
                self._check_problem(answer, what)
        elif operation is not None:
            self._check_success(operation, answer, what)
            self._check_accepted(operation, answer, what)

    def _check_problem(self, answer, what):
        if answer.headers.get("Content-Type") != "application/problem+json":
            raise Broken(f"{what}: refusals are application/problem+json")
        if answer.method == "HEAD":
            return
        self.validate({"$ref": "#/components/schemas/Problem"}, answer.body, what)
        if answer.body["status"] != answer.status or not answer.body["type"].endswith(":" + answer.body["code"]):
            raise Broken(f"{what}: the problem does not say its own status and code")
        if answer.status == 401 and "WWW-Authenticate" not in answer.headers:
            raise Broken(f"{what}: WWW-Authenticate is missing")
        if answer.status in (429, 503) and not re.fullmatch("[1-9][0-9]*", answer.headers.get("Retry-After", "")):
            raise Broken(f"{what}: Retry-After is missing")

    def _check_success(self, operation, answer, what):
        described = operation.item["responses"].get(str(answer.status))
        if described is None:
            raise Broken(f"{what}: {operation.id} has no answer {answer.status}")
        content = described.get("content", {})
        if answer.status in (204, 304) or not content:
            if answer.raw or content and answer.status != 304:
                raise Broken(f"{what}: there should be no body")
            return
        media_type = answer.headers.get("Content-Type")
        if media_type not in content:
            raise Broken(f"{what}: {media_type} is none of {list(content)}")
        if answer.method != "HEAD" and media_type == "application/json":
            self.validate(content[media_type]["schema"], answer.body, what)

    def _check_accepted(self, operation, answer, what):
        """What was taken is what the document says is taken."""
        for name, text in urllib.parse.parse_qsl(answer.path.partition("?")[2], keep_blank_values=True):
            if ("query", name) not in operation.parameters:
                raise Broken(f"{what}: the query parameter {name} is not described")
        sent = answer.sent_json
        if sent is None:
            return
        content = operation.body_content().get("application/json")
        if content is None:
            if sent != {}:
                raise Broken(f"{what}: took the body {sent}, which is not described")
        else:
            self.validate(content["schema"], sent, f"request of {what}")
