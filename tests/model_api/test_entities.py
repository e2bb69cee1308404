"""Entities over REST: create, read, replace, change, delete; every kind of attribute; every write mode."""

import unittest

from case import HOME, ModelApiTest

ULID = r"^[0-7][0-9A-HJKMNP-TV-Z]{25}$"


class Create(ModelApiTest):
    def test_completed_entity_comes_back(self):
        reply = self.job(rank=7)
        self.assertRegex(reply.body["jobId"], ULID)
        self.assertEqual(reply.body["userId"], "alice")
        self.assertEqual((reply.body["state"], reply.body["rank"], reply.body["version"]), ("OPEN", 7, 1))
        self.assertEqual(reply.body["createdAt"], reply.body["updatedAt"])
        self.assertEqual(reply.tag, '"1"')
        self.assertEqual(reply.headers["Location"], f"{HOME}/Job/{reply.body['jobId']}")
        self.assertEqual(self.alice.get(reply.headers["Location"]).body, reply.body)

    def test_every_kind_of_attribute(self):
        values = {"title": "ü ☃ \U0001f600 \" \\ \n", "slug": "every-kind", "state": "BUSY", "tone": "wild", "rank": 0,
                  "urgent": True, "due": None, "when": "2026-11-15T19:42:30Z", "steps": ["b", "a", "b"],
                  "marks": ["x", "y"], "sizes": [1, 2, 30], "place": {"street": "s", "floor": 3, "flat": None},
                  "extra": {"deep": [1, {"a": [True, False, None, "x"]}], "empty": {}, "list": []},
                  "places": [{"street": "a"}, {"street": "b", "floor": 0}], "origin": "here"}
        reply = self.job(**values)
        for name, value in values.items():
            self.assertEqual(reply.body[name], value, name)
        self.assertEqual(self.alice.get(reply.headers["Location"]).body, reply.body)

    def test_numbers_keep_every_digit(self):
        for text in (b"0.1", b"12345678901234567890.123456789012345678", b"-1e-100", b"9007199254740993", b"1E+10"):
            reply = self.expect(201, self.alice.post("Job", b'{"title":"n","price":' + text + b"}"))
            again = self.alice.get(reply.headers["Location"])
            self.assertEqual(again.raw, reply.raw)
            self.assertEqual(float(again.body["price"]), float(text))
        reply = self.alice.post("Job", b'{"title":"n","price":12345678901234567890.123456789012345678}')
        self.assertEqual(reply.body["price"], "12345678901234567890.123456789012345678")

    def test_forms_that_mean_the_same_become_one(self):
        reply = self.job(when="2026-11-15T21:42:30.999+02:00")
        self.assertEqual(reply.body["when"], "2026-11-15T19:42:30Z")

    def test_own_id_may_be_given_once(self):
        own = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
        self.job(jobId=own)
        self.expect(409, self.alice.post("Job", {"title": "again", "jobId": own}), "already-exists")
        self.job(user=self.bob, jobId=own)  # another owner's is another job

    def test_element_of_a_set_counts_once(self):
        self.assertEqual(self.job(marks=["b", "a", "b"]).body["marks"], ["a", "b"])

    def test_empty_set_is_none(self):
        self.assertNotIn("marks", self.job(marks=[]).body)

    def test_secret_is_written_and_never_shown(self):
        reply = self.job(pin="9471")
        location = reply.headers["Location"]
        seen = [reply, self.alice.get(location), self.alice.patch(location, {"pin": "9472"}, if_match="*"),
                self.alice.put(location, {"title": "x", "pin": "9473"}, if_match="*"),
                self.alice.page("jobs", limit=20), self.alice.page("everything"),
                self.alice.page("jobsByState", state="OPEN"), self.alice.page("jobWithParts", jobId=reply.body["jobId"])]
        for answer in seen:
            self.assertIn(answer.status, (200, 201), answer)
            self.assertNotIn(b"947", answer.raw)
            self.assertNotIn(b'"pin"', answer.raw)

    def test_unique_value_is_guarded(self):
        first = self.job(slug="only-one")
        self.expect(409, self.alice.post("Job", {"title": "x", "slug": "only-one"}), "not-unique")
        self.job(user=self.bob, slug="only-one")
        other = self.job(slug="other-one")
        stolen = self.alice.patch(other.headers["Location"], {"slug": "only-one"}, if_match="*")
        self.expect(409, stolen, "not-unique")
        self.assertIn("slug", stolen.fields())
        self.expect(204, self.alice.delete(first.headers["Location"], if_match="*"))
        self.expect(200, self.alice.patch(other.headers["Location"], {"slug": "only-one"}, if_match="*"))


