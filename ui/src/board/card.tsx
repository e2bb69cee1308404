import { useRef } from "preact/hooks";
import { Badge, classNames, clockText, dayName, dayText, Icon, wallAt } from "../parts";
import type { BoardActions } from "./board_actions";
import { kUsualPriority, priorityNames, type Task } from "./board_types";
import { beginCardDrag } from "./card_drag";

interface CardProps {
  task: Task;
  actions: BoardActions;
  zone: string;
  now: number;
  onEdit: (task: Task) => void;
  /** Keys lead from card to card: by lines, or to the next column. */
  onWalk: (task: Task, direction: "up" | "down" | "left" | "right") => void;
}

const kArrows: Record<string, "up" | "down" | "left" | "right"> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  k: "up",
  j: "down",
};

export function Card({ task, actions, zone, now, onEdit, onWalk }: CardProps) {
  const element = useRef<HTMLLIElement>(null);
  const done = task.status === "DONE" || task.status === "ARCHIVED";
  const due = task.dueUtc === undefined ? null : dueText(task.dueUtc, zone, now);
  const isOverdue = !done && task.dueUtc !== undefined && Date.parse(task.dueUtc) < now;

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey) return;
    const direction = kArrows[event.key];
    if (event.altKey) {
      if (direction === "up" || direction === "down") actions.moveWithin(task, direction === "up" ? -1 : 1);
      else if (direction === "left" || direction === "right") actions.moveAcross(task, direction === "left" ? -1 : 1);
      else return;
    } else if (direction !== undefined) onWalk(task, direction);
    else if (/^[1-4]$/.test(event.key)) actions.move(task, { status: task.status, priority: Number(event.key) });
    else if (event.key === "x") actions.toggleDone(task);
    else if (event.key === "e") onEdit(task);
    else if (event.key === "Delete" || event.key === "Backspace") void actions.remove(task);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const besides = [
    task.priority === kUsualPriority && `priority ${priorityNames[task.priority]}`,
    isOverdue && "overdue",
    task.masterId !== undefined && "repeats",
    task.description && "has a description",
  ];
  return (
    <li
      ref={element}
      data-id={task.taskId}
      class={classNames("card", `card-priority-${task.priority}`, done && "card-done")}
      onPointerDown={(event) => beginCardDrag(event, task, element.current!, actions)}
    >
      <button type="button" class="card-face" onClick={() => onEdit(task)} onKeyDown={onKeyDown}>
        <span class="card-title">{task.title}</span>
        {(due || task.priority !== kUsualPriority || task.tags.length > 0 || task.masterId !== undefined || task.description) && (
          <span class="row wrap card-facts">
            {task.priority !== kUsualPriority && (
              <Badge tone={task.priority === 1 ? "danger" : task.priority === 2 ? "warning" : "neutral"}>
                {priorityNames[task.priority]}
              </Badge>
            )}
            {due && (
              <span class={classNames("card-due numbers", isOverdue && "card-overdue")}>
                <Icon name="clock" size={12} />
                {due}
              </span>
            )}
            {task.masterId !== undefined && <Icon name="repeat" size={12} />}
            {task.description !== undefined && <Icon name="note" size={12} />}
            {task.tags.slice(0, 3).map((tag) => (
              <span key={tag} class="card-tag">
                {tag}
              </span>
            ))}
          </span>
        )}
        <span class="unseen">{besides.filter(Boolean).join(", ")}</span>
      </button>
    </li>
  );
}

/** "tomorrow 9:00", "Mon 16 Nov 9:00" */
function dueText(due: string, zone: string, now: number): string {
  const day = wallAt(Date.parse(due), zone).slice(0, 10);
  const today = wallAt(now, zone).slice(0, 10);
  const name = day.slice(0, 4) === today.slice(0, 4) ? dayName(day, today) : dayText(day, "year");
  return `${name} ${clockText(due, zone)}`;
}
