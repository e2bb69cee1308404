import { api } from "../api";
import { Button, EmptyState, Kbd, Notice } from "../parts";
import { navigate } from "../shell";
import { useRequest } from "../state";

/** For a newcomer: todos are actions of the values tree, and there is none. */
export function NoValues({ onFilled }: { onFilled: () => void }) {
  const fill = useRequest(async () => {
    await api.post("/api/values/demo");
    onFilled();
  });

  return (
    <EmptyState
      icon="today"
      title="Plan your day from what matters to you"
      actions={
        <>
          <Button variant="primary" icon="values" onClick={() => navigate("/values")}>
            Start with your values
          </Button>
          <Button icon="sparkle" busy={fill.busy} onClick={fill.run}>
            Add demo data
          </Button>
        </>
      }
    >
      <p>
        A day is made of actions, and actions belong to a driver: something you care about. Write down a driver and a first action, then
        plan it here. Or look around with demo data first.
      </p>
      {fill.problem && <Notice tone="danger">{fill.problem}</Notice>}
    </EmptyState>
  );
}

/** There are actions, but the day is still empty. */
export function NoPlan({ isPast, onAdd }: { isPast: boolean; onAdd: () => void }) {
  if (isPast) {
    return (
      <EmptyState icon="calendar" title="This day had no plan">
        <p>Nothing was planned for it, and that is fine.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="today"
      title="What will you do on this day?"
      actions={
        <Button icon="plus" onClick={onAdd}>
          Add a todo
        </Button>
      }
    >
      <p>
        Pick a few actions (press <Kbd keys="n" />
        ), say how many pomodoros each takes, and drag them onto the timeline. Or let them be scheduled.
      </p>
    </EmptyState>
  );
}
