import { ChoiceDialog } from "../parts";
import type { RemoveQuestion } from "./board_actions";
import type { RemoveScope } from "./board_types";

const kChoices: { value: RemoveScope; label: string; hint: string }[] = [
  { value: "this", label: "Only this one", hint: "The next one takes its place." },
  { value: "all", label: "This and all that would follow", hint: "The series ends. What was done of it stays." },
];

/** Which of a series that repeats? */
export function RemoveDialog({ question: { title, answer } }: { question: RemoveQuestion }) {
  return <ChoiceDialog title={`Delete “${title}”`} question="It is one of a series. Which ones are meant?" action="Delete" danger choices={kChoices} onAnswer={answer} />;
}
