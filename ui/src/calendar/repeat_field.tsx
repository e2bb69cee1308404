import { useEffect, useState } from "preact/hooks";
import { api, problemOf } from "../api";
import { dayText, Select, TextField } from "../parts";
import { repeatPresets } from "./repeat_rules";

interface RepeatFieldProps {
  rrule: string;
  onChange: (rrule: string) => void;
  /** When it begins: "2026-11-16T09:00:00", in its zone. */
  start: string;
  zone: string | null;
  /** A series cannot become a single event here. */
  mustRepeat: boolean;
  error?: string | undefined;
}

const kOwn = "own";
const kShown = 5;
const kSettleMs = 250;

/** Usual repetitions, or a rule of one's own; with the days it leads to, as the server counts them. */
export function RepeatField({ rrule, onChange, start, zone, mustRepeat, error }: RepeatFieldProps) {
  const presets = repeatPresets(start.slice(0, 10)).filter((preset) => !mustRepeat || preset.rrule !== "");
  const known = presets.some((preset) => preset.rrule === rrule);
  const [own, setOwn] = useState(!known);
  const choices = [...presets.map((preset) => ({ value: preset.rrule, label: preset.label })), { value: kOwn, label: "A rule of my own" }];
  const showsRule = own || !known;
  const choose = (value: string) => {
    setOwn(value === kOwn);
    if (value !== kOwn) onChange(value);
    else if (rrule === "") onChange("FREQ=WEEKLY");
  };
  return (
    <div class="stack repeat-field">
      <Select label="Repeats" value={showsRule ? kOwn : rrule} choices={choices} onChange={choose} />
      {showsRule && (
        <TextField
          label="Rule"
          value={rrule}
          onInput={onChange}
          error={error}
          hint="As in RFC 5545: FREQ=MONTHLY;BYDAY=-1FR;COUNT=6 is the last Friday of six months."
          spellcheck={false}
          autocomplete="off"
          maxLength={2000}
        />
      )}
      {rrule !== "" && <Preview rrule={rrule} start={start} zone={zone} />}
    </div>
  );
}

type Outcome = { kind: "days"; text: string } | { kind: "problem"; text: string };

function Preview({ rrule, start, zone }: { rrule: string; start: string; zone: string | null }) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    const read = async () => {
      try {
        const body = { rrule, dtstart: start, limit: kShown, ...(zone === null ? {} : { tzid: zone }) };
        const { occurrences, more } = await api.post("/api/nexus/rrule/preview", { body, signal: abort.signal });
        const days = occurrences.map(({ local }) => dayText(local.slice(0, 10), "year"));
        setOutcome({ kind: "days", text: days.length === 0 ? "Never." : `${days.join(", ")}${more ? " …" : "."}` });
      } catch (thrown) {
        if (abort.signal.aborted) return;
        const problem = problemOf(thrown);
        setOutcome({ kind: "problem", text: problem.field("rrule") ?? problem.field("dtstart") ?? problem.message });
      }
    };
    const timer = setTimeout(() => void read(), kSettleMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [rrule, start, zone]);
  return (
    <p class="small repeat-preview" aria-live="polite">
      {outcome === null ? <span class="faint">Counting the days…</span> : <span class={outcome.kind === "problem" ? "repeat-problem" : "soft"}>{outcome.text}</span>}
    </p>
  );
}
