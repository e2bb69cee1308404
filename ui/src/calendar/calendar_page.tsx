import { useMemo, useRef, useState } from "preact/hooks";
import { Notice, SkeletonRows, useCommands } from "../parts";
import { navigate, PageFrame, usePaletteSearch } from "../shell";
import { useOptimistic } from "../state";
import { AgendaList } from "./agenda_list";
import { CalendarActions } from "./calendar_actions";
import type { CalendarModel } from "./calendar_model";
import { calendarStore } from "./calendar_store";
import { isEvent, type Item, type View } from "./calendar_types";
import { localAt, wallOf } from "./day_layout";
import { EventDialog, type Editing } from "./event_dialog";
import { MarkDialog } from "./mark_dialog";
import { MonthGrid } from "./month_grid";
import { ScopeDialog } from "./scope_dialog";
import { TimeGrid } from "./time_grid";
import { addressOf, Toolbar } from "./toolbar";
import { daysOf, titleOf } from "./view_days";

interface CalendarPageProps {
  userId: string;
  view: View;
  day: string;
  today: string;
  now: number;
  zone: string;
  onZone: () => void;
}

const kSettleMs = 150;

export function CalendarPage({ userId, view, day, today, now, zone, onZone }: CalendarPageProps) {
  const days = useMemo(() => daysOf(view, day), [view, day]);
  const store = useMemo(() => calendarStore(userId, days, zone), [userId, days, zone]);
  const actions = useMemo(() => new CalendarActions(store), [store]);
  const [editing, setEditing] = useState<Editing | null>(null);
  const [marked, setMarked] = useState<Item | null>(null);
  const surface = useRef<HTMLDivElement>(null);
  // A series of hundreds is told as hundreds of changes; notes are of no interest here.
  useOptimistic(store.stretch, `nexus:${userId}`, { concerns: ({ data }) => data.entityType !== "NOTE", settleMs: kSettleMs });

  const stretch = store.stretch.view.value;
  const problem = store.stretch.problem.value;
  const question = actions.question.value;

  /** The next full hour of the day that is looked at. */
  function addEvent() {
    const clock = wallOf(Date.now(), zone);
    const on = days.includes(clock.day) ? clock.day : day;
    const hour = on === clock.day ? Math.min(Math.floor(clock.minute / 60) + 1, 23) : 9;
    setEditing({ times: { startLocal: localAt(on, hour * 60), endLocal: localAt(on, hour * 60 + 60), zone, allDay: false } });
  }
  const edit = (item: Item) => (isEvent(item) ? setEditing({ item }) : setMarked(item));

  useCommands([
    {
      keys: "r",
      label: "Refresh the calendar",
      group: "Calendar",
      icon: "refresh",
      run: () => void store.stretch.refresh().catch(() => undefined),
    },
    ...kEventKeys.map(({ keys, label }) => ({ keys, label, group: "At an event", within: surface, run: () => false })),
  ]);
  usePaletteSearch((text) =>
    (stretch?.items ?? [])
      .filter(({ title }) => title.toLowerCase().includes(text.toLowerCase()))
      .slice(0, 5)
      .map((item) => ({ label: item.title, group: "Calendar", icon: "calendar" as const, run: () => edit(item) })),
  );

  const shown = stretch && actions.shown(stretch);
  const model: CalendarModel | undefined = shown && {
    items: shown.items,
    overdue: shown.overdue,
    days,
    day,
    today,
    now,
    zone,
    actions,
    onEdit: edit,
    onNew: (times) => setEditing({ times }),
    onDay: (to) => navigate(addressOf("day", to)),
  };
  return (
    <PageFrame
      title="Calendar"
      width={view === "agenda" ? "wide" : "full"}
      intro={<span aria-live="polite">{titleOf(view, day)}</span>}
      actions={<Toolbar view={view} day={day} today={today} zone={zone} onZone={onZone} onNew={addEvent} />}
    >
      {problem && (
        <div class="calendar-problem">
          <Notice tone="danger" action={{ label: "Try again", run: () => void store.stretch.refresh().catch(() => undefined) }}>
            {problem.message}
          </Notice>
        </div>
      )}
      {shown?.isCut && <Notice tone="warning">There is too much here to show at once. Choose a shorter range.</Notice>}
      <div class="calendar-view" ref={surface}>
        {model && <Shown view={view} model={model} />}
      </div>
      {!model && !problem && <SkeletonRows rows={10} height="48px" label="Loading the calendar" />}
      {editing && <EventDialog editing={editing} actions={actions} onClose={() => setEditing(null)} />}
      {marked && <MarkDialog item={marked} zone={zone} onClose={() => setMarked(null)} />}
      {question && <ScopeDialog question={question} />}
    </PageFrame>
  );
}

/** The events hear these themselves; here they are for the help. */
const kEventKeys = [
  { keys: "ArrowRight", label: "A day later; with ← before" },
  { keys: "ArrowDown", label: "Later; with ↑ earlier. In the month by a week" },
  { keys: "shift+ArrowDown", label: "Longer; with ↑ shorter" },
  { keys: "shift+ArrowRight", label: "Whole days: ends a day later; with ← earlier" },
  { keys: "alt+shift+ArrowRight", label: "Whole days: begins a day later; with ← earlier" },
  { keys: "Delete", label: "Delete" },
];

function Shown({ view, model }: { view: View; model: CalendarModel }) {
  if (view === "month") return <MonthGrid model={model} />;
  if (view === "agenda") return <AgendaList model={model} />;
  return <TimeGrid model={model} />;
}
