import { ChoiceDialog } from "../parts";
import type { ScopeQuestion } from "./calendar_actions";
import type { Scope } from "./calendar_types";

const kNames: Record<Scope, { label: string; hint: string }> = {
  this: { label: "Only this one", hint: "The others stay as they are." },
  following: { label: "This and following", hint: "What was before stays as it is." },
  all: { label: "All of them", hint: "Those that were changed by themselves keep that." },
};

const kAllGo = { label: "All of them", hint: "The whole series, also what was changed by itself." };

/** Which occurrences of a series? */
export function ScopeDialog({ question }: { question: ScopeQuestion }) {
  const { title, action, danger, removes, scopes, answer } = question;
  const choices = scopes.map((value) => ({ value, ...(removes && value === "all" ? kAllGo : kNames[value]) }));
  return <ChoiceDialog title={title} question="It is one of a series. Which ones are meant?" action={action} danger={danger} choices={choices} onAnswer={answer} />;
}
