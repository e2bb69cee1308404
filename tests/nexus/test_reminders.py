"""Reminders: on their own and following something; firing once, on time or late; snoozing and dismissing."""

import asyncio
import datetime
import json
import queue
import threading

import websockets

from calendar_case import (EVENTS, MASTERS, NO_EVENT, NO_REMINDER, REMINDERS, SETTINGS,
                           CalendarTest, day, local, utc)
from case import TASKS
from wait import wait_until


def soon(seconds):
    moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


class Listener:
    """A WebSocket in one room, on a thread of its own."""

    def __init__(self, url, token, room):
        self._messages = queue.Queue()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._listen(url, token, room),))
        self._thread.start()
        assert self.next(20)["type"] == "welcome"
        assert self.next(20)["type"] == "subscribed"

    async def _listen(self, url, token, room):
        async with websockets.connect(url, extra_headers={"Authorization": f"Bearer {token}"}) as connection:
            self._connection = connection
            await connection.send(json.dumps({"type": "subscribe", "room": room}))
            async for message in connection:
                self._messages.put(json.loads(message))

    def next(self, seconds):
        return self._messages.get(timeout=seconds)

    def close(self):
        asyncio.run_coroutine_threadsafe(self._connection.close(), self._loop).result(20)
        self._thread.join(20)


