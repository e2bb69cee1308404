// What has fired and nobody has seen to: at the edge of every page, until it is dismissed or put off. What is shown is what the
// server has (GET /reminders/due), read again whenever it tells of a reminder; so all tabs agree, and a reload changes nothing.

import { useMemo, useRef, useState } from "preact/hooks";
import { api, useMe, type RoomEvent, type Schemas } from "../api";
import { announce, Badge, Button, Icon, Menu, timeText, type MenuEntry } from "../parts";
import { Optimistic, useOptimistic } from "../state";
import { toast, toastProblem } from "./toasts";
import "./reminders.css";

type Reminder = Schemas["Reminder"];
type Snooze = { minutes: number } | { tomorrow: true };

interface ReminderOp {
  reminder: Reminder;
  /** undefined: dismissed. */
  snooze?: Snooze;
}

const kSnoozes: { label: string; snooze: Snooze }[] = [
  { label: "5 minutes", snooze: { minutes: 5 } },
  { label: "10 minutes", snooze: { minutes: 10 } },
  { label: "30 minutes", snooze: { minutes: 30 } },
  { label: "1 hour", snooze: { minutes: 60 } },
  { label: "Tomorrow at 9:00", snooze: { tomorrow: true } },
];
const kShownMax = 3;
const kPagesMax = 5;
const kSettleMs = 100;

/** A series with reminders is told as hundreds of changes of reminders, of which none has fired. */
const concerns = ({ name, data }: RoomEvent): boolean =>
  name === "reminder_fired" || (data.entityType === "REMINDER" && data.change !== "created");

/** Mounted once, while somebody is signed in. */
export function ReminderHost() {
  const { userId } = useMe();
  const store = useMemo(() => reminderStore(), []);
  useOptimistic(store, `nexus:${userId}`, { concerns, settleMs: kSettleMs });
  const list = useRef<HTMLElement>(null);
  const fired = store.view.value ?? [];
  const shown = fired.slice(-kShownMax);
  const act = (op: ReminderOp) => {
    const hadFocus = list.current?.contains(document.activeElement);
    void store.do(op);
    // The line goes away; whoever works by keys goes on with the next, or with the page.
    if (hadFocus)
      requestAnimationFrame(() => (list.current?.querySelector<HTMLElement>("button") ?? document.getElementById("main"))?.focus());
  };
  const dismissAll = () => {
    for (const reminder of fired) act({ reminder });
  };
  return (
    <section class="reminders" aria-label="Reminders" ref={list} tabIndex={-1}>
      <ol role="list" aria-live="polite" aria-relevant="additions">
        {shown.map((reminder) => (
          <ReminderLine key={`${reminder.reminderId} ${reminder.triggerUtc}`} reminder={reminder} onAct={act} />
        ))}
      </ol>
      {fired.length > shown.length && (
        <div class="reminder reminder-rest">
          <span class="grow small soft">{fired.length - shown.length} more</span>
          <Button size="small" variant="quiet" onClick={dismissAll}>
            Dismiss all
          </Button>
        </div>
      )}
    </section>
  );
}

function ReminderLine({ reminder, onAct }: { reminder: Reminder; onAct: (op: ReminderOp) => void }) {
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const title = reminder.title ?? "Reminder";
  const entries: MenuEntry[] = kSnoozes.map(({ label, snooze }) => ({
    label,
    onSelect: () => {
      announce(`${title}: again in ${label}`);
      onAct({ reminder, snooze });
    },
  }));
  return (
    <li class="reminder">
      <Icon name="bell" size={18} />
      <div class="grow">
        <div class="reminder-title">{title}</div>
        <div class="row wrap small soft">
          <span class="numbers">{whenText(reminder)}</span>
          {reminder.late && <Badge tone="warning">late</Badge>}
        </div>
        <div class="row reminder-buttons">
          <Button size="small" variant="primary" aria-label={`Dismiss ${title}`} onClick={() => onAct({ reminder })}>
            Dismiss
          </Button>
          <Button
            size="small"
            icon="clock"
            elementRef={anchor}
            aria-label={`Snooze ${title}`}
            aria-haspopup="menu"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            Snooze
          </Button>
          {open && <Menu anchor={anchor} label="Remind me again in" entries={entries} onClose={() => setOpen(false)} />}
        </div>
      </div>
    </li>
  );
}

/** When what it is about begins; of one by itself, when it was for. */
function whenText({ triggerUtc, snoozeState, minutesBefore }: Reminder): string {
  const meant = snoozeState?.originalTriggerUtc ?? triggerUtc;
  if (meant === undefined) return "";
  if (minutesBefore === undefined) return timeText(meant);
  return `at ${timeText(new Date(Date.parse(meant) + minutesBefore * 60_000))}`;
}

function reminderStore(): Optimistic<Reminder[], ReminderOp> {
  const store = new Optimistic<Reminder[], ReminderOp>({
    load: loadFired,
    apply: (fired, { reminder }) =>
      fired.filter(({ reminderId, version }) => reminderId !== reminder.reminderId || version > reminder.version),
    send: async ({ reminder, snooze }, { idempotencyKey }) => {
      const sending = { path: { reminderId: reminder.reminderId }, ifMatch: `"${reminder.version}"`, idempotencyKey };
      if (snooze) await api.post("/api/nexus/reminders/{reminderId}/snooze", { ...sending, body: snooze });
      else await api.post("/api/nexus/reminders/{reminderId}/dismiss", sending);
    },
    onRefused: ({ id, op, problem }) => {
      store.giveUp(id);
      void store.refresh().catch(() => undefined);
      const title = op.reminder.title ?? "Reminder";
      // Another tab was faster, or what it was about is gone: what is there now is shown.
      if (problem.status === 412 || problem.status === 404) toast({ text: `“${title}” was changed elsewhere in the meantime.` });
      else toastProblem(`“${title}” could not be dismissed.`, problem, () => void store.do(op));
    },
  });
  return store;
}

async function loadFired(): Promise<Reminder[]> {
  const fired: Reminder[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < kPagesMax; ++page) {
    const answer = await api.get("/api/nexus/reminders/due", { query: cursor === undefined ? {} : { cursor } });
    fired.push(...answer.items.filter(({ state }) => state === "FIRED"));
    cursor = answer.nextCursor;
    if (cursor === undefined) break;
  }
  return fired;
}
