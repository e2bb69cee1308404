"""Tokens that are not to be trusted (RFC 8725), one case per row, against GET /api/auth/me: 401, at once, and nothing
they name is looked at. Tokens of other issuers are in test_issuers.py.
"""

import http.server
import json
import threading
import time

from case import ApiTest
from tokens import base64url, claims, sign

ME = "/api/auth/me"


def rows(key):
    """What is wrong -> the token. Signed with the server's own key where nothing else is said: only what the row is
    about can be the reason to refuse it."""
    now = int(time.time())
    good = sign(key, claims())
    head, payload, signature = good.split(".")
    bob = sign(key, claims("bob")).split(".")[1]
    cases = {
        "form: empty": "", "form: one part": "x", "form: two parts": f"{head}.{payload}",
        "form: four parts": good + ".x",
        "form: no signature": f"{head}.{payload}.", "form: empty parts": "..", "form: signature only": f"..{signature}",
        "form: other payload": f"{head}.{bob}.{signature}", "form: cut": good[:-2],
        "form: not a key": sign(b"k" * 32, claims()), "form: empty key": sign(b"", claims()),
        "form: header is a list": sign(key, claims(), b"[]"), "form: payload is a list": sign(key, b"[]"),
        "form: payload is text": sign(key, b"alice"), "form: payload is empty": sign(key, b""),
        "form: two objects": sign(key, json.dumps(claims()).encode() * 2),
        "form: not UTF-8": sign(key, b'{"iss":"cairn","sub":"\xff","exp":%d}' % (now + 60)),
        "form: lone surrogate": sign(key, b'{"iss":"cairn","sub":"\\ud800","exp":%d}' % (now + 60)),
    }
    for algorithm in ("none", "None", "nONE", "NONE", "", "HS384", "HS512", "hs256", "RS256", "ES256", "PS256",
                      "HS256 "):
        cases[f"none: alg {algorithm!r}"] = sign(key, claims(), {"alg": algorithm, "typ": "JWT"})
        unsigned = base64url(json.dumps({"alg": algorithm, "typ": "JWT"}).encode()) + "." + payload
        cases[f"none: alg {algorithm!r} without signature"] = unsigned + "."
        cases[f"none: alg {algorithm!r} with the old signature"] = unsigned + "." + signature
    for what, header in (("missing", {"typ": "JWT"}), ("null", {"alg": None}), ("a list", {"alg": ["HS256"]})):
        cases[f"none: alg is {what}"] = sign(key, claims(), header)
    for kid in ("../../dev/null", "/dev/null", "' OR 1=1", "x" * 2000, "unknown", "", 7, None, "bob"):
        cases[f"kid: {str(kid)[:20]!r}"] = sign(key, claims(), {"alg": "HS256", "kid": kid})
    cases["kid: /dev/null with an empty key"] = sign(b"", claims(), {"alg": "HS256", "kid": "/dev/null"})
    for what, end in (("past", now - 61), ("long past", 1), ("zero", 0), ("missing", None), ("text", str(now + 600)),
                      ("fraction", now + 600.5), ("negative", -1), ("true", True), ("a list", [now + 600]),
                      ("huge", 10**17),
                      ("beyond 64 bits", 10**30)):
        cases[f"time: exp {what}"] = sign(key, claims(exp=end))
    cases["time: exp 1e400"] = sign(key, b'{"iss":"cairn","sub":"alice","exp":1e400}')
    cases["time: exp 1e12"] = sign(key, b'{"iss":"cairn","sub":"alice","exp":1e12}')
    for name in ("nbf", "iat"):
        for what, begin in (("in ten minutes", now + 600), ("beyond the leeway", now + 70), ("text", str(now)),
                            ("negative", -5)):
            cases[f"time: {name} {what}"] = sign(key, claims(**{name: begin}))
    for what, issuer in (("missing", None), ("other", "elsewhere"), ("longer", "cairn.evil"), ("prefix", "cair"),
                         ("upper", "Cairn"),
                         ("empty", ""), ("a list", ["cairn"])):
        cases[f"parties: iss {what}"] = sign(key, claims(iss=issuer))
    for what, audience in (("other", "elsewhere"), ("a list", ["cairn"]), ("a list of others", ["x", "cairn"]),
                           ("empty", "")):
        cases[f"parties: aud {what}"] = sign(key, claims(aud=audience))
    for kind in ("at+jwt", "id+jwt", "ID", "JWE", "", 1):
        cases[f"parties: typ {kind!r}"] = sign(key, claims(), {"alg": "HS256", "typ": kind})
    for what, subject in (("missing", None), ("empty", ""), ("a list", ["alice"]), ("a number", 7),
                          ("an object", {"id": "alice"})):
        cases[f"parties: sub {what}"] = sign(key, {"iss": "cairn", "exp": now + 60, "sub": subject})
    for what, session in (("empty", ""), ("unknown", "01BX5ZZKBKACTAV9WEVGEMMVRZ"), ("no id", "x"), ("a number", 1),
                          ("with a key in it", "01BX5ZZKBKACTAV9WEVGEMMVRZ#USER")):
        cases[f"session: sid {what}"] = sign(key, claims(sid=session))
    twice = b'{"iss":"cairn","sub":"bob","sub":"alice","exp":%d}' % (now + 60)
    cases.update({
        "twice: sub": sign(key, twice), "twice: alg": sign(key, claims(), b'{"alg":"none","alg":"HS256"}'),
        "twice: exp": sign(key, b'{"iss":"cairn","sub":"a","exp":1,"exp":%d}' % (now + 60)),
        "twice: spelt otherwise": sign(key, b'{"iss":"cairn","sub":"bob","\\u0073ub":"alice","exp":%d}' % (now + 60)),
        "crit: unknown": sign(key, claims(), {"alg": "HS256", "crit": ["exp"]}),
        "crit: empty": sign(key, claims(), {"alg": "HS256", "crit": []}),
        "crit: b64": sign(key, claims(), {"alg": "HS256", "b64": False}),
        "crit: zip": sign(key, claims(), {"alg": "HS256", "zip": "DEF"}),
        "base64: padding": good + "=", "base64: padded part": f"{head}=.{payload}.{signature}",
        "base64: plus": f"{head}+.{payload}.{signature}",
        "base64: line break inside": f"{head}%0a.{payload}.{signature}",
        "base64: trailing bits": f"{head}.{payload}." + signature[:-1] + chr(ord(signature[-1]) ^ 1),
        "base64: not its letters": f"{head}.{payload}.{'!' * 43}",
        "size: 4 KB": sign(key, claims(note="x" * 4000)), "size: 9 KB": "x" * 9000,
        "size: deep": sign(key,
                           b'{"x":' + b"[" * 1500 + b"]" * 1500 + b',"iss":"cairn","sub":"a","exp":%d}' % (now + 60)),
    })
    return cases


