"""Tokens of any form, correctly signed: with the server's own key, or with keys of another issuer made by openssl."""

import base64
import hashlib
import hmac
import json
import pathlib
import re
import subprocess
import time


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _part(value):
    return base64url(value if isinstance(value, bytes) else json.dumps(value).encode())


def claims(sub="alice", **more):
    """What a good token of our own says; a claim None is left out."""
    told = {"iss": "cairn", "sub": sub, "exp": int(time.time()) + 600, **more}
    return {name: value for name, value in told.items() if value is not None}


def sign(key, payload, header=None):
    """A token of our own form; header and payload may be bytes."""
    text = _part({"alg": "HS256", "typ": "JWT"} if header is None else header) + "." + _part(payload)
    return text + "." + base64url(hmac.new(key, text.encode(), hashlib.sha256).digest())


def _openssl(*arguments, stdin=b""):
    return subprocess.run(["openssl", *arguments], input=stdin, capture_output=True, check=True).stdout


class IssuerKey:
    """A key pair of another issuer, in files of a folder."""

    def __init__(self, folder, kid, kind="RSA"):
        self.kid, self.kind = kid, kind
        self._private = str(pathlib.Path(folder, kid + ".pem"))
        options = {"RSA": ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
                   "EC": ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]}[kind]
        _openssl("genpkey", *options, "-out", self._private)

    def public_pem(self):
        return _openssl("pkey", "-in", self._private, "-pubout")

    def jwk(self, **more):
        """As it stands in a JWKS."""
        if self.kind == "RSA":
            printed = _openssl("rsa", "-in", self._private, "-noout", "-modulus").decode()
            modulus = bytes.fromhex(printed.strip().partition("=")[2])
            return {"kty": "RSA", "kid": self.kid, "use": "sig", "alg": "RS256", "e": "AQAB", "n": base64url(modulus),
                    **more}
        point = _openssl("pkey", "-in", self._private, "-pubout", "-outform", "DER")[-64:]
        return {"kty": "EC", "crv": "P-256", "kid": self.kid, "use": "sig", "alg": "ES256",
                "x": base64url(point[:32]), "y": base64url(point[32:]), **more}

    def sign(self, payload, **header):
        """A token with this key. A header None is left out."""
        told = {"alg": "RS256" if self.kind == "RSA" else "ES256", "kid": self.kid, "typ": "at+jwt", **header}
        text = _part({name: value for name, value in told.items() if value is not None}) + "." + _part(payload)
        signature = _openssl("dgst", "-sha256", "-sign", self._private, stdin=text.encode())
        return text + "." + base64url(signature if self.kind == "RSA" else _raw_signature(signature))


def _raw_signature(der):
    """ES256 signs with r and s side by side, openssl prints them as two integers of a sequence."""
    parts = re.match(rb"\x30.\x02(.)", der, re.DOTALL)
    r_end = 4 + parts.group(1)[0]
    r, s = der[4:r_end], der[r_end + 2:]
    return b"".join(number.lstrip(b"\0").rjust(32, b"\0") for number in (r, s))
