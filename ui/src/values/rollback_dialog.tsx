import { useState } from "preact/hooks";
import { Button, dateTimeText, Dialog, Notice, SkeletonRows } from "../parts";
import { navigate } from "../shell";
import { useResource } from "../state";
import { readChanges } from "./changes";
import { ChangeChips, DiffView } from "./diff_view";
import type { ValuesModel } from "./model";
import { compare } from "./revisions";

interface RollbackDialogProps {
  values: ValuesModel;
  revId: string;
  revTs: string;
  onClose: () => void;
}

/** What would become of the tree of now, before it does. */
export function RollbackDialog({ values, revId, revTs, onClose }: RollbackDialogProps) {
  const [busy, setBusy] = useState(false);
  const head = values.store.server.value?.revId ?? revId;
  const preview = useResource(`${head} ${revId}`, async () => {
    const { diff, before, after } = await compare(head, revId);
    return readChanges(diff, before, after);
  });
  const groups = preview.data.value;
  const when = dateTimeText(revTs);

  async function rollBack() {
    setBusy(true);
    const done = await values.rollback(revId, when);
    setBusy(false);
    if (!done) return;
    onClose();
    navigate("/values");
  }

  return (
    <Dialog
      title={`Back to ${when}`}
      size="large"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" icon="history" busy={busy} disabled={groups?.length === 0} onClick={() => void rollBack()}>
            Roll back
          </Button>
        </>
      }
    >
      <p class="soft">
        {groups?.length === 0
          ? "The tree is the same now as it was then."
          : "This is what would change. It becomes a new revision: no history is lost, and you can undo it."}
      </p>
      {preview.problem.value && !groups && (
        <Notice tone="danger" title="The preview could not be made." action={{ label: "Try again", run: () => void preview.refresh() }}>
          {preview.problem.value.message}
        </Notice>
      )}
      {!groups && !preview.problem.value && <SkeletonRows rows={4} label="Comparing" />}
      {groups && groups.length > 0 && (
        <div class="stack rollback-preview">
          <ChangeChips groups={groups} />
          <DiffView groups={groups} />
        </div>
      )}
    </Dialog>
  );
}
