"""Tokens of another issuer (--issuer, --audience, --jwks-file or --jwks-url): RS256 and ES256, and what is refused."""

import http.server
import json
import pathlib
import shutil
import tempfile
import threading
import time

from case import ApiTest
from cairn_server import CairnServer, StartFailed, binary_from_environment
from tokens import IssuerKey, base64url, sign

ME = "/api/auth/me"
ISSUER, AUDIENCE = "https://issuer.example/pool", "our-client"


def external(**more):
    """What a good token of the issuer says; a claim None is left out."""
    now = int(time.time())
    told = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ext-alice", "iat": now, "exp": now + 600, **more}
    return {name: value for name, value in told.items() if value is not None}


class IssuerTest(ApiTest):
    """Keys in a folder that goes with the class."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="cairn-keys-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.rsa, cls.ec = IssuerKey(cls.folder, "rsa-1"), IssuerKey(cls.folder, "ec-1", "EC")
        cls.stranger = IssuerKey(cls.folder, "stranger")
        cls.jwks = {"keys": [cls.rsa.jwk(), cls.ec.jwk()]}
        cls.configure()
        super().setUpClass()

    def me(self, token):
        return self.client(token).get(ME)


class FromAFile(IssuerTest):
    @classmethod
    def configure(cls):
        file = pathlib.Path(cls.folder, "jwks.json")
        file.write_text(json.dumps(cls.jwks))
        cls.flags = ("--issuer", ISSUER, "--audience", AUDIENCE, "--jwks-file", str(file))

    def test_good_tokens(self):
        for what, token in {"RS256": self.rsa.sign(external()), "ES256": self.ec.sign(external()),
                            "typ JWT": self.rsa.sign(external(), typ="JWT"),
                            "no typ": self.rsa.sign(external(), typ=None),
                            "Cognito": self.rsa.sign(external(aud=None, client_id=AUDIENCE, token_use="access")),
                            "leeway": self.rsa.sign(external(exp=int(time.time()) - 50))}.items():
            with self.subTest(what=what):
                self.assertEqual(self.expect(200, self.me(token)).body, {"userId": "ext-alice"})

    def test_such_a_user_has_a_tree_of_their_own(self):
        alice = self.client(self.rsa.sign(external()))
        self.node(alice, title="of the other issuer")
        self.assertEqual(self.client(self.ec.sign(external())).get("/api/values").body["nodes"][0]["title"],
                         "of the other issuer")
        self.assertEqual(self.client(self.ec.sign(external(sub="ext-al"))).get("/api/values").body["nodes"], [])
        self.expect(204, alice.post("/api/auth/logout"))
        self.expect(404, alice.delete(ME, {"password": "any-passphrase"}))

    def test_our_own_tokens_stay_good(self):
        self.expect(200, self.user("alice").get(ME))
        self.expect(200, self.account("ada@example.org").get(ME))

    def test_every_bad_row_is_refused(self):
        now = int(time.time())
        pem = self.rsa.public_pem()
        good = self.rsa.sign(external())
        head, payload, signature = good.split(".")
        der_signature = base64url(b"\x30\x44" + b"\x02\x20" + b"a" * 32 + b"\x02\x20" + b"b" * 32)
        confused = {"alg": "HS256", "kid": "rsa-1", "typ": "at+jwt"}
        rows = {
            "confusion: HS256 with the public key": sign(pem, external(), confused),
            "confusion: HS256 with the public key, no line end": sign(pem.strip(), external(), confused),
            "confusion: HS256 with the modulus": sign(self.rsa.jwk()["n"].encode(), external(), confused),
            "confusion: HS256 of our own key, their issuer": sign(self.signing_key(), external(), confused),
            "confusion: our issuer with their key": self.rsa.sign(external(iss="cairn")),
            "confusion: ES256 with an RSA key": self.rsa.sign(external(), alg="ES256"),
            "confusion: RS256 with an EC key": self.ec.sign(external(), alg="RS256"),
            "confusion: RSA key under the EC key's name": self.rsa.sign(external(), kid="ec-1"),
            "confusion: RS512": self.rsa.sign(external(), alg="RS512"),
            "confusion: PS256": self.rsa.sign(external(), alg="PS256"),
            "none": self.rsa.sign(external(), alg="none").rsplit(".", 1)[0] + ".",
            "none: with signature": self.rsa.sign(external(), alg="none"),
            "kid: missing": self.rsa.sign(external(), kid=None), "kid: unknown": self.rsa.sign(external(), kid="rsa-2"),
            "kid: path": self.rsa.sign(external(), kid="../../dev/null"),
            "kid: number": self.rsa.sign(external(), kid=1),
            "kid: other case": self.rsa.sign(external(), kid="RSA-1"), "kid: long": self.rsa.sign(external(),
                                                                                                  kid="x" * 2000),
            "key: stranger": self.stranger.sign(external()),
            "key: stranger under a known name": self.stranger.sign(external(), kid="rsa-1"),
            "signature: none": f"{head}.{payload}.", "signature: cut": good[:-4],
            "signature: other payload": f"{head}.{self.rsa.sign(external(sub='ext-bob')).split('.')[1]}.{signature}",
            "signature: DER instead of r and s": self.ec.sign(external()).rsplit(".", 1)[0] + "." + der_signature,
            "signature: zeros": self.ec.sign(external()).rsplit(".", 1)[0] + "." + base64url(b"\0" * 64),
            "time: ended": self.rsa.sign(external(exp=now - 70)), "time: no end": self.rsa.sign(external(exp=None)),
            "time: text": self.rsa.sign(external(exp=str(now + 60))),
            "time: not yet": self.rsa.sign(external(nbf=now + 600)),
            "time: made in the future": self.rsa.sign(external(iat=now + 600)),
            "iss: longer": self.rsa.sign(external(iss=ISSUER + ".evil")),
            "iss: prefix": self.rsa.sign(external(iss=ISSUER[:-1])),
            "iss: slash": self.rsa.sign(external(iss=ISSUER + "/")), "iss: missing": self.rsa.sign(external(iss=None)),
            "iss: list": self.rsa.sign(external(iss=[ISSUER])),
            "aud: other": self.rsa.sign(external(aud="other-client")),
            "aud: list": self.rsa.sign(external(aud=[AUDIENCE, "x"])),
            "aud: missing": self.rsa.sign(external(aud=None)),
            "aud: client_id alone": self.rsa.sign(external(aud=None, client_id=AUDIENCE)),
            "use: id": self.rsa.sign(external(token_use="id")), "use: nonce": self.rsa.sign(external(nonce="n")),
            "use: at_hash": self.rsa.sign(external(at_hash="x")), "typ: id token": self.rsa.sign(external(),
                                                                                                 typ="id+jwt"),
            "typ: logout": self.rsa.sign(external(), typ="logout+jwt"),
            "typ: in payload": self.rsa.sign(external(typ="ID")),
            "sub: missing": self.rsa.sign(external(sub=None)), "sub: empty": self.rsa.sign(external(sub="")),
            "sub: hash": self.rsa.sign(external(sub="ext#alice")), "sub: star": self.rsa.sign(external(sub="ext*")),
            "sub: question": self.rsa.sign(external(sub="ext?")),
            "sub: space": self.rsa.sign(external(sub="ext alice")),
            "sub: long": self.rsa.sign(external(sub="x" * 300)), "sub: number": self.rsa.sign(external(sub=7)),
            "crit": self.rsa.sign(external(), crit=["exp"]), "b64": self.rsa.sign(external(), b64=False),
            "jku": self.rsa.sign(external(), jku="http://127.0.0.1:1/"),
            "x5u": self.rsa.sign(external(), x5u="http://127.0.0.1:1/"),
            "jwk": self.stranger.sign(external(), jwk=self.stranger.jwk()),
            "x5c": self.stranger.sign(external(), x5c=["MIIB"]),
            "twice": self.rsa.sign(json.dumps(external()).encode()[:-1] + b',"sub":"ext-bob"}'),
        }
        for what, token in rows.items():
            with self.subTest(what=what):
                self.expect(401, self.me(token), "unauthenticated")

    def test_a_session_claim_of_theirs_means_nothing(self):
        """Sessions are ours: a token of theirs that names one is judged like any other."""
        ada = self.account("session@example.org")
        told = ada.get(ME).body
        answer = self.me(self.rsa.sign(external(sid=told["sessionId"])))
        self.assertNotIn("sessionId", answer.body or {})


class FromAnAddress(IssuerTest):
    @classmethod
    def configure(cls):
        test, cls.requests, cls.up = cls, [], True

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                test.requests.append(self.path)
                if not test.up:
                    return self.send_error(500)
                body = json.dumps(test.jwks).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        keys = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=keys.serve_forever, daemon=True).start()
        cls.addClassCleanup(keys.server_close)
        cls.addClassCleanup(keys.shutdown)
        cls.flags = ("--issuer", ISSUER, "--audience", AUDIENCE, "--jwks-url",
                     f"http://127.0.0.1:{keys.server_port}/keys.json")

    def test_keys_are_fetched_once_and_kept(self):
        """Unknown names make the server ask again at most once a minute, whoever sends them."""
        for _ in range(3):
            self.expect(200, self.me(self.rsa.sign(external())))
        asked = len(self.requests)
        self.assertEqual(set(self.requests), {"/keys.json"})
        for number in range(5):
            self.expect(401, self.me(self.stranger.sign(external(), kid=f"made-up-{number}")))
        self.assertLessEqual(len(self.requests), asked + 1)
        type(self).up = False
        self.expect(200, self.me(self.ec.sign(external())))


class Settings(ApiTest):
    """A server that could not tell whom to trust does not start."""

    def start(self, *flags):
        server = CairnServer(binary_from_environment(), apps=True, flags=flags)
        try:
            with self.assertRaises(StartFailed) as failed:
                server.start(10)
            return str(failed.exception)
        finally:
            server.close()

    def test_half_a_configuration_is_refused(self):
        file = ("--jwks-file", "/dev/null")
        for flags in (("--issuer", ISSUER), ("--issuer", ISSUER, "--audience", "x"), ("--issuer", ISSUER, *file),
                      ("--audience", "x", *file), file, ("--jwks-url", "https://x.example"),
                      ("--issuer", "cairn", "--audience", "x", *file),
                      ("--issuer", ISSUER, "--audience", "x", *file, "--jwks-url", "https://x.example"),
                      ("--issuer", ISSUER, "--audience", "x", "--jwks-url", "http://keys.example/keys"),
                      ("--issuer", ISSUER, "--audience", "x", "--jwks-url", "file:///etc/passwd"),
                      ("--issuer", ISSUER, "--audience", "x", "--jwks-url", "https://user:secret@keys.example/"),
                      ("--public-url", "cairn.example"), ("--public-url", "ftp://cairn.example"),
                      ("--cors-origin", "*"), ("--cors-origin", "null"), ("--cors-origin", "https://app.example/")):
            with self.subTest(flags=flags):
                told = self.start(*flags)
                self.assertNotIn("terminate", told)
                self.assertNotIn("secret", told)
