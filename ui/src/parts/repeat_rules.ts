// The usual repetitions, by name. Pure.

const kWeekdays = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
const kNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const kCounts = ["", "first", "second", "third", "fourth"];

export interface RepeatPreset {
  rrule: string;
  label: string;
}

/** For something that begins on this day. */
export function repeatPresets(day: string): RepeatPreset[] {
  const at = new Date(`${day === "" ? "2026-01-01" : day}T00:00:00Z`);
  const weekday = at.getUTCDay();
  const code = kWeekdays[weekday]!;
  const nth = Math.ceil(at.getUTCDate() / 7);
  return [
    { rrule: "", label: "Does not repeat" },
    { rrule: "FREQ=DAILY", label: "Every day" },
    { rrule: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", label: "Every weekday" },
    { rrule: `FREQ=WEEKLY;BYDAY=${code}`, label: `Every week on ${kNames[weekday]}` },
    { rrule: `FREQ=WEEKLY;INTERVAL=2;BYDAY=${code}`, label: `Every two weeks on ${kNames[weekday]}` },
    { rrule: `FREQ=MONTHLY;BYMONTHDAY=${at.getUTCDate()}`, label: `Every month on day ${at.getUTCDate()}` },
    nth <= 4
      ? { rrule: `FREQ=MONTHLY;BYDAY=${nth}${code}`, label: `Every month on the ${kCounts[nth]} ${kNames[weekday]}` }
      : { rrule: `FREQ=MONTHLY;BYDAY=-1${code}`, label: `Every month on the last ${kNames[weekday]}` },
    { rrule: "FREQ=YEARLY", label: "Every year" },
  ];
}
