// Fills the day with pomodoros, after showing how: the server tells what it would do, and only what was shown is done.

import { useEffect, useState } from "preact/hooks";
import { api, problemOf } from "../api";
import { Button, Notice, Spinner, TextField } from "../parts";
import { kSnapMinutes, minuteOf } from "./day_grid";
import type { DayModel } from "./day_model";
import type { Block, PlanOperation, Unscheduled } from "./plan_types";
import { pomodoros } from "./plan_words";
import { fieldTime, nextTime } from "../parts/zone_days";

export interface SchedulePreview {
  blocks: Block[];
  unscheduled: Unscheduled[];
}

interface SchedulePanelProps {
  model: DayModel;
  preview: SchedulePreview | null;
  onPreview: (preview: SchedulePreview | null) => void;
  onClose: () => void;
}

const kHoursKey = "cairn.today.hours";
const kTypingMs = 300;

interface Hours {
  from: string;
  until: string;
  minutes: string;
}

function usualHours(): Hours {
  const usual = { from: "09:00", until: "18:00", minutes: "25" };
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(kHoursKey) ?? "{}") as Partial<Hours>) };
  } catch {
    return usual;
  }
}

/** The next five minutes for today, the usual morning for another day. */
function firstHours({ grid, now }: DayModel): Hours {
  const usual = usualHours();
  const minute = minuteOf(grid, now);
  if (minute < 0 || minute >= grid.minutes) return usual;
  const next = grid.start + Math.ceil(minute / kSnapMinutes) * kSnapMinutes * 60_000;
  const from = Math.max(next, nextTime(grid.start, usual.from, grid.zone));
  const until = nextTime(grid.start, usual.until, grid.zone);
  const isLate = from + 30 * 60_000 > until;
  return { ...usual, from: fieldTime(from, grid.zone), until: isLate ? fieldTime(grid.end - 60_000, grid.zone) : usual.until };
}

/** What turns the blocks of a plan into those of a preview. */
export function scheduleOperations(before: readonly Block[], after: readonly Block[]): PlanOperation[] {
  const kept = new Set(after.map(({ blockId }) => blockId));
  const known = new Set(before.map(({ blockId }) => blockId));
  return [
    ...before.filter(({ blockId }) => !kept.has(blockId)).map(({ blockId }): PlanOperation => ({ op: "removeBlock", blockId })),
    ...after
      .filter(({ blockId }) => !known.has(blockId))
      .map(({ blockId, blockType, start, end, actionId }): PlanOperation => {
        const action = actionId === undefined ? {} : { actionId };
        return { op: "addBlock", blockId, blockType, start, end, ...action };
      }),
  ];
}

export function SchedulePanel({ model, preview, onPreview, onClose }: SchedulePanelProps) {
  const { plan, grid, store, actions } = model;
  const [hours, setHours] = useState(() => firstHours(model));
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const { day, revId } = plan;
  const { start, zone } = grid;

  useEffect(() => {
    if (hours.from === "" || hours.until === "" || !(Number(hours.minutes) > 0)) return undefined;
    const abort = new AbortController();
    const wait = setTimeout(() => void read(), kTypingMs);
    async function read() {
      const from = nextTime(start, hours.from, zone);
      const until = nextTime(from + 60_000, hours.until, zone);
      try {
        const answer = await api.post("/api/plans/{day}/autoschedule", {
          path: { day },
          body: {
            preview: true,
            from: new Date(from).toISOString(),
            until: new Date(until).toISOString(),
            pomodoroMinutes: Number(hours.minutes),
          },
          signal: abort.signal,
        });
        setProblem(undefined);
        onPreview({ blocks: answer.preview ?? [], unscheduled: answer.unscheduled });
      } catch (thrown) {
        if (!abort.signal.aborted) setProblem(problemOf(thrown).message);
      }
    }
    return () => {
      clearTimeout(wait);
      abort.abort();
    };
  }, [day, revId, hours, start, zone, onPreview]);

  const operations = preview ? scheduleOperations(plan.blocks, preview.blocks) : [];
  const added = operations.filter((operation) => operation.op === "addBlock" && operation.blockType === "POMODORO").length;

  function accept() {
    localStorage.setItem(kHoursKey, JSON.stringify({ ...usualHours(), until: hours.until, minutes: hours.minutes }));
    void store.commit(operations, "Scheduled the day");
    actions.undoable(`Planned ${pomodoros(added)}.`);
    onClose();
  }

  const set = (name: keyof Hours) => (value: string) => setHours({ ...hours, [name]: value });
  return (
    <section class="schedule" aria-label="Schedule the day">
      <div class="row wrap schedule-fields">
        <TextField label="From" type="time" value={hours.from} onInput={set("from")} autofocus />
        <TextField label="Until" type="time" value={hours.until} onInput={set("until")} />
        <TextField label="Minutes" type="number" min={5} max={240} step={5} value={hours.minutes} onInput={set("minutes")} />
      </div>
      <div aria-live="polite" class="schedule-result">
        {problem ? (
          <Notice tone="danger">{problem}</Notice>
        ) : !preview ? (
          <Spinner label="Finding free time" />
        ) : operations.length === 0 ? (
          <p class="soft small">
            {plan.todos.some(({ completedAt }) => completedAt === undefined)
              ? "Nothing to change: everything that fits is already planned."
              : "There are no open todos to plan."}
          </p>
        ) : (
          <p class="small">
            <strong>{pomodoros(added)}</strong> would be planned; they are dashed in the timeline.
          </p>
        )}
        {preview && preview.unscheduled.length > 0 && (
          <div class="schedule-left small">
            <strong>Does not fit:</strong>
            <ul>
              {preview.unscheduled.map(({ actionId, pomodorosLeft }) => (
                <li key={actionId}>
                  {model.title(actionId)} <span class="faint">({pomodoros(pomodorosLeft)})</span>
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
      <div class="row schedule-buttons">
        <Button size="small" onClick={onClose}>
          Cancel
        </Button>
        <Button size="small" variant="primary" icon="check" disabled={operations.length === 0} onClick={accept}>
          Accept
        </Button>
      </div>
    </section>
  );
}