class Wrong(ModelApiTest):
    """Bodies and requests that are refused, as tables."""

    def test_malformed_bodies(self):
        for body in (b"", b"{", b"[]", b"null", b"1", b'"x"', b"{}{}", b'{"title":"a","title":"b"}', b'{"title":}',
                     b'{"title":"\xff"}', b'{"rank":01}', b'{"rank":NaN}', b'{"extra":{"a":1,"a":2}}',
                     b'{"extra":' + b"[" * 5000 + b"]" * 5000 + b"}", b"{'title':'x'}", b'{"title":"x",}'):
            with self.subTest(body=body[:40]):
                self.expect(400, self.alice.post("Job", body), "malformed")
                self.expect(400, self.alice.patch("Job/01ARZ3NDEKTSV4RRFFQ69G5FAV", body, if_match="*"), "malformed")

    def test_fields_that_break_a_rule(self):
        table = [
            ({}, ["title"]), ({"title": ""}, ["title"]), ({"title": "x" * 101}, ["title"]), ({"title": 5}, ["title"]),
            ({"title": None}, ["title"]), ({"titel": "x", "title": "x"}, ["titel"]), ({"title": "x", "p": 1}, ["p"]),
            ({"title": "x", "PK": "U#bob"}, ["PK"]), ({"title": "x", "kind": "JOB"}, ["kind"]),
            ({"title": "x", "state": "LOST"}, ["state"]), ({"title": "x", "state": "open"}, ["state"]),
            ({"title": "x", "rank": -1}, ["rank"]), ({"title": "x", "rank": 10000}, ["rank"]),
            ({"title": "x", "rank": 1.5}, ["rank"]), ({"title": "x", "rank": "1"}, ["rank"]),
            ({"title": "x", "urgent": "yes"}, ["urgent"]), ({"title": "x", "due": "2026-02-30"}, ["due"]),
            ({"title": "x", "when": "yesterday"}, ["when"]), ({"title": "x", "slug": "No Slug"}, ["slug"]),
            ({"title": "x", "steps": ["a"] * 6}, ["steps"]), ({"title": "x", "steps": [1]}, ["steps[0]"]),
            ({"title": "x", "marks": "a"}, ["marks"]), ({"title": "x", "sizes": [1, "2"]}, ["sizes[1]"]),
            ({"title": "x", "extra": []}, ["extra"]), ({"title": "x", "place": {}}, ["place.street"]),
            ({"title": "x", "place": {"street": "s", "flor": 1}}, ["place.flor"]),
            ({"title": "x", "place": {"street": "s", "floor": 100}}, ["place.floor"]),
            ({"title": "x", "places": [{"street": "s"}, {"street": 1}]}, ["places[1].street"]),
            ({"title": "x", "pin": "123"}, ["pin"]), ({"title": "x", "version": 9}, ["version"]),
            ({"title": "x", "createdAt": "2026-01-01T00:00:00.000Z"}, ["createdAt"]),
            ({"title": "x", "jobId": "not-a-ulid"}, ["jobId"]), ({"title": 1, "rank": "x"}, ["rank", "title"]),
        ]
        for body, fields in table:
            with self.subTest(body=body):
                reply = self.expect(422, self.alice.post("Job", body), "invalid", fields)
                self.assertTrue(all(error["message"] for error in reply.body["errors"]))
        self.expect(422, self.alice.post("Job", b'{"title":"x","price":1e400}'), "invalid", ["price"])

    def test_misspelt_names_get_the_right_one(self):
        reply = self.alice.post("Job", {"titel": "x"})
        self.assertIn("'title'", reply.body["errors"][0]["message"])
        self.assertIn("Job", self.expect(404, self.alice.post("Jobb", {})).body["detail"])
        self.assertIn("jobsByState", self.expect(404, self.alice.page("jobsBystate")).body["detail"])

    def test_key_cannot_be_forged_with_the_delimiter(self):
        for name in ("a#b", "#", "a\u0000", "a b", ""):
            with self.subTest(name=name):
                self.expect(422, self.alice.post("Wish", {"name": name}))

    def test_content_type(self):
        for kind in (None, "text/plain", "application/x-www-form-urlencoded", "application/merge-patch+json"):
            with self.subTest(kind=kind):
                self.expect(415, self.alice.send("POST", "Job", b"{}", {"Content-Type": kind}))
        self.expect(415, self.alice.patch("Settings", b"{}", if_match="*", content_type="application/json-patch+json"))
        self.job()
        self.expect(201, self.alice.send("POST", "Job", b'{"title":"x"}',
                                         {"Content-Type": "application/json; charset=utf-8"}))

    def test_size(self):
        self.expect(413, self.alice.post("Job", {"title": "x", "extra": {"a": "x" * (4 << 20)}}))
        self.expect(422, self.alice.post("Job", {"title": "x", "extra": {"a": "x" * (500 << 10)}}))
        self.job(extra={"a": "x" * (300 << 10)})

    def test_addresses(self):
        job = self.job().body["jobId"]
        for path in ("/api/m/nothing", "/api/m/nothing/Job", f"{HOME}/Nothing", f"{HOME}/job/{job}", f"{HOME}/Job/",
                     f"{HOME}/Job/{job}/more", f"{HOME}/Job/{job}/", f"{HOME}//Job", f"{HOME}/Job/not-a-ulid",
                     f"{HOME}/Job/{job}%23x", f"{HOME}/Job/a%2Fb", f"{HOME}/Part/{job}/2026-01-01", f"{HOME}/Part/{job}/today/1",
                     f"{HOME}/patterns", f"{HOME}/patterns/nothing", f"{HOME}/patterns/jobs/more", "/api", "/api/n"):
            with self.subTest(path=path):
                self.expect(404, self.alice.get(path))
        for path in (f"{HOME}/Job/%00", f"{HOME}/Job/%ff", f"{HOME}/Job/%", f"{HOME}/%C0%AF"):
            with self.subTest(path=path):
                self.expect(400, self.alice.get(path), "malformed")

    def test_methods(self):
        job = self.job().body["jobId"]
        table = [("GET", "Job", "POST"), ("DELETE", "Job", "POST"), ("POST", f"Job/{job}", "GET, HEAD, PUT, PATCH, DELETE"),
                 ("PUT", "Entry/1", "GET, HEAD"), ("PATCH", "Entry/1", "GET, HEAD"), ("DELETE", "Entry/1", "GET, HEAD"),
                 ("PUT", "Stamp/x", "GET, HEAD, DELETE"), ("PATCH", "Stamp/x", "GET, HEAD, DELETE"),
                 ("POST", "patterns/jobs", "GET, HEAD"), ("TRACE", f"Job/{job}", None), ("DELETE", "/api/m", "GET, HEAD")]
        for method, path, allowed in table:
            with self.subTest(method=method, path=path):
                reply = self.expect(405, self.alice.send(method, path, {}), "method-not-allowed")
                if allowed:
                    self.assertEqual(reply.headers["Allow"], allowed)


