import { Button, Icon } from "../parts";
import type { Failed } from "../state";
import type { ValuesModel } from "./model";
import type { Operation } from "./operations";
import { conflictsOf, type TreeOp } from "./store";
import { titleOf, type Tree } from "./tree";

/** Changes that the server refused, with what was typed in them, until they are tried again or dropped. */
export function FailedChanges({ values }: { values: ValuesModel }) {
  const failed = values.store.failed.value;
  if (failed.length === 0) return null;
  const tree = values.tree.value;
  return (
    <ul role="list" class="failed-changes" aria-label="Changes that were not saved">
      {failed.map((entry) => (
        <li key={entry.id}>
          <div class="failed-change" role="alert">
            <Icon name="warning" size={17} />
            <div class="grow">
              <strong>{nameOf(tree, entry.op)} was not saved.</strong> <span class="soft">{whyOf(tree, entry)}</span>
              {typedIn(entry.op).map((text, index) => (
                <div key={index} class="failed-text">
                  {text}
                </div>
              ))}
            </div>
            <div class="row">
              <Ways values={values} entry={entry} />
              <Button size="small" variant="quiet" onClick={() => values.store.giveUp(entry.id)}>
                Discard
              </Button>
            </div>
          </div>
        </li>
      ))}
    </ul>
  );
}

function Ways({ values, entry }: { values: ValuesModel; entry: Failed<TreeOp> }) {
  const { op, problem } = entry;
  if (conflictsOf(problem).length > 0) {
    return (
      <Button size="small" variant="primary" onClick={() => (values.resolving.value = entry)}>
        Choose
      </Button>
    );
  }
  if (problem.code === "shared-descendant" && op.kind === "change") {
    return (
      <Button
        size="small"
        onClick={() => {
          values.store.giveUp(entry.id);
          void values.change(op.operations.map((operation) => (operation.op === "move" ? { ...operation, force: true } : operation)));
        }}
      >
        Move and cut the links
      </Button>
    );
  }
  return (
    <Button size="small" onClick={() => void values.store.retry(entry.id)}>
      Try again
    </Button>
  );
}

function whyOf(tree: Tree, { problem }: Failed<TreeOp>): string {
  if (conflictsOf(problem).length > 0) return "The same thing was changed in another tab or on another device.";
  return readable(tree, problem.message);
}

/** Messages name nodes with their ids; people know them by their titles. */
function readable(tree: Tree, message: string): string {
  return message.replace(/ \(([\x21-\x7e]{1,256}?)\)/g, (all, id: string) => (tree.nodes.has(id) ? "" : all));
}

function nameOf(tree: Tree, op: TreeOp): string {
  if (op.kind !== "change") return "This";
  const [first] = op.operations;
  if (!first) return "This";
  const names: Record<Operation["op"], string> = {
    add: "The new entry",
    edit: "The change",
    move: "The move",
    link: "The link",
    unlink: "Unlinking",
    reorder: "The new order",
    complete: "Completing",
    uncomplete: "Reopening",
    archive: "Archiving",
    delete: "Deleting",
    restore: "Restoring",
  };
  const id = first.op === "add" || first.op === "reorder" ? undefined : "childId" in first ? first.childId : first.nodeId;
  return id === undefined ? names[first.op] : `${names[first.op]} of “${titleOf(tree, id)}”`;
}

function typedIn(op: TreeOp): string[] {
  if (op.kind !== "change") return [];
  return op.operations.flatMap((operation) =>
    operation.op === "add" || operation.op === "edit"
      ? [operation.title, operation.notes].filter((text): text is string => typeof text === "string")
      : [],
  );
}
