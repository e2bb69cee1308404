import { api, problemOf } from "../api";

interface AskedRule {
  rrule: string;
  /** Wall time in the zone: "2026-11-16T09:00:00". */
  start: string;
  /** null: wherever one is. */
  zone: string | null;
}

const kDays = 5;

/** The first days that a rule leads to, as the server counts them; or what is wrong with it, as a sentence. */
export async function ruleDays(
  { rrule, start, zone }: AskedRule,
  signal: AbortSignal,
): Promise<{ days: string[]; more: boolean } | { problem: string }> {
  try {
    const body = { rrule, dtstart: start, limit: kDays, ...(zone === null ? {} : { tzid: zone }) };
    const { occurrences, more } = await api.post("/api/nexus/rrule/preview", { body, signal });
    return { days: occurrences.map(({ local }) => local.slice(0, 10)), more };
  } catch (thrown) {
    const problem = problemOf(thrown);
    return { problem: problem.field("rrule") ?? problem.field("dtstart") ?? problem.message };
  }
}