class Read(ModelApiTest):
    def test_if_none_match(self):
        job = self.job()
        for tags in (job.tag, f'W/{job.tag}', f'"0", {job.tag}', "*"):
            reply = self.alice.get(job.headers["Location"], if_none_match=tags)
            self.assertEqual((reply.status, reply.raw, reply.tag), (304, b"", job.tag), tags)
        for tags in ('"2"', '"11"', "1"):
            self.expect(200, self.alice.get(job.headers["Location"], if_none_match=tags))

    def test_head_has_no_body(self):
        reply = self.alice.send("HEAD", self.job().headers["Location"])
        self.assertEqual((reply.status, reply.raw, reply.tag), (200, b"", '"1"'))

    def test_several_attributes_in_the_key(self):
        job = self.job().body["jobId"]
        values = {"jobId": job, "day": "2026-01-02", "number": 7, "name": "screw"}
        made = self.expect(201, self.alice.post("Part", values))
        self.assertEqual(made.headers["Location"], f"{HOME}/Part/{job}/2026-01-02/7")
        reply = self.expect(200, self.alice.get(f"Part/{job}/2026-01-02/7"))
        self.assertEqual(reply.body, made.body)
        self.assertIsNone(reply.tag)
        self.expect(404, self.alice.get(f"Part/{job}/2026-01-02/8"))

    def test_expired_items_are_gone(self):
        self.expect(201, self.alice.post("Stamp", {"name": "old", "until": "2020-01-01T00:00:00Z"}))
        self.expect(404, self.alice.get("Stamp/old"))
        self.expect(201, self.alice.post("Stamp", {"name": "new", "until": "2090-01-01T00:00:00Z"}))
        self.expect(200, self.alice.get("Stamp/new"))


