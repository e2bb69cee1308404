import { useRef } from "preact/hooks";
import { Button, IconButton, Segmented, useCommands, useIsNarrow } from "../parts";
import { navigate } from "../shell";
import { views, type View } from "./calendar_types";
import { stepDay } from "./view_days";
import { zoneLabel } from "./zone_dialog";

interface ToolbarProps {
  view: View;
  day: string;
  today: string;
  zone: string;
  onZone: () => void;
  onNew: () => void;
}

const kNames: Record<View, string> = { day: "Day", week: "Week", month: "Month", agenda: "Agenda" };

export const addressOf = (view: View, day: string): string => `/calendar/${view}/${day}`;

/** Forward, back, today; how much is shown; whose hours. */
export function Toolbar({ view, day, today, zone, onZone, onNew }: ToolbarProps) {
  const isNarrow = useIsNarrow();
  const field = useRef<HTMLInputElement>(null);
  const go = (to: string, as: View = view) => navigate(addressOf(as, to));
  const step = (by: 1 | -1) => go(stepDay(view, day, by));
  const group = "Calendar";
  useCommands([
    { keys: "n", label: "New event", group, icon: "plus", run: onNew },
    { keys: "t", label: "Go to today", group, icon: "today", run: () => go(today) },
    { keys: "k", label: "Back", group, icon: "chevron-left", run: () => step(-1) },
    { keys: "j", label: "Forward", group, icon: "chevron-right", run: () => step(1) },
    ...(["ArrowLeft", "["] as const).map((keys) => ({ keys, run: (event?: KeyboardEvent) => notInRadio(event) && step(-1) })),
    ...(["ArrowRight", "]"] as const).map((keys) => ({ keys, run: (event?: KeyboardEvent) => notInRadio(event) && step(1) })),
    ...views.map((to) => ({
      keys: to[0],
      label: `Show the ${kNames[to].toLowerCase()}`,
      group,
      icon: "calendar" as const,
      run: () => go(day, to),
    })),
    { label: `Time zone: ${zoneLabel(zone)}`, group, icon: "globe", run: onZone },
  ]);
  const settings = <IconButton icon="settings" label="Calendar settings" onClick={() => navigate("/calendar/settings")} />;
  return (
    <div class="calendar-tools">
      <span class="row calendar-steps">
        <IconButton icon="chevron-left" label="Back" keys="k" onClick={() => step(-1)} />
        <Button size="small" keys="t" onClick={() => go(today)}>
          Today
        </Button>
        <IconButton icon="chevron-right" label="Forward" keys="j" onClick={() => step(1)} />
        <span class="calendar-date">
          <IconButton icon="calendar" label="Choose a date" onClick={() => field.current?.showPicker()} />
          <input
            ref={field}
            type="date"
            class="calendar-date-field"
            tabIndex={-1}
            aria-label="Date"
            value={day}
            onChange={(event) => event.currentTarget.value !== "" && go(event.currentTarget.value)}
          />
        </span>
      </span>
      {isNarrow && settings}
      <Segmented
        label="View"
        value={view}
        choices={views.map((value) => ({ value, label: kNames[value] }))}
        onChange={(to) => go(day, to)}
      />
      <Button size="small" variant="quiet" icon="globe" class="calendar-zone" aria-label={`Time zone: ${zoneLabel(zone)}`} onClick={onZone}>
        {zoneLabel(zone)}
      </Button>
      {!isNarrow && settings}
      <Button variant="primary" icon="plus" class="calendar-new" keys="n" onClick={onNew}>
        New event
      </Button>
    </div>
  );
}

/** Arrows belong to the choice of views while it has the focus. */
function notInRadio(event: KeyboardEvent | undefined): boolean {
  return !(event?.target instanceof HTMLInputElement);
}
