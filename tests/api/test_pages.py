"""The web app at `/`: what browsers get, what programs keep, and how careful browsers are told to be."""

import gzip
import html.parser
import re

from case import ApiTest

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
SENTENCE = b"Cairn serves the DynamoDB protocol here: point an AWS SDK at this address.\n"
FIRST_LOAD_BYTES_MAX = 250_000  # compressed
TYPES = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml",
         "html": "text/html; charset=utf-8", "json": "application/json", "png": "image/png",
         "webmanifest": "application/manifest+json", "ico": "image/x-icon", "woff2": "font/woff2"}


class Page(html.parser.HTMLParser):
    """What a document loads, and what a strict content security policy would refuse."""

    def __init__(self, text):
        super().__init__()
        self.loads, self.refused, self._open = [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.refused += [name for name in attributes if name == "style" or name.startswith("on")]
        self._open = tag if tag in ("script", "style") else None
        if tag == "script" and "src" in attributes:
            self.loads.append(attributes["src"])
        if tag == "link" and attributes.get("rel") in ("stylesheet", "icon", "modulepreload", "manifest"):
            self.loads.append(attributes["href"])

    def handle_endtag(self, tag):
        self._open = None

    def handle_data(self, data):
        if self._open and data.strip():
            self.refused.append(f"<{self._open}> {data.strip()[:40]}")


class PagesTest(ApiTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.browser = cls.client()

    def open(self, path, **headers):
        return self.browser.get(path, **{"accept": BROWSER, **headers})

    def index(self):
        """The app's document; skips where the binary has none."""
        answer = self.expect(200, self.open("/"))
        if b"without its pages" in answer.raw:
            self.skipTest("this binary was built without the pages (no node, or CAIRN_PAGES=OFF)")
        return answer

    def assets(self):
        """Every file that the document loads, by its address."""
        return {path: self.expect(200, self.browser.get(path)) for path in Page(self.index().raw.decode()).loads}


class Programs(PagesTest):
    """All that was there before the pages stays as it was."""

    def test_the_root_is_an_endpoint_for_sdks(self):
        for accept in (None, "*/*", "application/json"):
            answer = self.expect(200, self.browser.get("/", accept=accept))
            self.assertEqual((answer.raw, answer.headers["Content-Type"]), (SENTENCE, "text/plain; charset=utf-8"))
        self.assertEqual(sorted(self.dynamodb().list_tables()["TableNames"]),
                         ["App", "CairnIdentity", "CairnJobs", "CairnModels", "CairnReceipts", "ProductivityData"])

    def test_unknown_addresses_are_problems(self):
        for path in ("/values", "/nothing", "/index.htm", "/assets/nothing.js"):
            with self.subTest(path=path):
                answer = self.expect(404, self.browser.get(path))
                self.assertEqual(answer.headers["Content-Type"], "application/problem+json")
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            self.expect(404, self.browser.send(method, "/values", None, None, {"Accept": BROWSER}))

    def test_addresses_of_programs_are_never_pages(self):
        """Also for a browser: what the API answers, and be it a refusal, is not covered by a page."""
        paths = {re.sub(r"{\w+}", "x", operation.path) for operation in self.browser.contract().operations.values()}
        for path in (*paths, "/api", "/api/nothing", "/openapi.json", "/healthz", "/metrics", "/models/values", "/ws",
                     "/assets/nothing.js", "/robots.txt", "//evil.example", "//", "///", "/a//b", "/a%2fb", "/%zz"):
            with self.subTest(path=path):
                self.assertNotIn("text/html", self.open(path).headers["Content-Type"])


class Documents(PagesTest):
    def test_every_address_of_the_app_is_the_same_document(self):
        index = self.index()
        for path in ("/values", "/today", "/review", "/account", "/plans/2026-03-02", "/values/", "/?a=b"):
            with self.subTest(path=path):
                answer = self.expect(200, self.open(path))
                self.assertEqual((answer.raw, answer.tag), (index.raw, index.tag))

    def test_is_asked_for_again_and_not_sent_again(self):
        index = self.index()
        self.assertEqual(index.headers["Cache-Control"], "no-cache")
        self.assertIn("Accept", ",".join(index.headers.get_all("Vary")))
        known = self.expect(304, self.open("/today", if_none_match=index.tag))
        self.assertEqual((known.raw, known.tag), (b"", index.tag))
        self.expect(200, self.open("/", if_none_match='W/"another"'))

    def test_content_security_policy(self):
        for answer in (self.expect(200, self.open("/")), *self.assets().values()):
            policy = dict(part.strip().partition(" ")[::2]
                          for part in answer.headers["Content-Security-Policy"].split(";"))
            self.assertEqual(policy["default-src"], "'self'")
            self.assertEqual(policy["script-src"], "'self'")
            self.assertEqual(policy["style-src"], "'self'")
            self.assertEqual(policy["connect-src"], "'self'")  # the same host's WebSockets included
            self.assertEqual(policy["frame-ancestors"], "'none'")
            self.assertNotIn("unsafe", answer.headers["Content-Security-Policy"])
            self.assertNotIn("Strict-Transport-Security", answer.headers)

    def test_keeps_to_its_own_policy(self):
        self.assertEqual(Page(self.index().raw.decode()).refused, [])

    def test_names_no_other_host(self):
        """Nothing is loaded from elsewhere; names of XML vocabularies are no addresses."""
        for path, answer in {"/": self.index(), **self.assets()}.items():
            with self.subTest(path=path):
                self.assertTrue(path.startswith("/") and not path.startswith("//"), path)
                hosts = set(re.findall(rb"(?:https?:|wss?:)//([\w.-]+\.[a-z]{2,})", answer.raw)) - {b"www.w3.org"}
                self.assertEqual(hosts, set())


class Assets(PagesTest):
    def test_stay_for_ever(self):
        assets = self.assets()
        self.assertTrue(any(path.startswith("/assets/") for path in assets), assets)
        for path, answer in assets.items():
            with self.subTest(path=path):
                hashed = path.startswith("/assets/")
                self.assertEqual(answer.headers["Cache-Control"],
                                 "max-age=31536000, immutable" if hashed else "no-cache")
                self.assertEqual(answer.headers["Content-Type"], TYPES[path.rpartition(".")[2]])
                self.expect(304, self.browser.get(path, if_none_match=f'"x", {answer.tag}'))

    def test_gzip_is_the_same_and_smaller(self):
        for path, plain in self.assets().items():
            with self.subTest(path=path):
                packed = self.expect(200, self.browser.get(path, accept_encoding="gzip, deflate, br"))
                self.assertEqual(packed.raw, plain.raw)
                if packed.headers.get("Content-Encoding") == "gzip":
                    self.assertEqual(gzip.decompress(packed.wire), plain.raw)
                    self.assertLess(len(packed.wire), len(plain.raw))
                    self.assertIn("Accept-Encoding", plain.headers["Vary"])
                else:
                    self.assertLess(len(plain.raw), 1024, "only what is small is not worth it")

    def test_head(self):
        for path in ("/", *self.assets()):
            for encoding in (None, "gzip"):
                with self.subTest(path=path, encoding=encoding):
                    got = self.open(path, accept_encoding=encoding)
                    head = self.browser.head(path, accept=BROWSER, accept_encoding=encoding)
                    self.assertEqual((head.status, head.wire, head.headers["Content-Length"], head.tag),
                                     (200, b"", str(len(got.wire)), got.tag))

    def test_first_load_is_small(self):
        paths = ["/", *self.assets()]
        loaded = sum(len(self.open(path, accept_encoding="gzip").wire) for path in paths)
        self.assertLess(loaded, FIRST_LOAD_BYTES_MAX, paths)


class WithHttps(PagesTest):
    flags = ("--public-url", "https://cairn.example", "--metrics-listen", "127.0.0.1:0")

    def test_pages_insist_on_it(self):
        self.assertIn("max-age=", self.open("/").headers["Strict-Transport-Security"])


class WithOtherOrigins(PagesTest):
    flags = ("--cors-origin", "https://other.example")

    def test_pages_are_not_for_other_origins(self):
        answer = self.open("/", origin="https://other.example")
        self.assertNotIn("Access-Control-Allow-Origin", answer.headers)


class WithoutApplications(PagesTest):
    flags = ("--no-apps",)

    @classmethod
    def tearDownClass(cls):
        pass  # there is no contract to check anything against

    def test_there_are_no_pages(self):
        answer = self.raw_get("/")
        self.assertEqual(answer, (200, SENTENCE))
        self.assertEqual(self.raw_get("/values")[0], 404)

    def raw_get(self, path):
        """Without /openapi.json, which is the applications'."""
        answer = self.browser._exchange("GET", path, None, {"Accept": BROWSER})
        return answer.status, answer.raw
