import { ChoiceDialog } from "../parts";
import type { RemoveQuestion } from "./board_actions";
import type { RemoveScope } from "./board_types";

const kChoices: { value: RemoveScope; label: string; hint: string }[] = [
  { value: "this", label: "Only this task", hint: "The next one takes its place." },
  { value: "all", label: "This and following tasks", hint: "The series ends. Completed tasks stay." },
];

/** Which of a series that repeats? */
export function RemoveDialog({ question: { title, answer } }: { question: RemoveQuestion }) {
  return (
    <ChoiceDialog
      title={`Delete “${title}”`}
      question="This task repeats. Which tasks do you want to delete?"
      action="Delete"
      danger
      choices={kChoices}
      onAnswer={answer}
    />
  );
}