class Reminders(CalendarTest):
    def reminders(self, user):
        return sorted(user.pages(REMINDERS, limit=100), key=lambda one: one.get("triggerUtc", ""))

    def test_items_are_on_the_agenda_while_they_have_a_moment(self):
        ada = self.user()
        made = ada.made(REMINDERS, {"title": "call", "triggerUtc": utc(2)})
        stored = self.stored(ada, f"REMINDER#{made['reminderId']}")
        self.assertEqual((stored["GSI1SK"], stored["state"]), (utc(2), "SCHEDULED"))
        path = f"{REMINDERS}/{made['reminderId']}"
        self.assertEqual(ada.change(path, {"triggerUtc": None}, 1).status, 200)
        self.assertNotIn("GSI1PK", self.stored(ada, f"REMINDER#{made['reminderId']}"))
        self.assertEqual(self.titles(ada, day(2), day(3)), [])

    def test_they_follow_their_event(self):
        ada = self.user()
        event = self.timed(ada, "dentist", 3, reminderMinutes=[10, 60, 10])
        self.assertEqual(event["reminderMinutes"], [10, 60])
        self.assertEqual([one["triggerUtc"] for one in self.reminders(ada)], [utc(3, "08:00:00"), utc(3, "08:50:00")])
        moved = self.edit(ada, event, startLocal=local(4), title="surgeon").body
        self.assertEqual([(one["triggerUtc"], one["title"]) for one in self.reminders(ada)],
                         [(utc(4, "08:00:00"), "surgeon"), (utc(4, "08:50:00"), "surgeon")])
        fewer = self.edit(ada, moved, reminderMinutes=[60]).body
        self.assertEqual([one["minutesBefore"] for one in self.reminders(ada)], [60])
        self.remove(ada, fewer)
        self.assertEqual(self.reminders(ada), [])

    def test_attached_one_by_one(self):
        ada = self.user()
        event = self.timed(ada, "dentist", 3)
        made = ada.made(REMINDERS, {"eventId": event["id"], "minutesBefore": 30})
        self.assertEqual((made["triggerUtc"], made["title"]), (utc(3, "08:30:00"), "dentist"))
        self.assertEqual(ada.get(f"{EVENTS}/{event['id']}")["reminderMinutes"], [30])
        self.assertEqual(ada.post(REMINDERS, {"eventId": event["id"], "minutesBefore": 30}).status, 409)
        gone = ada.delete(f"{REMINDERS}/{made['reminderId']}", if_match='"1"')
        self.assertEqual(gone.status, 204)
        self.assertNotIn("reminderMinutes", ada.get(f"{EVENTS}/{event['id']}").body)
        task = ada.made(TASKS, {"title": "taxes", "dueUtc": utc(5)})
        due = ada.made(REMINDERS, {"taskId": task["taskId"], "minutesBefore": 60})
        self.assertEqual(due["triggerUtc"], utc(5, "08:00:00"))
        path = f"{TASKS}/{task['taskId']}"
        self.assertEqual(ada.change(path, {"dueUtc": utc(6)}, 2).status, 200)
        self.assertEqual([one["triggerUtc"] for one in self.reminders(ada)], [utc(6, "08:00:00")])
        ada.post(f"{path}/complete", {})
        self.assertEqual(self.reminders(ada), [])  # nothing to be reminded of
        ada.post(f"{path}/reopen", {})
        self.assertEqual([one["triggerUtc"] for one in self.reminders(ada)], [utc(6, "08:00:00")])
        self.assertEqual(ada.delete(path, if_match='"5"').status, 204)
        self.assertEqual(self.reminders(ada), [])

    def test_what_is_refused(self):
        ada = self.user()
        ada.strict = False
        for body, status in (({}, 422), ({"title": ""}, 422), ({"title": "x", "minutesBefore": 5}, 422),
                             ({"eventId": NO_EVENT}, 422), ({"eventId": NO_EVENT, "minutesBefore": 5}, 404),
                             ({"eventId": "x", "minutesBefore": 5}, 404), ({"title": "x", "triggerUtc": "soon"}, 422),
                             ({"eventId": NO_EVENT, "minutesBefore": 5, "triggerUtc": utc(1)}, 422)):
            answer = self.unchanged(ada, lambda body=body: ada.post(REMINDERS, body))
            self.assertEqual(answer.status, status, (body, answer.body))
        self.assertEqual(ada.get(f"{REMINDERS}/{NO_REMINDER}").status, 404)

    def test_a_series_reminds_of_its_next_occurrence(self):
        ada = self.user()
        master = self.series(ada, "FREQ=DAILY;COUNT=5", 1, reminderMinutes=[15])
        one, = self.reminders(ada)
        self.assertEqual((one["triggerUtc"], one["masterId"]), (utc(1, "08:45:00"), master["id"]))
        # The first does not take place: the second is the next.
        self.remove(ada, self.instances(ada, master)[0])
        one, = self.reminders(ada)
        self.assertEqual(one["triggerUtc"], utc(2, "08:45:00"))
        self.edit(ada, ada.get(f"{MASTERS}/{master['id']}").body, startLocal=local(1, "12:00:00"))
        self.assertEqual([one["triggerUtc"] for one in self.reminders(ada)], [utc(2, "11:45:00")])
        self.remove(ada, ada.get(f"{MASTERS}/{master['id']}").body)
        self.assertEqual(self.reminders(ada), [])

    def test_floating_events_remind_where_the_user_is(self):
        ada = self.user()
        ada.patch(SETTINGS, {"timezone": "Europe/London"})
        self.event(ada, "walk", startLocal=local(3, "12:00:00"), endLocal=local(3, "13:00:00"), reminderMinutes=[10, 60])
        self.event(ada, "whole", startLocal=local(4, "00:00:00"), endLocal=local(5, "00:00:00"), allDay=True,
                   reminderMinutes=[0])
        self.event(ada, "daily", startLocal=local(2, "12:00:00"), endLocal=local(2, "13:00:00"),
                   rrule="FREQ=DAILY;COUNT=5", reminderMinutes=[30])
        self.timed(ada, "zoned", 3, reminderMinutes=[5])
        put_off = self.event(ada, "put off", startLocal=local(6, "12:00:00"), endLocal=local(6, "13:00:00"),
                             reminderMinutes=[0])
        reminder = next(one for one in self.reminders(ada) if one.get("eventId") == put_off["id"])
        ada.post(f"{REMINDERS}/{reminder['reminderId']}/snooze", {"until": utc(7)})
        dismissed = self.event(ada, "dismissed", startLocal=local(8, "12:00:00"), endLocal=local(8, "13:00:00"),
                               reminderMinutes=[0])
        gone = next(one for one in self.reminders(ada) if one.get("eventId") == dismissed["id"])
        ada.post(f"{REMINDERS}/{gone['reminderId']}/dismiss", {})
        shift = lambda moment, hours: (datetime.datetime.strptime(moment, "%Y-%m-%dT%H:%M:%SZ") -
                                       datetime.timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ")
        before = {one["reminderId"]: one for one in self.reminders(ada)}
        # Tokyo has no summer time: its distance from London is read off the clocks.
        ada.patch(SETTINGS, {"timezone": "Asia/Tokyo"})

        def follow():
            for one in self.reminders(ada):
                was = before[one["reminderId"]]
                if one["title"] in ("zoned", "dismissed"):
                    if one != was:
                        return False
                    continue
                from_where = was.get("snoozeState", {}).get("originalTriggerUtc", was["triggerUtc"])
                if one["triggerUtc"] not in (shift(from_where, 8), shift(from_where, 9)):
                    return False
            return True
        wait_until(follow, 30, "reminders to follow")
        self.assertEqual({one["reminderId"] for one in self.reminders(ada)}, set(before))
        walk = sorted(one["triggerUtc"] for one in self.reminders(ada) if one["title"] == "walk")
        self.assertEqual(walk, [utc(3, "02:00:00"), utc(3, "02:50:00")])  # 12:00 in Tokyo is 03:00

    def test_snoozing(self):
        ada = self.user()
        ada.patch(SETTINGS, {"timezone": "America/New_York"})
        made = ada.made(REMINDERS, {"title": "x", "triggerUtc": utc(1)})
        path = f"{REMINDERS}/{made['reminderId']}/snooze"
        once = ada.post(path, {"until": utc(2)}).body
        self.assertEqual((once["state"], once["triggerUtc"], once["snoozeState"]),
                         ("SNOOZED", utc(2), {"count": 1, "until": utc(2), "originalTriggerUtc": utc(1)}))
        twice = ada.post(path, {"tomorrow": True}).body
        self.assertEqual((twice["snoozeState"]["count"], twice["snoozeState"]["originalTriggerUtc"]), (2, utc(1)))
        self.assertIn(twice["triggerUtc"][11:], ("13:00:00Z", "14:00:00Z"))  # nine o'clock in New York
        minutes = ada.post(path, {"minutes": 30}).body
        self.assertEqual(minutes["snoozeState"]["count"], 3)
        ada.strict = False
        for body in ({}, {"minutes": 5, "tomorrow": True}, {"minutes": 0}, {"until": utc(-1)}):
            self.assertEqual(ada.post(path, body).status, 422, body)
        dismissed = ada.post(f"{REMINDERS}/{made['reminderId']}/dismiss", {}).body
        self.assertEqual(dismissed["state"], "DISMISSED")
        self.assertEqual(ada.post(path, {"minutes": 5}).status, 409)

    def test_snooze_and_dismiss_honour_if_match(self):
        ada = self.user()
        made = ada.made(REMINDERS, {"title": "x", "triggerUtc": utc(1)})
        path = f"{REMINDERS}/{made['reminderId']}"
        self.assertEqual(ada.post(f"{path}/snooze", {"minutes": 5}, if_match='"7"').status, 412)
        self.assertEqual(ada.post(f"{path}/dismiss", {}, if_match='"1"').status, 200)


class Firing(CalendarTest):
    def socket(self, user):
        listener = Listener(f"ws://{self.server.url.split('//')[1]}/ws", user.token, f"nexus:{user.id}")
        self.addCleanup(listener.close)
        return listener

    def fired(self, listener, seconds=30):
        """The data of the next reminder_fired."""
        while True:
            message = listener.next(seconds)
            if message.get("event") == "reminder_fired":
                return message["data"]

    def state(self, user, reminder):
        return user.get(f"{REMINDERS}/{reminder['reminderId']}").body

    def test_on_time_and_once(self):
        ada = self.user()
        connection = self.socket(ada)
        trigger = soon(3)
        made = ada.made(REMINDERS, {"title": "now", "triggerUtc": trigger})
        data = self.fired(connection)
        self.assertEqual((data["reminderId"], data["title"], data["triggerUtc"], data["late"]),
                         (made["reminderId"], "now", trigger, False))
        after = self.state(ada, made)
        self.assertEqual((after["state"], after["version"]), ("FIRED", 2))
        self.assertLessEqual(after["firedAt"], soon(0))
        self.assertGreaterEqual(after["firedAt"], trigger)
        due = list(ada.pages(f"{REMINDERS}/due"))
        self.assertEqual([one["reminderId"] for one in due], [made["reminderId"]])
        # A second reminder, later: nothing of the first comes again in between.
        again = ada.made(REMINDERS, {"title": "again", "triggerUtc": soon(2)})
        self.assertEqual(self.fired(connection)["reminderId"], again["reminderId"])

    def test_snoozed_fires_again_and_dismissed_never(self):
        ada = self.user()
        connection = self.socket(ada)
        made = ada.made(REMINDERS, {"title": "x", "triggerUtc": soon(1)})
        self.assertEqual(self.fired(connection)["reminderId"], made["reminderId"])
        lead, silent = self.dismissed_in_time(ada)
        ada.post(f"{REMINDERS}/{made['reminderId']}/snooze", {"until": soon(lead + 1)})
        # Whatever a slow machine has let fire before it was dismissed came before this.
        wait_until(lambda: self.fired(connection)["reminderId"] == made["reminderId"], 120, "the one that was put off")
        self.assertEqual(self.state(ada, silent)["state"], "DISMISSED")
        self.assertNotIn("firedAt", self.state(ada, silent))

    def dismissed_in_time(self, user):
        """A reminder that was dismissed before its moment, which is so many seconds from now."""
        for lead in (2, 10, 40):
            made = user.made(REMINDERS, {"title": "silent", "triggerUtc": soon(lead)})
            user.post(f"{REMINDERS}/{made['reminderId']}/dismiss", {})
            if "firedAt" not in self.state(user, made):
                return lead, made
        raise AssertionError("a reminder cannot be dismissed within forty seconds")

    def test_after_downtime_late_but_once(self):
        ada = self.user()
        made = ada.made(REMINDERS, {"title": "missed", "triggerUtc": soon(-3600)})  # as if nobody had been there
        wait_until(lambda: self.state(ada, made)["state"] == "FIRED", 60, "firing")
        self.assertTrue(self.state(ada, made)["late"])
        self.restart()
        self.assertEqual(self.state(ada, made)["version"], 2)

    def test_a_server_that_was_stopped_over_the_moment(self):
        ada = self.user()
        made = ada.made(REMINDERS, {"title": "while away", "triggerUtc": soon(60)})
        self.server.kill()
        self.server.start(clock_ahead_seconds=60 + 33)  # beyond what counts as late
        ada.hang_up()
        wait_until(lambda: self.state(ada, made)["state"] == "FIRED", 60, "firing")
        after = self.state(ada, made)
        self.assertEqual((after["late"], after["version"]), (True, 2))
        self.restart()

    def test_of_a_series_the_next_follows_the_one_that_fired(self):
        ada = self.user()
        connection = self.socket(ada)
        start, master = self.ticking(ada)
        first = self.fired(connection)
        self.assertEqual(first["title"], "tick")
        waiting = [one for one in ada.pages(REMINDERS) if one["state"] == "SCHEDULED"]
        tomorrow = start + datetime.timedelta(days=1, minutes=-1)
        self.assertEqual([one["triggerUtc"] for one in waiting if one["masterId"] == master["id"]],
                         [tomorrow.strftime("%Y-%m-%dT%H:%M:%SZ")])


if __name__ == "__main__":
    import unittest
    unittest.main()
