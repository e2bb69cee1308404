import { ChoiceDialog } from "../parts";
import type { ScopeQuestion } from "./calendar_actions";
import type { Scope } from "./calendar_types";

interface Choice {
  label: string;
  hint: string;
}

const kChange: Record<Scope, Choice> = {
  this: { label: "Only this event", hint: "The others stay as they are." },
  following: { label: "This and following events", hint: "Earlier ones stay as they are." },
  all: { label: "All events", hint: "Events you changed individually keep those changes." },
};

const kChoices: Record<ScopeQuestion["kind"], Record<Scope, Choice>> = {
  change: kChange,
  delete: { ...kChange, all: { label: "All events", hint: "The whole series, including events you changed individually." } },
  end: {
    ...kChange,
    following: { label: "After this event", hint: "This and earlier events stay; later ones are deleted." },
    all: { label: "Keep only this event", hint: "All other events of the series are deleted." },
  },
};

const kQuestions: Record<ScopeQuestion["kind"], string> = {
  change: "This event repeats. Which events do you want to change?",
  delete: "This event repeats. Which events do you want to delete?",
  end: "This event repeats. When should it stop?",
};

/** Which occurrences of a series? */
export function ScopeDialog({ question }: { question: ScopeQuestion }) {
  const { title, action, danger, kind, scopes, answer } = question;
  const choices = scopes.map((value) => ({ value, ...kChoices[kind][value] }));
  return <ChoiceDialog title={title} question={kQuestions[kind]} action={action} danger={danger} choices={choices} onAnswer={answer} />;
}
