import { useState } from "preact/hooks";
import { Button, classNames, Dialog, TextArea, TextField } from "../parts";
import type { Failed } from "../state";
import { bothTexts, fieldName, isText, resolutionOf, sideText, type Choice } from "./conflict_choices";
import type { ValuesModel } from "./model";
import { conflictsOf, type Conflict, type TreeOp } from "./store";
import { titleOf, type Tree } from "./tree";
import { WordDiff } from "./word_diff_view";
import "./conflict_dialog.css";

interface ConflictDialogProps {
  values: ValuesModel;
  failed: Failed<TreeOp>;
}

/** The same was changed elsewhere meanwhile: field by field, which one is to stay. */
export function ConflictDialog({ values, failed }: ConflictDialogProps) {
  const conflicts = conflictsOf(failed.problem);
  const [choices, setChoices] = useState<Choice[]>(() => conflicts.map((conflict) => ({ take: "mine", value: bothTexts(conflict) })));
  const tree = values.tree.value;
  const isEmpty = conflicts.some(({ field }, at) => field === "title" && choices[at]!.take === "value" && choices[at]!.value.trim() === "");

  function close() {
    values.resolving.value = null; // it stays above the tree, with what was typed
  }
  function save() {
    values.resolving.value = null;
    void values.store.resolve(
      failed,
      conflicts.map((conflict, at) => resolutionOf(conflict, choices[at]!)),
    );
  }
  function giveUp() {
    values.resolving.value = null;
    values.store.giveUp(failed.id);
  }

  return (
    <Dialog
      title="Changed in two places"
      size="large"
      onClose={close}
      footer={
        <>
          <Button variant="quiet" onClick={giveUp}>
            Discard my change
          </Button>
          <Button variant="primary" disabled={isEmpty} onClick={save} data-autofocus>
            Save
          </Button>
        </>
      }
    >
      <p class="soft">
        While you were working, the same was changed in another tab or on another device. Choose what is to stay; everything else was put
        together already.
      </p>
      {conflicts.map((conflict, at) => (
        <ConflictField
          key={`${conflict.nodeId} ${conflict.field}`}
          tree={tree}
          conflict={conflict}
          choice={choices[at]!}
          onChange={(choice) => setChoices(choices.map((other, index) => (index === at ? choice : other)))}
        />
      ))}
    </Dialog>
  );
}

interface ConflictFieldProps {
  tree: Tree;
  conflict: Conflict;
  choice: Choice;
  onChange: (choice: Choice) => void;
}

function ConflictField({ tree, conflict, choice, onChange }: ConflictFieldProps) {
  const { field, nodeId } = conflict;
  const base = sideText(tree, field, conflict.base);
  const sides = [
    { take: "mine" as const, label: "Mine", text: sideText(tree, field, conflict.mine) },
    { take: "theirs" as const, label: "Theirs", text: sideText(tree, field, conflict.theirs) },
  ];
  const name = `${nodeId}-${field}`;
  return (
    <fieldset class="conflict">
      <legend>
        {fieldName(field)} <span class="faint">of “{titleOf(tree, nodeId)}”</span>
      </legend>
      <p class="small faint conflict-base">
        Before: <span class="soft">{base === "" ? "nothing" : base}</span>
      </p>
      <div class="conflict-sides">
        {sides.map(({ take, label, text }) => (
          <label key={take} class={classNames("conflict-side", choice.take === take && "conflict-side-taken")}>
            <input type="radio" name={name} checked={choice.take === take} onChange={() => onChange({ ...choice, take })} />
            <span class="grow">
              <strong class="small">{label}</strong>
              <span class="conflict-text">
                {isText(field) ? text === "" ? <em class="faint">nothing</em> : <WordDiff from={base} to={text} /> : text}
              </span>
            </span>
          </label>
        ))}
        {isText(field) && (
          <div class={classNames("conflict-side", "conflict-edit", choice.take === "value" && "conflict-side-taken")}>
            <label class="row">
              <input type="radio" name={name} checked={choice.take === "value"} onChange={() => onChange({ ...choice, take: "value" })} />
              <strong class="small">Something else</strong>
            </label>
            {field === "notes" ? (
              <TextArea label="Other notes" hideLabel value={choice.value} onInput={(value) => onChange({ take: "value", value })} />
            ) : (
              <TextField label="Another title" hideLabel value={choice.value} onInput={(value) => onChange({ take: "value", value })} />
            )}
          </div>
        )}
      </div>
    </fieldset>
  );
}
