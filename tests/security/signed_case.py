"""SignedTest: a server with --credentials, whose every request must be signed with one of these keys."""

import json
import pathlib
import tempfile

from case import TABLE, SecurityTest, item, wire

OWNER = ("AKIAOWNER", "secret of owner")
TENANT = ("AKIATENANT", "secret of tenant")  # reaches the items T#tenant and T#tenant#..., nothing else
READER = ("AKIAREADER", "secret of reader")

CREDENTIALS = {"credentials": [
    {"accessKeyId": OWNER[0], "secretAccessKey": OWNER[1]},
    {"accessKeyId": TENANT[0], "secretAccessKey": TENANT[1], "tables": [TABLE],
     "leadingKeys": ["T#tenant", "T#tenant#*"]},
    {"accessKeyId": READER[0], "secretAccessKey": READER[1], "tables": [TABLE], "access": "read"},
]}


class SignedTest(SecurityTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="cairn-test-")
        cls.addClassCleanup(folder.cleanup)
        path = pathlib.Path(folder.name, "credentials.json")
        path.write_text(json.dumps(CREDENTIALS))
        cls.flags = ["--credentials", str(path)]
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        for _, secret in (OWNER, TENANT, READER):
            assert secret not in cls.server.stderr() + cls.server.stdout(), "a secret was logged"
        super().tearDownClass()

    @classmethod
    def sign(cls, operation, parameters, key=OWNER, **forged):
        return wire.Signer(cls.port, *key).sign(operation, parameters, **forged)

    @classmethod
    def request(cls, operation, parameters):
        return cls.sign(operation, parameters)

    def send(self, request):
        data = request if isinstance(request, bytes) else request.bytes()
        return wire.talk(self.port, data, answers=1)

    def remove(self, key):
        self.ordinary("DeleteItem", {"TableName": TABLE, "Key": item(pk=key)})