class Change(ModelApiTest):
    def test_patch(self):
        job = self.job(steps=["a"], due="2026-01-01", marks=["m"], place={"street": "s", "floor": 1})
        reply = self.expect(200, self.alice.patch(job.headers["Location"], {
            "title": "new", "steps": None, "due": None, "marks": [], "place": {"street": "t"}}, if_match=job.tag))
        expected = {**job.body, "title": "new", "due": None, "place": {"street": "t"}, "version": 2,
                    "updatedAt": reply.body["updatedAt"]}
        del expected["steps"], expected["marks"]
        self.assertEqual(reply.body, expected)
        self.assertGreaterEqual(reply.body["updatedAt"], job.body["updatedAt"])
        self.assertEqual(reply.tag, '"2"')
        self.assertEqual(self.alice.get(job.headers["Location"]).body, expected)

    def test_patch_with_json_content_type(self):
        job = self.job()
        self.expect(200, self.alice.patch(job.headers["Location"], {"rank": 1}, if_match=job.tag,
                                          content_type="application/json"))

    def test_patch_of_what_must_stay(self):
        job = self.job(origin="here")
        for body, fields in (({"title": None}, ["title"]), ({"jobId": "01ARZ3NDEKTSV4RRFFQ69G5FAV"}, ["jobId"]),
                             ({"origin": "there"}, ["origin"]), ({"version": 7}, ["version"]), ({"nope": 1}, ["nope"]),
                             ({"updatedAt": None}, ["updatedAt"]), ({"rank": "x"}, ["rank"]), ({"rank": -1}, ["rank"])):
            with self.subTest(body=body):
                self.expect(422, self.alice.patch(job.headers["Location"], body, if_match="*"), "invalid", fields)
        self.expect(200, self.alice.patch(job.headers["Location"], {"jobId": job.body["jobId"], "rank": 3}, if_match="*"))

    def test_conditions(self):
        """The status of PATCH, PUT and DELETE for a condition."""
        table = [(None, 428), ('"2"', 412), ('"0"', 412), ('"abc"', 412), ('"01"', 412), ("1", 400), ('W/"1"', 412),
                 ('"1", "2"', 400), ("", 428)]
        job = self.job()
        for method in ("PATCH", "PUT", "DELETE"):
            for condition, status in table:
                with self.subTest(method=method, condition=condition):
                    body = None if method == "DELETE" else {"title": "x"}
                    self.expect(status, self.alice.send(method, job.headers["Location"], body, {"If-Match": condition}))
            body = None if method == "DELETE" else {"title": "x"}
            self.expect(400, self.alice.send(method, job.headers["Location"], body,
                                             {"If-Match": "*", "If-None-Match": "*"}))
        self.assertEqual(self.alice.get(job.headers["Location"]).body, job.body)

    def test_nothing_there_to_change(self):
        nowhere = "Job/01ARZ3NDEKTSV4RRFFQ69G5FAV"
        for condition in ("*", '"1"'):
            self.expect(404, self.alice.patch(nowhere, {"rank": 1}, if_match=condition))
            self.expect(404, self.alice.put(nowhere, {"title": "x"}, if_match=condition))
            self.expect(404, self.alice.delete(nowhere, if_match=condition))
        job = self.job().body["jobId"]
        self.expect(404, self.alice.patch(f"Part/{job}/2026-01-01/1", {"name": "x"}))
        self.expect(404, self.alice.delete(f"Part/{job}/2026-01-01/1"))

    def test_put_takes_back_what_get_gave(self):
        job = self.job(rank=5, marks=["a"], origin="here")
        body = {**self.alice.get(job.headers["Location"]).body, "title": "put"}
        del body["marks"]
        reply = self.expect(200, self.alice.put(job.headers["Location"], body, if_match=job.tag))
        self.assertEqual((reply.body["title"], reply.body["rank"], reply.body["version"]), ("put", 5, 2))
        self.assertNotIn("marks", reply.body)
        self.assertEqual(reply.body["createdAt"], job.body["createdAt"])
        self.assertEqual(reply.tag, '"2"')
        self.assertEqual(self.alice.get(job.headers["Location"]).body, reply.body)
        self.expect(412, self.alice.put(job.headers["Location"], body, if_match=job.tag), "version-mismatch")

    def test_put_must_agree_with_its_address(self):
        job = self.job()
        self.expect(422, self.alice.put(job.headers["Location"], {"title": "x", "jobId": "01ARZ3NDEKTSV4RRFFQ69G5FAV"},
                                        if_match="*"), "invalid", ["jobId"])
        self.expect(422, self.alice.put(job.headers["Location"], {}, if_match="*"), "invalid", ["title"])

    def test_delete(self):
        job = self.job()
        reply = self.expect(204, self.alice.delete(job.headers["Location"], if_match=job.tag))
        self.assertEqual(reply.raw, b"")
        self.expect(404, self.alice.get(job.headers["Location"]))
        self.expect(404, self.alice.delete(job.headers["Location"], if_match=job.tag))

    def test_patch_without_a_lock(self):
        job = self.job().body["jobId"]
        path = f"Part/{job}/2026-01-02/7"
        self.expect(201, self.alice.post("Part", {"jobId": job, "day": "2026-01-02", "number": 7, "name": "a", "count": 2}))
        reply = self.expect(200, self.alice.patch(path, {"count": 3}))
        self.assertEqual((reply.body["name"], reply.body["count"], reply.body["number"]), ("a", 3, 7))
        self.expect(412, self.alice.patch(path, {"count": 4}, if_match='"1"'))
        self.expect(200, self.alice.patch(path, {"count": 4}, if_match="*"))
        self.expect(204, self.alice.delete(path))

    def test_empty_patch_changes_nothing(self):
        job = self.job()
        reply = self.expect(200, self.alice.patch(job.headers["Location"], {}, if_match=job.tag))
        self.assertEqual(reply.body, job.body)


