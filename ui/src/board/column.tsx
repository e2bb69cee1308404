import type { Ref } from "preact";
import { useId, useState } from "preact/hooks";
import { Badge, Button, classNames } from "../parts";
import type { BoardActions } from "./board_actions";
import type { Column, Task } from "./board_types";
import { Card } from "./card";

interface ColumnViewProps {
  column: Column;
  actions: BoardActions;
  zone: string;
  now: number;
  /** The field for a new card, when this column is the one that "n" leads to. */
  addField: Ref<HTMLInputElement>;
  onEdit: (task: Task) => void;
  onWalk: (task: Task, direction: "up" | "down" | "left" | "right") => void;
}

export function ColumnView({ column, actions, zone, now, addField, onEdit, onWalk }: ColumnViewProps) {
  const { status, title, limit, count, isOverLimit, cards, nextCursor } = column;
  const [typed, setTyped] = useState("");
  const id = useId();

  function add(event: Event) {
    event.preventDefault();
    if (typed.trim() === "") return;
    actions.add(typed.trim(), status);
    setTyped("");
  }

  return (
    <section class={classNames("column", isOverLimit && "column-over")} data-status={status} aria-labelledby={id}>
      <header class="column-head">
        <h2 id={id} class="grow one-line">
          {title}
        </h2>
        {isOverLimit && <Badge tone="warning">over the limit</Badge>}
        <span class="numbers faint small" aria-label={limit === undefined ? `${count} cards` : `${count} of at most ${limit} cards`}>
          {count}
          {nextCursor !== undefined && "+"}
          {limit !== undefined && `/${limit}`}
        </span>
      </header>
      <ol class="column-cards" role="list" aria-label={`Cards of ${title}`}>
        {cards.map((task) => (
          <Card key={task.taskId} task={task} actions={actions} zone={zone} now={now} onEdit={onEdit} onWalk={onWalk} />
        ))}
      </ol>
      {nextCursor !== undefined && (
        <Button size="small" variant="quiet" onClick={() => void actions.store.showMore(status).catch(() => undefined)}>
          Show more
        </Button>
      )}
      <form class="column-add" onSubmit={add}>
        <input
          ref={addField}
          class="input"
          type="text"
          aria-label={`New card in ${title}`}
          placeholder="Add a card"
          maxLength={500}
          autocomplete="off"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") event.currentTarget.blur(); // what was typed stays
          }}
        />
      </form>
    </section>
  );
}
