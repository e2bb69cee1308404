import { useState } from "preact/hooks";
import { Button } from "./button";
import { Dialog } from "./dialog";
import type { Choice } from "./field";
import "./choice_dialog.css";

interface ChoiceDialogProps<Value extends string> {
  title: string;
  /** What is asked. */
  question: string;
  /** On the button. */
  action: string;
  danger?: boolean;
  /** The first one is chosen at first. */
  choices: (Choice<Value> & { hint: string })[];
  onAnswer: (value: Value | null) => void;
}

/** One of a few, with what each means: which of a series? */
export function ChoiceDialog<Value extends string>({
  title,
  question,
  action,
  danger = false,
  choices,
  onAnswer,
}: ChoiceDialogProps<Value>) {
  const [chosen, setChosen] = useState(choices[0]!.value);
  return (
    <Dialog
      title={title}
      size="small"
      role={danger ? "alertdialog" : "dialog"}
      onClose={() => onAnswer(null)}
      footer={
        <>
          <Button onClick={() => onAnswer(null)}>Cancel</Button>
          <Button variant={danger ? "danger" : "primary"} type="submit" form="choice-form">
            {action}
          </Button>
        </>
      }
    >
      <form
        id="choice-form"
        onSubmit={(event) => {
          event.preventDefault();
          onAnswer(chosen);
        }}
      >
        <fieldset class="choices">
          <legend class="soft small">{question}</legend>
          {choices.map(({ value, label, hint }, index) => (
            <label key={value} class="choice">
              <input
                type="radio"
                name="choice"
                checked={value === chosen}
                data-autofocus={index === 0 || undefined}
                onChange={() => setChosen(value)}
              />
              <span>
                {label}
                <span class="faint small choice-hint">{hint}</span>
              </span>
            </label>
          ))}
        </fieldset>
      </form>
    </Dialog>
  );
}