class BadTokens(ApiTest):
    def test_every_row_is_refused(self):
        """401 in the same form."""
        key = self.signing_key()
        self.expect(200, self.client(sign(key, claims())).get(ME))
        for what, token in rows(key).items():
            with self.subTest(what=what):
                answer = self.expect(401, self.client(token).get(ME), "unauthenticated")
                self.assertTrue(answer.headers["WWW-Authenticate"].startswith("Bearer"))
                if len(token) > 20:
                    self.assertNotIn(token[-20:].encode(), answer.raw)
        self.assertTrue(self.server.running())

    def test_trailing_bits_are_the_only_difference(self):
        """The row above would mean nothing if the good signature were the one with odd bits."""
        key = self.signing_key()
        good = sign(key, claims())
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        for last in letters:
            status = self.client(good[:-1] + last).get(ME).status
            self.assertEqual(status, 200 if last == good[-1] else 401, last)

    def test_clocks_may_differ_by_a_minute(self):
        key, now = self.signing_key(), int(time.time())
        for what, payload in (("just ended", claims(exp=now - 55)), ("starts soon", claims(nbf=now + 55)),
                              ("made soon", claims(iat=now + 55)), ("no typ needed", claims())):
            with self.subTest(what=what):
                self.expect(200, self.client(sign(key, payload)).get(ME))
        self.expect(200, self.client(sign(key, claims(), {"alg": "HS256"})).get(ME))
        self.expect(200, self.client(sign(key, claims(aud="cairn"))).get(ME))

    def test_a_token_of_a_megabyte(self):
        """Refused by its size, before anything else is done with it."""
        answer = self.client()._exchange("GET", ME, None, {"Authorization": "Bearer " + "x" * (1 << 20)})
        self.assertIn(answer.status, (400, 401, 431))
        self.expect(200, self.user("alice").get(ME))

    def test_other_schemes(self):
        good = sign(self.signing_key(), claims())
        nobody = self.client()
        for field in ("Basic YWxpY2U6eA==", good, f"Token {good}", "Bearer", "Bearer ", f"Bearer{good}",
                      f"Bearer\t{good}",
                      f"Bearer {good} x", f"Bearer {good},x", f"Bearer x, Bearer {good}", f"BearerX {good}",
                      "\x42\x00"[:1]):
            with self.subTest(field=field[:30]):
                self.expect(401, nobody.get(ME, authorization=field))
        for field in (f"bearer {good}", f"BEARER {good}", f"Bearer  {good}"):
            self.expect(200, nobody.get(ME, authorization=field))

    def test_tokens_in_other_places_are_not_looked_for(self):
        good = sign(self.signing_key(), claims())
        self.expect(401, self.client().get(ME, {"access_token": good}))
        self.expect(401, self.client().get(ME, cookie=f"access_token={good}; cairn_session={good}"))
        self.expect(401, self.client().get(ME, x_access_token=good))

    def test_every_operation_needs_one(self):
        """All of the document but those that are open, before anything else about the request is told."""
        nobody = self.client()
        for operation in nobody.contract().operations.values():
            if operation.item.get("security") == []:
                continue
            address = operation.path.replace("{", "").replace("}", "")
            with self.subTest(operation=operation.id):
                self.expect(401, nobody.send(operation.method.upper(), address,
                                             {"x": 1} if operation.is_change() else None))
                self.expect(401, nobody.send(operation.method.upper(), address, b"not json"
                                             if operation.is_change() else None))


class Listener(threading.Thread):
    """Counts requests that nobody should make."""

    def __init__(self):
        super().__init__(daemon=True)
        listener, self.requests = self, []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                listener.requests.append(self.path)
                self.send_error(404)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.start()

    def run(self):
        self.server.serve_forever()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class KeysFromTheToken(ApiTest):
    def test_addresses_in_the_header_are_not_followed(self):
        """jku, x5u, jwk and friends: refused, and no connection is made."""
        listener = Listener()
        self.addCleanup(listener.close)
        key = self.signing_key()
        embedded = {"kty": "oct", "k": base64url(b"k" * 32)}
        for header in ({"jku": listener.url + "/keys"}, {"x5u": listener.url + "/cert"}, {"jwk": embedded},
                       {"x5c": ["MIIB"]}, {"kid": listener.url + "/kid"}, {"iss": listener.url}):
            for signed_with in (key, b"k" * 32):
                with self.subTest(header=list(header)):
                    self.expect(401, self.client(sign(signed_with, claims(), {"alg": "HS256", **header})).get(ME))
        self.expect(401, self.client(sign(key, claims(iss=listener.url))).get(ME))
        self.assertEqual(listener.requests, [])
