import { useRef, useState } from "preact/hooks";
import { Checkbox, classNames, dayName, Icon, IconButton, Menu, MenuButton, tooltip, type IconName } from "../parts";
import { navigate } from "../shell";
import { pomodorosOf, type DayModel } from "./day_model";
import { classificationNames, classifications, type Classification, type Todo } from "./plan_types";
import { pomodoros } from "./plan_words";
import { TodoDetails } from "./todo_details";

export const classificationIcons: Record<Classification, IconName> = { urgent: "urgent", important: "important", other: "tag" };

interface TodoRowProps {
  todo: Todo;
  model: DayModel;
  open: boolean;
  onOpen: (open: boolean) => void;
  onDrag: (event: PointerEvent) => void;
  onRemove: () => void;
}

export function TodoRow({ todo, model, open, onOpen, onDrag, onRemove }: TodoRowProps) {
  const { actions, readOnly, today, values } = model;
  const title = todo.title ?? "An action that is gone";
  const done = todo.completedAt !== undefined;
  const path = values?.paths.get(todo.actionId) ?? [];
  return (
    <li
      data-id={todo.actionId}
      data-todo
      class={classNames("todo", `todo-${todo.classification}`, done && "todo-done", open && "todo-open")}
    >
      <div class="todo-line" onPointerDown={onDrag}>
        <span class="todo-grip" aria-hidden="true">
          <Icon name="grip" size={14} />
        </span>
        <Checkbox
          shape="round"
          hideLabel
          label={`${title}: done`}
          checked={done}
          disabled={readOnly}
          onChange={(checked) => actions.setCompleted(todo, checked)}
        />
        <div class="todo-text">
          <button type="button" class="todo-title" aria-expanded={open} onClick={() => onOpen(!open)}>
            {title}
          </button>
          {(path.length > 0 || todo.notes || todo.rolledFrom || todo.archived) && (
            <div class="todo-facts faint">
              {todo.archived && <span>Archived</span>}
              {todo.rolledFrom && (
                <span class="todo-fact" {...tooltip("Brought over from an earlier day")}>
                  <Icon name="undo" size={12} /> {dayName(todo.rolledFrom, today)}
                </span>
              )}
              {path.length > 0 && <span class="one-line">{path.join(" › ")}</span>}
              {todo.notes && !open && (
                <span class="todo-fact one-line">
                  <Icon name="note" size={12} /> {firstLine(todo.notes)}
                </span>
              )}
            </div>
          )}
        </div>
        <div class="todo-side">
          <EstimateButton todo={todo} model={model} />
          <ClassificationButton todo={todo} model={model} />
          {!done && !readOnly && (
            <IconButton
              icon="play"
              size="small"
              class="todo-start"
              label={`Start a pomodoro for ${title}`}
              keys="s"
              onClick={() => actions.startPomodoro(todo)}
            />
          )}
          {!readOnly && (
            <MenuButton
              size="small"
              label={`More for ${title}`}
              entries={[
                { label: open ? "Close details" : "Notes and details", icon: "note", keys: "e", onSelect: () => onOpen(!open) },
                !done && { label: "Plan a pomodoro", icon: "timer", keys: "p", onSelect: () => actions.planPomodoro(todo) },
                !done && { label: "Start a pomodoro now", icon: "play", keys: "s", onSelect: () => actions.startPomodoro(todo) },
                { label: "Show in values", icon: "values", onSelect: () => navigate(`/values?node=${encodeURIComponent(todo.actionId)}`) },
                "line",
                { label: "Remove from the day", icon: "close", keys: "Delete", onSelect: onRemove },
              ]}
            />
          )}
        </div>
      </div>
      {open && <TodoDetails key={todo.actionId} todo={todo} model={model} onClose={() => onOpen(false)} onRemove={onRemove} />}
    </li>
  );
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0]!;
}

function EstimateButton({ todo, model }: { todo: Todo; model: DayModel }) {
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const { planned, over } = pomodorosOf(model.plan, todo.actionId, model.now);
  const estimate = todo.estimatedPomodoros;
  const whole = Math.max(estimate ?? 0, planned);
  const label = estimate === undefined ? "No estimate" : `Estimate: ${pomodoros(estimate)}`;
  const text = `${label}${planned > 0 ? `, ${planned} planned` : ""}${over > 0 ? `, ${over} over` : ""}`;
  return (
    <>
      <button
        type="button"
        ref={anchor}
        class="pomodoro-meter"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={text}
        disabled={model.readOnly}
        {...tooltip(text)}
        onClick={() => setOpen(!open)}
      >
        {whole === 0 ? (
          <Icon name="timer" size={15} />
        ) : whole > 5 ? (
          <span class="numbers">
            {planned}/{estimate ?? planned}
          </span>
        ) : (
          Array.from({ length: whole }, (_, index) => (
            <span key={index} class={classNames("pomodoro-dot", index < over ? "pomodoro-over" : index < planned && "pomodoro-planned")} />
          ))
        )}
      </button>
      {open && (
        <Menu
          anchor={anchor}
          label="Estimated pomodoros"
          side="bottom-end"
          onClose={() => setOpen(false)}
          entries={[
            { label: "No estimate", checked: estimate === undefined, onSelect: () => model.actions.estimate(todo, null) },
            ...Array.from({ length: 8 }, (_, index) => ({
              label: pomodoros(index + 1),
              checked: estimate === index + 1,
              onSelect: () => model.actions.estimate(todo, index + 1),
            })),
          ]}
        />
      )}
    </>
  );
}

function ClassificationButton({ todo, model }: { todo: Todo; model: DayModel }) {
  const name = classificationNames[todo.classification];
  if (model.readOnly) {
    return (
      <span class={`todo-class class-${todo.classification}`} {...tooltip(name)}>
        <Icon name={classificationIcons[todo.classification]} size={15} />
        <span class="unseen">{name}</span>
      </span>
    );
  }
  return (
    <MenuButton
      size="small"
      icon={classificationIcons[todo.classification]}
      class={`class-${todo.classification}`}
      label={`${name}. Change`}
      entries={classifications.map((classification, index) => ({
        label: classificationNames[classification],
        keys: String(index + 1),
        checked: classification === todo.classification,
        onSelect: () => model.actions.classify(todo, classification),
      }))}
    />
  );
}
