"""presign: with --credentials every presigned request is refused, whoever signed it and whatever it asks. Cairn keeps
no objects to download, so there is nothing else to presign."""

from typing import NamedTuple

from botocore.auth import SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from case import TABLE, put, wire
from signed_case import OWNER, TENANT, SignedTest

INTRUDER = "intruder"
MISSING, INVALID = "MissingAuthenticationTokenException", "InvalidSignatureException"


class Presigned(NamedTuple):
    """A presigned PutItem of the intruder, changed by adding to or replacing in its query."""
    name: str
    more: str = ""
    replace: tuple = ("", "")
    expires: object = 300
    key: tuple = OWNER
    header: bool = False  # signed in its header as well
    code: str = MISSING


CASES = [
    Presigned("as it should be"),
    Presigned("expired", expires=-10),
    Presigned("expires at once", expires=0),
    Presigned("expires after more than 7 days", expires=8 * 24 * 3600),
    Presigned("expires never", replace=("X-Amz-Expires=300", "X-Amz-Expires=NaN")),
    Presigned("another time than signed", replace=("X-Amz-Expires=300", "X-Amz-Expires=900")),
    Presigned("no expiry", replace=("&X-Amz-Expires=300", "")),
    Presigned("parameter more", more="&x=1"),
    Presigned("content type of the answer", more="&response-content-type=text/html"),
    Presigned("expiry said twice", more="&X-Amz-Expires=604800"),
    Presigned("signature said twice", more="&X-Amz-Signature=" + "0" * 64),
    Presigned("credential of another key", replace=(OWNER[0], TENANT[0])),
    Presigned("tenant's signature, another's item", key=TENANT),
    Presigned("unknown key", key=("AKIANOBODY", "x")),
    Presigned("wrong secret", key=(OWNER[0], "x")),
    Presigned("algorithm alone", replace=("X-Amz-Credential", "X-Amz-Nothing")),
    Presigned("encoded names", replace=("X-Amz-Algorithm", "X-Amz-%41lgorithm")),
    Presigned("header and query at once", header=True, code=INVALID),
    Presigned("header and query, encoded name", header=True, replace=("X-Amz-Algorithm", "%58-Amz-Algorithm"),
              code=INVALID),
]


class PresignedRequests(SignedTest):
    def query(self, case, body):
        url = f"{self.url}/"
        request = AWSRequest(method="POST", url=url, data=body, headers={
            "Content-Type": wire.JSON, "X-Amz-Target": wire.TARGET + "PutItem"})
        SigV4QueryAuth(Credentials(*case.key), "dynamodb", "us-east-1", expires=case.expires).add_auth(request)
        return request.url[len(url) + 1:].replace(*case.replace) + case.more

    def test_presigned(self):
        for case in CASES:
            with self.subTest(case.name):
                request = self.sign("PutItem", put(INTRUDER), query="")
                if not case.header:
                    request.remove("Authorization")
                    request.remove("X-Amz-Date")
                request.target = "/?" + self.query(case, request.body)
                self.check_answer(self.send(request), 400, case.code)
                self.check_unharmed(INTRUDER)

    def test_presigned_get_does_nothing(self):
        """A link that somebody is made to follow."""
        for method in ("GET", "HEAD", "PUT", "DELETE"):
            with self.subTest(method):
                request = self.sign("DeleteTable", {"TableName": TABLE})
                request.target = "/?" + self.query(CASES[0], request.body)
                request.remove("Authorization")
                request.add("Connection", "close")
                request.method = method
                heard = wire.talk(self.port, request.bytes())
                self.assertTrue(heard.closed, heard)
                self.assertNotIn(b"TableDescription", b"".join(answer.body for answer in heard.answers))
                self.check_unharmed(INTRUDER)
