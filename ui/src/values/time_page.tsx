import { signal } from "@preact/signals";
import { useMemo, useState } from "preact/hooks";
import { Button, dateTimeText, Icon, IconButton, Notice, SkeletonRows } from "../parts";
import { navigate } from "../shell";
import { useResource } from "../state";
import { commitTitle } from "./commit_title";
import { ValuesFrame } from "./frame";
import { DayPicker } from "./history_page";
import type { ValuesModel } from "./model";
import { Outline } from "./outline";
import { commitOf, treeOf } from "./revisions";
import { RollbackDialog } from "./rollback_dialog";
import { titleOf, typeNames, type Tree, type TreeNode } from "./tree";
import { TreeView } from "./tree_view";
import { api, type Schemas } from "../api";

/** The tree as it was: to be read, compared and brought back. */
export function TimePage({ values, revId }: { values: ValuesModel; revId: string | undefined }) {
  const [rollback, setRollback] = useState(false);
  const past = useResource(revId ?? "", async () => {
    if (revId === undefined) throw new Error("no revision");
    const [tree, { commit }] = await Promise.all([treeOf(revId), commitOf(revId)]);
    return { tree, commit, next: await nextRevision(revId) };
  });
  const data = past.data.value;
  const isNow = values.store.server.value?.revId === revId;
  return (
    <ValuesFrame values={values} title="As it was" room="history">
      <div class="time-bar">
        <div class="row">
          <IconButton
            icon="chevron-left"
            label="Previous revision"
            disabled={data?.commit.parentRevId === undefined}
            onClick={() => navigate(`/values/at/${data!.commit.parentRevId!}`, "replace")}
          />
          <IconButton
            icon="chevron-right"
            label="Next revision"
            disabled={data?.next === undefined}
            onClick={() => navigate(`/values/at/${data!.next!}`, "replace")}
          />
        </div>
        <div class="grow time-when">
          <strong>{data ? dateTimeText(data.commit.revTs) : "…"}</strong>
          <span class="soft one-line">{data ? commitTitle(data.commit, data.tree) : " "}</span>
        </div>
        <DayPicker />
        <Button icon="filter" disabled={isNow} onClick={() => navigate(`/values/compare/${revId ?? ""}/now`)}>
          Compare with now
        </Button>
        <Button variant="primary" icon="history" disabled={isNow || !data} onClick={() => setRollback(true)}>
          Roll back to this
        </Button>
      </div>
      {past.problem.value && !data && (
        <Notice tone="danger" title="This revision could not be loaded." action={{ label: "Try again", run: () => void past.refresh() }}>
          {past.problem.value.message}
        </Notice>
      )}
      {!data && !past.problem.value && <SkeletonRows rows={10} label="Loading the tree" />}
      {data && <PastTree key={revId} tree={data.tree} />}
      {rollback && data && (
        <RollbackDialog values={values} revId={data.commit.revId} revTs={data.commit.revTs} onClose={() => setRollback(false)} />
      )}
    </ValuesFrame>
  );
}

function PastTree({ tree }: { tree: Tree }) {
  const outline = useMemo(() => new Outline(signal(tree)), [tree]);
  const current = outline.current.value;
  if (outline.rows.value.length === 0) return <p class="soft">The tree was empty then.</p>;
  return (
    <div class="values-columns">
      <div class="values-main">
        <TreeView
          outline={outline}
          label="The tree at that time"
          leave={() => (document.activeElement as HTMLElement | null)?.blur()}
          openDetails={() => undefined}
          pressOpens={false}
        />
      </div>
      <aside class="values-panel" aria-label="Details">
        {current ? <PastDetails node={current.node} tree={tree} /> : <p class="soft">Select an item to see its notes at that time.</p>}
      </aside>
    </div>
  );
}

function PastDetails({ node, tree }: { node: TreeNode; tree: Tree }) {
  return (
    <div class="stack">
      <span class="small faint">
        {typeNames[node.nodeType]}
        {node.driverId !== undefined && ` in ${titleOf(tree, node.driverId)}`}
      </span>
      <h2>{node.title}</h2>
      {node.completedAt !== undefined && (
        <span class="small soft row">
          <Icon name="done" size={15} /> Completed {dateTimeText(node.completedAt)}
        </span>
      )}
      {node.notes === undefined ? <p class="faint small">It had no notes.</p> : <p class="details-notes">{node.notes}</p>}
    </div>
  );
}

const kPage = 100;
const kLookMax = 5;

/** The log knows parents only; the child is found on the way from the newest one. */
async function nextRevision(revId: string): Promise<string | undefined> {
  let cursor: string | undefined;
  let newer: Schemas["Commit"] | undefined;
  for (let page = 0; page < kLookMax; ++page) {
    const list: Schemas["CommitList"] = await api.get("/api/values/commits", {
      query: { limit: kPage, ...(cursor === undefined ? {} : { cursor }) },
    });
    for (const commit of list.items) {
      if (commit.revId === revId) return newer?.revId;
      newer = commit;
    }
    cursor = list.nextCursor;
    if (cursor === undefined) return undefined;
  }
  return undefined;
}
