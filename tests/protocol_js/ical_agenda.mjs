// What ical.js reads in a calendar; the same questions and answers as tests/nexus_ics/libical_agenda.cc.
import { readFileSync } from "node:fs";
import ICAL from "ical.js";

const [mode, ...words] = process.argv.slice(2);
const calendar = new ICAL.Component(ICAL.parse(readFileSync(0, "utf8")));

const zones = new Map();
for (const component of calendar.getAllSubcomponents("vtimezone")) {
  const zone = new ICAL.Timezone(component);
  zones.set(zone.tzid, zone);
  ICAL.TimezoneService.register(zone.tzid, zone);
}

const instant = (text) => ICAL.Time.fromString(text.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z"));
const utc = (time) => {
  const there = time.isDate || time.zone === ICAL.Timezone.localTimezone ? time : time.convertToZone(ICAL.Timezone.utcTimezone);
  const digits = (number, size) => String(number).padStart(size, "0");
  return `${digits(there.year, 4)}${digits(there.month, 2)}${digits(there.day, 2)}T${digits(there.hour, 2)}` +
    `${digits(there.minute, 2)}${digits(there.second, 2)}Z`;
};

function agenda(from, to) {
  const components = calendar.getAllSubcomponents("vevent");
  const isEdited = (component) => component.hasProperty("recurrence-id");
  for (const component of components.filter((one) => !isEdited(one))) {
    const uid = component.getFirstPropertyValue("uid");
    const exceptions = components.filter((one) => isEdited(one) && one.getFirstPropertyValue("uid") === uid);
    const event = new ICAL.Event(component, { strictExceptions: true, exceptions });
    const print = (item, start, end) => console.log([utc(start), utc(end), item.summary ?? ""].join("\t"));
    if (!event.isRecurring()) {
      print(event, event.startDate, event.endDate);
      continue;
    }
    const iterator = event.iterator();
    for (let next = iterator.next(); next && utc(next) < to; next = iterator.next()) {
      const details = event.getOccurrenceDetails(next);
      if (utc(details.endDate) > from) print(details.item, details.startDate, details.endDate);
    }
  }
}

// ical.js knows the offset of a wall time. That of an instant is the one which leads back to it.
function offsetAt(zone, text) {
  const seconds = instant(text).toUnixTime();
  const offsets = new Set(zone.changes?.map((change) => change.utcOffset));
  for (const guess of [0, 43200, -43200, 86400, -86400]) {
    const wall = ICAL.Time.fromJSDate(new Date((seconds + guess) * 1000), true);
    wall.zone = ICAL.Timezone.localTimezone;
    offsets.add(zone.utcOffset(wall));
  }
  const fits = [...offsets].filter((offset) => {
    const wall = ICAL.Time.fromJSDate(new Date((seconds + offset) * 1000), true);
    wall.zone = ICAL.Timezone.localTimezone;
    return zone.utcOffset(wall) === offset;
  });
  return fits.length === 1 ? fits[0] : NaN;
}

if (mode === "agenda") {
  agenda(...words);
} else {
  for (const [name, zone] of zones) console.log([name, ...words.map((text) => offsetAt(zone, text))].join("\t"));
}
