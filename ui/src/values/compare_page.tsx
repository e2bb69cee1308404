import { useEffect, useMemo, useState } from "preact/hooks";
import { Button, dateTimeText, IconButton, Notice, Select, SkeletonRows } from "../parts";
import { navigate } from "../shell";
import { useResource } from "../state";
import { readChanges } from "./changes";
import { commitTitle } from "./commit_title";
import { ChangeChips, DiffView } from "./diff_view";
import { ValuesFrame } from "./frame";
import { HistoryPages, type Commit } from "./history_pages";
import type { ValuesModel } from "./model";
import { commitOf, compare } from "./revisions";
import { RollbackDialog } from "./rollback_dialog";
import { listTags } from "./tags";

interface ComparePageProps {
  values: ValuesModel;
  from: string;
  /** A revision, or "now". */
  to: string;
}

/** What differs between any two revisions. */
export function ComparePage({ values, from, to }: ComparePageProps) {
  const [rollback, setRollback] = useState(false);
  const headRevId = values.store.server.value?.revId;
  const toRevId = to === "now" ? headRevId : to;
  const fromRevId = from === "now" ? headRevId : from;
  const comparison = useResource(`${fromRevId ?? ""} ${toRevId ?? ""}`, async () => {
    if (fromRevId === undefined || toRevId === undefined) return undefined;
    const [{ diff, before, after }, older, newer] = await Promise.all([
      compare(fromRevId, toRevId),
      commitOf(fromRevId),
      commitOf(toRevId),
    ]);
    return { groups: readChanges(diff, before, after), from: older.commit, to: newer.commit };
  });
  const data = comparison.data.value;
  const go = (one: string, other: string) => navigate(`/values/compare/${one}/${other}`, "replace");
  return (
    <ValuesFrame values={values} title="Compare" room="history">
      <div class="compare-bar">
        <RevisionSelect label="From" value={from} known={data?.from} onChange={(revId) => go(revId, to)} />
        <IconButton icon="refresh" label="Swap the two" onClick={() => go(to, from)} />
        <RevisionSelect label="To" value={to} known={data?.to} onChange={(revId) => go(from, revId)} />
        <span class="grow" />
        {from !== "now" && fromRevId !== headRevId && data && (
          <Button icon="history" onClick={() => setRollback(true)}>
            Roll back to the first
          </Button>
        )}
      </div>
      {comparison.problem.value && !data && (
        <Notice tone="danger" title="These could not be compared." action={{ label: "Try again", run: () => void comparison.refresh() }}>
          {comparison.problem.value.message}
        </Notice>
      )}
      {!data && !comparison.problem.value && <SkeletonRows rows={6} label="Comparing" />}
      {data && (
        <div class="stack compare-result">
          {data.groups.length > 0 && <ChangeChips groups={data.groups} />}
          <DiffView groups={data.groups} heading="h2" />
        </div>
      )}
      {rollback && data && (
        <RollbackDialog values={values} revId={data.from.revId} revTs={data.from.revTs} onClose={() => setRollback(false)} />
      )}
    </ValuesFrame>
  );
}

interface RevisionSelectProps {
  label: string;
  value: string;
  known: Commit | undefined;
  onChange: (revId: string) => void;
}

/** Now, what has a name, and the newest revisions. */
function RevisionSelect({ label, value, known, onChange }: RevisionSelectProps) {
  const pages = useMemo(() => new HistoryPages(undefined), []);
  const tags = useResource("tags", () => listTags());
  useEffect(() => {
    void pages.readNewest();
  }, [pages]);
  const commits = pages.items.value ?? [];
  const nameOf = (commit: Commit) => `${dateTimeText(commit.revTs)} · ${commitTitle(commit)}`;
  const named = (tags.data.value ?? []).map(({ name, revId }) => ({ value: revId, label: name }));
  const listed = commits
    .filter(({ revId }) => !named.some((tag) => tag.value === revId))
    .map((commit) => ({ value: commit.revId, label: nameOf(commit) }));
  const all = [{ value: "now", label: "Now" }, ...named, ...listed];
  if (!all.some((choice) => choice.value === value)) all.push({ value, label: known ? nameOf(known) : "…" });
  return <Select label={label} value={value} choices={all} onChange={onChange} class="compare-side" />;
}
