// What the tests about the calendar share: a week to work in, events made through the API, places on the screen.
import { eventually } from "./today_plan.mjs";

export { drag, eventually } from "./today_plan.mjs";

const kPixelsPerMinute = 0.8;

/** A week far from any change of clocks, and from today. */
export const kMonday = "2027-01-11";
export const kTuesday = "2027-01-12";
export const kWednesday = "2027-01-13";
export const kWeek = `/calendar/week/${kMonday}`;

export const setZone = (user, timezone) => user.send("PATCH", "/api/nexus/settings", { timezone });

/** addEvent(ada, "Standup", "2027-01-11T09:00", "2027-01-11T10:00", { rrule: "FREQ=DAILY" }); in UTC unless said. */
export function addEvent(user, title, start, end, more = {}) {
  const local = (text) => `${text}:00`;
  return user.post("/api/nexus/events", { title, startLocal: local(start), endLocal: local(end), startTzid: "UTC", ...more });
}

export async function itemsOf(user, from = kMonday, to = "2027-01-18") {
  return (await user.get(`/api/nexus/agenda?from=${from}&to=${to}&tz=UTC`)).items;
}

/** "Standup 11 09:00-10:00" */
export const lines = (items) =>
  items.filter(({ entityType }) => /EVENT|INSTANCE/.test(entityType)).map(({ title, start, end }) => `${title} ${start.slice(8, 10)} ${start.slice(11, 16)}-${end.slice(11, 16)}`);

export const eventuallyLines = (user, check) => eventually(async () => lines(await itemsOf(user)), check);

/** Where a moment is on the screen: in the middle of its column. */
export async function pointAt(page, day, minute) {
  const scroller = page.locator(".time-grid");
  await scroller.evaluate((element, top) => (element.scrollTop = top), minute * kPixelsPerMinute - 120);
  const box = await page.locator(`[data-column="${day}"]`).boundingBox();
  return { x: box.x + box.width / 2, y: box.y + minute * kPixelsPerMinute };
}

export const eventNamed = (page, title) => page.locator(".event", { hasText: title });
