import { useState } from "preact/hooks";
import { api } from "../api";
import { addDays, Button, dayName, Icon } from "../parts";
import { useResource } from "../state";
import type { DayModel } from "./day_model";
import type { Plan, Todo } from "./plan_types";

const kLookBackDays = 31;
const kNamedMax = 4;

/** Todos of the last planned day that are still open and not here yet. */
export function leftOver(last: Plan, here: Plan): Todo[] {
  const known = new Set(here.todos.map(({ actionId }) => actionId));
  return last.todos.filter(({ actionId, completedAt, archived }) => completedAt === undefined && !archived && !known.has(actionId));
}

async function lastPlanned(day: string, signal: AbortSignal): Promise<Plan | null> {
  const query = { from: addDays(day, -kLookBackDays), to: addDays(day, -1), limit: 50 };
  const { items } = await api.get("/api/plans", { query, signal });
  const last = items
    .filter(({ todoCount }) => todoCount > 0)
    .sort((one, other) => one.day.localeCompare(other.day))
    .at(-1);
  return last ? api.get("/api/plans/{day}", { path: { day: last.day }, signal }) : null;
}

export function RolloverBanner({ model }: { model: DayModel }) {
  const { plan, today, store, actions, readOnly } = model;
  const key = `cairn.today.not-over.${plan.day}`;
  const [dismissed, setDismissed] = useState(() => sessionStorage.getItem(key) !== null);
  // Read anew when the tree has changed: what was completed there is not left over.
  const last = useResource(`${plan.day}:${plan.valuesRevId ?? ""}`, (signal) => lastPlanned(plan.day, signal)).data.value;
  if (plan.day < today || dismissed || readOnly || !last) return null;
  const todos = leftOver(last, plan);
  if (todos.length === 0) return null;

  const name = dayName(last.day, today);
  const bringOver = () => {
    const here = todos.map((todo) => ({ ...todo, rolledFrom: last.day }));
    void store.do({ kind: "rollover", fromDay: last.day, todos: here });
    actions.undoable(`Brought over ${count(todos.length)} from ${name}.`);
  };
  return (
    <section class="rollover" aria-label={`Unfinished todos of ${name}`}>
      <Icon name="redo" size={18} />
      <div class="grow">
        <strong>
          {count(todos.length)} left from {name}
        </strong>
        <div class="soft small">
          {todos
            .slice(0, kNamedMax)
            .map(({ title }) => title ?? "An action")
            .join(" · ")}
          {todos.length > kNamedMax && ` · and ${todos.length - kNamedMax} more`}
        </div>
      </div>
      <div class="row">
        <Button size="small" variant="primary" onClick={bringOver}>
          Bring over
        </Button>
        <Button
          size="small"
          variant="quiet"
          onClick={() => {
            sessionStorage.setItem(key, "1");
            setDismissed(true);
          }}
        >
          Not now
        </Button>
      </div>
    </section>
  );
}

function count(todos: number): string {
  return todos === 1 ? "1 todo" : `${todos} todos`;
}
