import { useState } from "preact/hooks";
import { Button, Dialog } from "../parts";
import type { ScopeQuestion } from "./calendar_actions";
import type { Scope } from "./calendar_types";

const kNames: Record<Scope, { label: string; hint: string }> = {
  this: { label: "Only this one", hint: "The others stay as they are." },
  following: { label: "This and following", hint: "What was before stays as it is." },
  all: { label: "All of them", hint: "Those that were changed by themselves keep that." },
};

/** Which occurrences of a series? */
export function ScopeDialog({ question }: { question: ScopeQuestion }) {
  const { title, action, danger, scopes, answer } = question;
  const [scope, setScope] = useState<Scope>(scopes[0]!);
  return (
    <Dialog
      title={title}
      size="small"
      role={danger ? "alertdialog" : "dialog"}
      onClose={() => answer(null)}
      footer={
        <>
          <Button onClick={() => answer(null)}>Cancel</Button>
          <Button variant={danger ? "danger" : "primary"} type="submit" form="scope-form">
            {action}
          </Button>
        </>
      }
    >
      <form
        id="scope-form"
        onSubmit={(event) => {
          event.preventDefault();
          answer(scope);
        }}
      >
        <fieldset class="scopes">
          <legend class="soft small">It is one of a series. Which ones are meant?</legend>
          {scopes.map((value) => (
            <label key={value} class="scope">
              <input type="radio" name="scope" checked={value === scope} data-autofocus={value === scopes[0] || undefined} onChange={() => setScope(value)} />
              <span>
                {kNames[value].label}
                <span class="faint small scope-hint">{kNames[value].hint}</span>
              </span>
            </label>
          ))}
        </fieldset>
      </form>
    </Dialog>
  );
}
