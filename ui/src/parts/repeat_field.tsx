import { useEffect, useState } from "preact/hooks";
import { Select, TextField } from "./field";
import { repeatPresets } from "./repeat_rules";
import { dayText } from "./time";
import "./repeat_field.css";

interface Asked {
  rrule: string;
  /** When it begins: "2026-11-16T09:00:00", in its zone. */
  start: string;
  zone: string | null;
}

interface RepeatFieldProps extends Asked {
  onChange: (rrule: string) => void;
  error?: string | undefined;
  disabled?: boolean;
  /** The days a rule leads to, or what is wrong with it. */
  days: (asked: Asked, signal: AbortSignal) => Promise<{ days: string[]; more: boolean } | { problem: string }>;
}

const kOwn = "own";
const kSettleMs = 250;

/** Usual repetitions, or a rule of one's own; with the days it leads to. */
export function RepeatField({ rrule, onChange, start, zone, error, disabled = false, days }: RepeatFieldProps) {
  const presets = repeatPresets(start.slice(0, 10));
  const known = presets.some((preset) => preset.rrule === rrule);
  const [own, setOwn] = useState(!known);
  const choices = [...presets.map((preset) => ({ value: preset.rrule, label: preset.label })), { value: kOwn, label: "Custom rule" }];
  const showsRule = own || !known;
  const choose = (value: string) => {
    setOwn(value === kOwn);
    if (value !== kOwn) onChange(value);
    else if (rrule === "") onChange("FREQ=WEEKLY");
  };
  return (
    <div class="stack repeat-field">
      <Select
        label="Repeats"
        value={showsRule ? kOwn : rrule}
        choices={choices}
        onChange={choose}
        disabled={disabled}
        error={showsRule ? undefined : error}
      />
      {showsRule && (
        <TextField
          label="Rule"
          value={rrule}
          onInput={onChange}
          error={error}
          disabled={disabled}
          hint="As in RFC 5545: FREQ=MONTHLY;BYDAY=-1FR;COUNT=6 is the last Friday of six months."
          spellcheck={false}
          autocomplete="off"
          maxLength={2000}
        />
      )}
      {rrule !== "" && <Preview rrule={rrule} start={start} zone={zone} days={days} />}
    </div>
  );
}

function Preview({ rrule, start, zone, days }: Asked & Pick<RepeatFieldProps, "days">) {
  const [outcome, setOutcome] = useState<{ text: string; isProblem: boolean } | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    const read = async () => {
      const found = await days({ rrule, start, zone }, abort.signal);
      if (abort.signal.aborted) return;
      if ("problem" in found) setOutcome({ text: found.problem, isProblem: true });
      else
        setOutcome({
          text:
            found.days.length === 0 ? "Never." : `${found.days.map((day) => dayText(day, "year")).join(", ")}${found.more ? " …" : "."}`,
          isProblem: false,
        });
    };
    const timer = setTimeout(() => void read(), kSettleMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [rrule, start, zone, days]);
  return (
    <p class="small repeat-preview" aria-live="polite">
      {outcome === null ? (
        <span class="faint">Working out the dates…</span>
      ) : (
        <span class={outcome.isProblem ? "repeat-problem" : "soft"}>{outcome.text}</span>
      )}
    </p>
  );
}
