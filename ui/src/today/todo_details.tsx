import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button, IconButton, Segmented, TextArea } from "../parts";
import type { DayModel } from "./day_model";
import { classificationNames, classifications, type Todo } from "./plan_types";

interface TodoDetailsProps {
  todo: Todo;
  model: DayModel;
  onClose: () => void;
  onRemove: () => void;
}

/** Below a todo: notes, classification, estimate. What is typed is saved when the field is left, and kept if that fails. */
export function TodoDetails({ todo, model, onClose, onRemove }: TodoDetailsProps) {
  const { actions, readOnly } = model;
  const [draft, setDraft] = useState<string | null>(null);
  const [failed, setFailed] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const latest = useRef({ draft, todo });
  latest.current = { draft, todo };

  async function save() {
    if (draft === null) return;
    const done = await actions.note(todo, draft);
    setFailed(!done);
    // What was typed meanwhile is another draft.
    if (done && latest.current.draft === draft) setDraft(null);
  }

  // Closing the details, or leaving the page, is leaving the field.
  useEffect(
    () => () => {
      const { draft: unsaved, todo: last } = latest.current;
      if (unsaved !== null) void actions.note(last, unsaved);
    },
    [actions],
  );

  // Whoever opens it wants to write; on a phone the keyboard would hide what it is about.
  useLayoutEffect(() => {
    if (!matchMedia("(pointer: coarse)").matches) field.current?.focus();
  }, []);

  const estimate = todo.estimatedPomodoros;
  return (
    <div class="todo-details">
      <TextArea
        label="Notes"
        rows={2}
        placeholder="What helps you begin?"
        maxLength={10_000}
        elementRef={field}
        disabled={readOnly}
        value={draft ?? todo.notes ?? ""}
        error={failed ? "These notes could not be saved. Leave the field to try again." : undefined}
        onInput={setDraft}
        onBlur={() => void save()}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          (event.currentTarget.closest("[data-todo]")?.querySelector(".todo-title") as HTMLElement | null)?.focus();
          onClose();
        }}
      />
      <div class="row wrap todo-choices">
        <Segmented
          label="Classification"
          value={todo.classification}
          choices={classifications.map((value) => ({ value, label: classificationNames[value] }))}
          onChange={(value) => actions.classify(todo, value)}
        />
        <div class="row stepper" role="group" aria-label="Estimated pomodoros">
          <IconButton
            icon="minus"
            size="small"
            label="One pomodoro fewer"
            keys="-"
            disabled={readOnly || (estimate ?? 0) === 0}
            onClick={() => actions.estimate(todo, (estimate ?? 1) - 1)}
          />
          <output class="numbers small">
            {estimate === undefined ? "No estimate" : estimate === 1 ? "1 pomodoro" : `${estimate} pomodoros`}
          </output>
          <IconButton
            icon="plus"
            size="small"
            label="One pomodoro more"
            keys="+"
            disabled={readOnly}
            onClick={() => actions.estimate(todo, (estimate ?? 0) + 1)}
          />
        </div>
        <span class="grow" />
        {!readOnly && !todo.completedAt && (
          <Button size="small" icon="timer" onClick={() => actions.planPomodoro(todo)}>
            Plan a pomodoro
          </Button>
        )}
        {!readOnly && (
          <Button size="small" variant="quiet" icon="close" onClick={onRemove}>
            Remove from the day
          </Button>
        )}
      </div>
    </div>
  );
}
