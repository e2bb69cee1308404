"""Events that happen once: times given in several ways, zones, floating and all-day ones, versions, stored keys."""

from calendar_case import BERLIN, EVENTS, NO_EVENT, CalendarTest


class Events(CalendarTest):
    def test_instants_and_wall_times_say_the_same(self):
        ada = self.user()
        by_instant = self.event(ada, startUtc="2026-07-01T07:00:00Z", endUtc="2026-07-01T08:00:00Z", startTzid=BERLIN)
        by_wall = self.event(ada, startLocal="2026-07-01T09:00:00", endLocal="2026-07-01T10:00:00", startTzid=BERLIN)
        for name in ("startUtc", "endUtc", "startLocal", "endLocal", "startTzid"):
            self.assertEqual(by_instant[name], by_wall[name], name)
        self.assertEqual(by_wall["startUtc"], "2026-07-01T07:00:00Z")

    def test_offsets_are_converted_and_fractions_cut(self):
        ada = self.user()
        ada.strict = False
        made = self.event(ada, startUtc="2026-07-01T09:00:00.750+02:00", endUtc="2026-07-01T10:00:00+02:00",
                          startTzid="UTC")
        self.assertEqual(made["startUtc"], "2026-07-01T07:00:00Z")

    def test_a_floating_event_keeps_its_wall_time(self):
        ada = self.user()
        made = self.event(ada, startLocal="2026-07-01T07:00:00", endLocal="2026-07-01T07:30:00")
        self.assertEqual((made["startUtc"], made.get("startTzid")), ("2026-07-01T07:00:00Z", None))
        for zone, start in (("Asia/Tokyo", "2026-06-30T22:00:00Z"), ("America/New_York", "2026-07-01T11:00:00Z")):
            shown, = self.agenda(ada, "2026-07-01", "2026-07-02", tz=zone)
            self.assertEqual((shown["start"], shown["floating"]), (start, True))

    def test_what_is_wrong_is_named_and_nothing_is_stored(self):
        ada = self.user()
        good = {"title": "x", "startUtc": "2026-07-01T07:00:00Z", "endUtc": "2026-07-01T08:00:00Z"}
        rows = [({"startTzid": "EST"}, "startTzid"), ({"startTzid": "+01:00"}, "startTzid"),
                ({"startTzid": "Mars/Olympus"}, "startTzid"), ({"endUtc": "2026-07-01T07:00:00Z"}, "endUtc"),
                ({"endUtc": "2026-07-01T06:00:00Z"}, "endUtc"), ({"startUtc": "yesterday"}, "startUtc"),
                ({"startUtc": "2026-02-30T07:00:00Z"}, "startUtc"), ({"title": ""}, "title"),
                ({"title": "x" * 501}, "title"), ({"startLocal": "2026-07-01T08:00:00"}, "startUtc"),
                ({"startUtc": "1066-10-14T09:00:00Z"}, "startUtc"), ({"allDay": True}, "allDay"),
                ({"allDay": True, "startTzid": BERLIN}, "startTzid"), ({"color": "red"}, "color"),
                ({"reminderMinutes": [-1]}, "reminderMinutes[0]"), ({"tags": [""]}, "tags[0]"),
                ({"exdates": ["2026-07-01T07:00:00"]}, "rrule")]
        ada.strict = False
        for change, field in rows:
            answer = ada.post(EVENTS, {**good, **change})
            self.assertEqual(answer.status, 422, (change, answer.body))
            self.assertIn(field, answer.fields(), change)
        for missing, field in (("title", "title"), ("startUtc", "startUtc"), ("endUtc", "endUtc")):
            answer = ada.post(EVENTS, {k: v for k, v in good.items() if k != missing})
            self.assertEqual((answer.status, answer.fields()), (422, [field]))
        self.assertEqual(self.agenda(ada, "2026-01-01", "2027-01-01"), [])

    def test_changes_need_the_version_they_are_about(self):
        ada = self.user()
        made = self.timed(ada, "x", 1)
        path = f"{EVENTS}/{made['id']}"
        self.assertEqual(ada.patch(path, {"title": "y"}).status, 428)
        self.assertEqual(ada.delete(path).status, 428)
        self.assertEqual(ada.change(path, {"title": "y"}, 7).status, 412)
        changed = ada.change(path, {"title": "y"}, 1)
        self.assertEqual((changed.status, changed.tag, changed["version"], changed["title"]), (200, '"2"', 2, "y"))
        self.assertEqual(ada.change(path, {"title": "z"}, 1).status, 412)
        self.assertEqual(ada.get(path)["title"], "y")
        self.assertEqual(ada.delete(path, if_match='"1"').status, 412)
        self.assertEqual(ada.delete(path, if_match='"2"').status, 204)
        self.assertEqual(ada.get(path).status, 404)

    def test_moving_keeps_the_duration_and_a_new_zone_keeps_the_wall_time(self):
        ada = self.user()
        made = self.event(ada, startLocal="2026-10-24T09:00:00", endLocal="2026-10-24T10:30:00", startTzid=BERLIN)
        moved = self.edit(ada, made, startLocal="2026-10-26T09:00:00").body  # behind the end of summer time
        self.assertEqual((moved["startUtc"], moved["endUtc"]), ("2026-10-26T08:00:00Z", "2026-10-26T09:30:00Z"))
        rezoned = self.edit(ada, moved, startTzid="America/New_York").body
        self.assertEqual((rezoned["startLocal"], rezoned["startUtc"]), ("2026-10-26T09:00:00", "2026-10-26T13:00:00Z"))
        floating = self.edit(ada, rezoned, startTzid=None).body
        self.assertEqual((floating.get("startTzid"), floating["startUtc"]), (None, "2026-10-26T09:00:00Z"))
        whole = self.edit(ada, floating, allDay=True).body
        self.assertEqual((whole["startLocal"], whole["endLocal"]), ("2026-10-26T00:00:00", "2026-10-27T00:00:00"))

    def test_times_that_the_clocks_skip_or_show_twice(self):
        ada = self.user()
        gap = self.event(ada, startLocal="2026-03-29T02:30:00", endLocal="2026-03-29T04:00:00", startTzid=BERLIN)
        self.assertEqual(gap["startUtc"], "2026-03-29T01:30:00Z")
        twice = self.event(ada, startLocal="2026-10-25T02:30:00", endLocal="2026-10-25T05:00:00", startTzid=BERLIN)
        self.assertEqual(twice["startUtc"], "2026-10-25T00:30:00Z")

    def test_items_have_the_keys_of_the_design(self):
        ada = self.user()
        made = self.event(ada, startUtc="2026-12-31T23:30:00Z", endUtc="2027-01-01T01:00:00Z", startTzid=BERLIN,
                          tags=["work", "urgent", "work"])
        item = self.stored(ada, f"EVENT#{made['id']}")
        self.assertEqual(item["GSI1PK"], f"USER#{ada.id}#2026")  # of the UTC year, though it is 2027 in Berlin
        self.assertEqual(item["GSI1SK"], "2026-12-31T23:30:00Z")
        self.assertEqual((item["entityType"], item["eventId"], item["version"]), ("EVENT", made["id"], 1))
        self.assertEqual(item["tags"], {"work", "urgent"})
        self.assertNotIn("GSI2PK", item)
        self.assertNotIn("GSI3PK", item)
        longer = self.event(ada, startLocal="2026-01-01T00:00:00", endLocal="2026-04-01T00:00:00", allDay=True)
        self.assertEqual(self.stored(ada, f"EVENT#{longer['id']}")["GSI3SK"], "EVENT#LONG#2026-04-01T00:00:00Z")

    def test_a_request_repeated_with_its_key_is_done_once(self):
        ada = self.user()
        body = {"title": "once", "startUtc": "2026-07-01T07:00:00Z", "endUtc": "2026-07-01T08:00:00Z"}
        first = ada.post(EVENTS, body, idempotency_key="k-1")
        again = ada.post(EVENTS, body, idempotency_key="k-1")
        self.assertEqual((first.status, again.status, again.replayed), (201, 201, True))
        self.assertEqual(first.body, again.body)
        self.assertEqual(len(self.agenda(ada, "2026-07-01", "2026-07-02")), 1)

    def test_unknown_ids_are_not_found(self):
        ada = self.user()
        for bad in (NO_EVENT, "evt_x", "task_00000000-0000-4000-8000-000000000000", "x%23y"):
            self.assertEqual(ada.get(f"{EVENTS}/{bad}").status, 404, bad)


if __name__ == "__main__":
    import unittest
    unittest.main()
