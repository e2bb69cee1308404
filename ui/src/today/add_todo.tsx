// The field above the todos: finds open actions of the values tree, or makes a new one under a driver or milestone.

import type { Ref } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { classNames, Icon, type IconName } from "../parts";
import type { DayModel } from "./day_model";
import { search, type Place } from "./open_actions";
import "./add_todo.css";

interface Option {
  id: string;
  title: string;
  path: string[];
  icon: IconName;
  tone: "action" | "driver" | "milestone" | "create";
  choose: () => void;
}

const kShownMax = 30;
const kLastPlaceKey = "cairn.today.place";

export function AddTodo({ model, fieldRef }: { model: DayModel; fieldRef: Ref<HTMLInputElement> }) {
  const [text, setText] = useState("");
  /** Set while a place is being chosen for a new action with this title. */
  const [newTitle, setNewTitle] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const base = useId();
  const list = useRef<HTMLUListElement>(null);

  const { values, plan, actions } = model;
  const options = newTitle === null ? actionOptions() : placeOptions(newTitle);
  const current = Math.min(at, options.length - 1);

  function reset() {
    setText("");
    setNewTitle(null);
    setAt(0);
  }

  /** Ready for the next one; on a phone the list would hide what was just added. */
  function added() {
    reset();
    if (matchMedia("(pointer: coarse)").matches) (document.activeElement as HTMLElement | null)?.blur();
  }

  function actionOptions(): Option[] {
    const planned = new Set(plan.todos.map(({ actionId }) => actionId));
    const free = (values?.actions ?? []).filter(({ id }) => !planned.has(id));
    const found: Option[] = search(free, text, kShownMax).map((action) => ({
      ...action,
      icon: "action",
      tone: "action",
      choose: () => {
        actions.add(action.id, action.title, "other");
        added();
      },
    }));
    const title = text.trim();
    if (title === "" || (values?.places.length ?? 0) === 0) return found;
    const create: Option = {
      id: "create",
      title: `Create “${title}”`,
      path: ["a new action, under…"],
      icon: "plus",
      tone: "create",
      choose: () => {
        setNewTitle(title);
        setText("");
        setAt(0);
      },
    };
    return [...found, create];
  }

  function placeOptions(title: string): Option[] {
    const last = localStorage.getItem(kLastPlaceKey);
    const places = values?.places ?? [];
    const ordered: Place[] = [...places.filter(({ id }) => id === last), ...places.filter(({ id }) => id !== last)];
    return search(ordered, text, kShownMax).map((place) => ({
      ...place,
      icon: place.nodeType === "DRIVER" ? "driver" : "milestone",
      tone: place.nodeType === "DRIVER" ? "driver" : "milestone",
      choose: () => {
        localStorage.setItem(kLastPlaceKey, place.id);
        actions.create(title, place.id, "other");
        added();
      },
    }));
  }

  function move(to: number) {
    setOpen(true);
    setAt(to);
    requestAnimationFrame(() => list.current?.children[to]?.scrollIntoView({ block: "nearest" }));
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.isComposing) return;
    if (event.key === "ArrowDown") move(options.length === 0 ? 0 : (current + 1) % options.length);
    else if (event.key === "ArrowUp") move(current <= 0 ? Math.max(0, options.length - 1) : current - 1);
    else if (event.key === "Enter" && open) options[current]?.choose();
    else if (event.key === "Backspace" && newTitle !== null && text === "") backToTitle();
    else if (event.key === "Escape" && newTitle !== null) backToTitle();
    else if (event.key === "Escape" && text !== "") reset();
    else if (event.key === "Escape") (event.currentTarget as HTMLElement).blur();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function backToTitle() {
    setText(newTitle ?? "");
    setNewTitle(null);
    setAt(0);
  }

  const label = newTitle === null ? "Add a todo" : `Under which driver or milestone should “${newTitle}” be?`;
  const shown = open && (options.length > 0 || text !== "");
  return (
    <div class="add-todo">
      <Icon name={newTitle === null ? "plus" : "values"} />
      {newTitle !== null && <span class="add-todo-new one-line">{newTitle}</span>}
      <input
        ref={fieldRef}
        class="add-todo-field"
        role="combobox"
        aria-label={label}
        aria-expanded={shown}
        aria-controls={`${base}-list`}
        aria-autocomplete="list"
        aria-activedescendant={shown && options[current] ? `${base}-${current}` : undefined}
        placeholder={newTitle === null ? "Search actions or add a new todo" : "Under which driver or milestone?"}
        autocomplete="off"
        maxLength={300}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <ul class="add-todo-list" role="listbox" id={`${base}-list`} aria-label={label} ref={list} hidden={!shown}>
        {options.map((option, index) => (
          <li
            key={option.id}
            id={`${base}-${index}`}
            role="option"
            aria-selected={index === current}
            class={classNames("add-todo-option", index === current && "add-todo-current")}
            onPointerMove={() => index !== current && setAt(index)}
            // The field keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onMouseDown={(event) => event.preventDefault()}
            onClick={option.choose}
          >
            <span class={`add-todo-icon add-todo-${option.tone}`}>
              <Icon name={option.icon} size={15} />
            </span>
            <span class="one-line">{option.title}</span>
            <span class="faint small one-line grow">{option.path.join(" › ")}</span>
          </li>
        ))}
        {options.length === 0 && (
          <li class="add-todo-option soft" role="option" aria-selected={false} aria-disabled="true">
            {nothingFound(values !== undefined, newTitle === null)}
          </li>
        )}
      </ul>
    </div>
  );
}

function nothingFound(isRead: boolean, isAction: boolean): string {
  if (!isRead) return "Your actions are still loading.";
  return isAction ? "No open action has that name." : "No driver or milestone has that name.";
}
