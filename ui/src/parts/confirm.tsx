// A question before something that cannot be taken back: `if (await confirm({ ... })) erase();` Whatever can be undone
// needs no question but a toast with Undo.

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Button } from "./button";
import { Dialog } from "./dialog";

export interface Question {
  title: string;
  text: ComponentChildren;
  /** The button that does it: "Delete", never "OK". */
  action: string;
  danger?: boolean;
}

const asked = signal<(Question & { answer: (yes: boolean) => void }) | null>(null);

export function confirm(question: Question): Promise<boolean> {
  asked.value?.answer(false);
  return new Promise((resolve) => {
    asked.value = {
      ...question,
      answer: (yes) => {
        asked.value = null;
        resolve(yes);
      },
    };
  });
}

/** Before something typed is left: true if there is nothing to lose, or the user says so. */
export async function mayDiscard(isChanged: boolean): Promise<boolean> {
  return !isChanged || confirm({ title: "Discard what you typed?", text: "It has not been saved.", action: "Discard", danger: true });
}

/** Mounted once, by the shell. */
export function ConfirmHost() {
  const question = asked.value;
  if (!question) return null;
  return (
    <Dialog
      title={question.title}
      size="small"
      role="alertdialog"
      onClose={() => question.answer(false)}
      footer={
        <>
          <Button onClick={() => question.answer(false)}>Cancel</Button>
          <Button variant={question.danger ? "danger" : "primary"} data-autofocus onClick={() => question.answer(true)}>
            {question.action}
          </Button>
        </>
      }
    >
      <p class="soft">{question.text}</p>
    </Dialog>
  );
}
