import { useRef } from "preact/hooks";
import { addDays, dayText, IconButton, useShortcut } from "../parts";
import { navigate } from "../shell";
import "./day_picker.css";

export function addressOf(day: string, today: string): string {
  return day === today ? "/today" : `/today/${day}`;
}

/** Yesterday, today, tomorrow; arrows to any other day; a calendar for the far ones. */
export function DayPicker({ day, today }: { day: string; today: string }) {
  const field = useRef<HTMLInputElement>(null);
  const go = (to: string) => navigate(addressOf(to, today));
  useShortcut("[", () => go(addDays(day, -1)), { label: "Previous day", group: "Today", icon: "chevron-left" });
  useShortcut("]", () => go(addDays(day, 1)), { label: "Next day", group: "Today", icon: "chevron-right" });
  useShortcut("t", () => go(today), { label: "Go to today", group: "Today", icon: "today" });

  const near = [
    { day: addDays(today, -1), name: "Yesterday" },
    { day: today, name: "Today" },
    { day: addDays(today, 1), name: "Tomorrow" },
  ];
  return (
    <nav class="day-picker" aria-label="Day">
      <IconButton icon="chevron-left" label="Previous day" keys="[" onClick={() => go(addDays(day, -1))} />
      <div class="day-picker-near">
        {near.map(({ day: to, name }) => (
          <a
            key={to}
            class="day-picker-day"
            href={addressOf(to, today)}
            aria-current={to === day ? "date" : undefined}
            aria-label={`${name}, ${dayText(to)}`}
          >
            {name}
          </a>
        ))}
      </div>
      <IconButton icon="chevron-right" label="Next day" keys="]" onClick={() => go(addDays(day, 1))} />
      <span class="day-picker-date">
        <IconButton icon="calendar" label="Choose a date" onClick={() => field.current?.showPicker()} />
        <input
          ref={field}
          type="date"
          class="day-picker-field"
          tabIndex={-1}
          aria-label="Date"
          value={day}
          onChange={(event) => event.currentTarget.value !== "" && go(event.currentTarget.value)}
        />
      </span>
    </nav>
  );
}