class Modes(ModelApiTest):
    def test_singleton_has_one_address(self):
        self.expect(404, self.alice.get("Settings"))
        made = self.expect(201, self.alice.post("Settings", {"size": 1}))
        self.assertEqual(made.headers["Location"], f"{HOME}/Settings")
        self.assertEqual(made.body["color"], "blue")
        self.expect(409, self.alice.post("Settings", {"size": 2}), "already-exists")
        reply = self.expect(200, self.alice.patch("Settings", {"size": 3}, if_match=made.tag))
        self.assertEqual((reply.body["size"], reply.tag), (3, '"2"'))
        self.expect(200, self.alice.put("Settings", {"color": "red"}, if_match=reply.tag))
        self.assertNotIn("size", self.alice.get("Settings").body)
        self.expect(404, self.bob.get("Settings"))
        self.expect(204, self.alice.delete("Settings", if_match='"3"'))
        self.expect(404, self.alice.get("Settings/x"))

    def test_upsert(self):
        first = self.expect(201, self.alice.post("Wish", {"name": "bike", "note": "a"}))
        self.expect(201, self.alice.post("Wish", {"name": "bike"}))
        self.assertNotIn("note", self.alice.get("Wish/bike").body)
        reply = self.expect(200, self.alice.put("Wish/bike", {"note": "b"}))
        self.assertEqual((reply.body["note"], reply.body["createdAt"]), ("b", first.body["createdAt"]))
        self.expect(200, self.alice.put("Wish/car", {"note": "new"}))
        self.assertEqual(self.alice.get("Wish/car").body["note"], "new")

    def test_idempotent(self):
        made = self.expect(201, self.alice.post("Receipt", {"number": "r1", "total": 5}))
        again = self.expect(200, self.alice.post("Receipt", {"number": "r1", "total": 6}))
        self.assertEqual(again.body, made.body)
        self.assertEqual(again.headers["Location"], made.headers["Location"])

    def test_once(self):
        self.expect(201, self.alice.post("Stamp", {"name": "s", "until": "2090-01-01T00:00:00Z"}))
        self.expect(409, self.alice.post("Stamp", {"name": "s", "until": "2091-01-01T00:00:00Z"}))
        self.expect(405, self.alice.patch("Stamp/s", {"until": "2091-01-01T00:00:00Z"}))
        self.expect(204, self.alice.delete("Stamp/s"))

    def test_append(self):
        self.expect(201, self.alice.post("Entry", {"number": 1, "amount": 5}))
        self.expect(409, self.alice.post("Entry", {"number": 1, "amount": 6}))
        self.expect(405, self.alice.delete("Entry/1"))
        self.assertEqual(self.alice.get("Entry/1").body["amount"], 5)

    def test_tombstone(self):
        note = self.expect(201, self.alice.post("Note", {"text": "x"}))
        self.assertRegex(note.body["noteId"], "^note_")
        self.expect(204, self.alice.delete(note.headers["Location"], if_match=note.tag))
        reply = self.expect(200, self.alice.get(note.headers["Location"]))
        self.assertEqual((reply.body["gone"], reply.body["text"], reply.tag), (True, "x", '"2"'))


if __name__ == "__main__":
    unittest.main()
