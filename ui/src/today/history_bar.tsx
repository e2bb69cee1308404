// Steps back through the revisions of the day: which one is shown, what it changed, what bringing it back would change.

import { useEffect, useState } from "preact/hooks";
import { api } from "../api";
import { announce, Button, dayText, Icon, IconButton, Notice, Skeleton, Tabs, useShortcut, type IconName } from "../parts";
import { useResource } from "../state";
import type { DayModel } from "./day_model";
import type { Block, Plan, PlanCommit, PlanDiff } from "./plan_types";
import { diffSentences, revisionText, type Change, type Sentence } from "./plan_words";
import { clockAt, clockText } from "../parts/zone_days";
import "./history_bar.css";

const kPageMax = 100;
const kRevisionsMax = 500;

const kIcons: Record<Change, IconName> = { added: "plus", removed: "minus", changed: "edit", moved: "arrow-right" };

async function allCommits(day: string, signal: AbortSignal): Promise<PlanCommit[]> {
  const commits: PlanCommit[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.get("/api/plans/{day}/commits", {
      path: { day },
      query: { limit: kPageMax, ...(cursor ? { cursor } : {}) },
      signal,
    });
    commits.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined && commits.length < kRevisionsMax);
  return commits;
}

interface HistoryBarProps {
  model: DayModel;
  /** Tells the page which plan to show; null: the current one. */
  onShow: (plan: Plan | null) => void;
  onClose: () => void;
}

export function HistoryBar({ model, onShow, onClose }: HistoryBarProps) {
  const { store, grid } = model;
  const current = store.plan.view.value;
  const day = store.day;
  const resource = useResource(`${day}:${current?.revId ?? ""}`, (signal) => allCommits(day, signal));
  const commits = resource.data.value ?? [];
  /** Counted from the newest. */
  const [back, setBack] = useState(0);
  const at = Math.min(back, Math.max(0, commits.length - 1));
  const shown = commits[at];
  const shownId = shown?.revId;

  const plan = useResource<Plan | null>(`${day}:${shownId ?? ""}`, async (signal) =>
    shownId === undefined ? null : api.get("/api/plans/{day}", { path: { day }, query: { rev: shownId }, signal }),
  ).data.value;

  useEffect(() => {
    if (plan && plan.revId === shownId) onShow(at === 0 ? null : plan);
  }, [plan, shownId, at, onShow]);
  useEffect(() => () => onShow(null), [onShow]);

  const step = (by: number) => {
    const to = Math.max(0, Math.min(at + by, commits.length - 1));
    setBack(to);
    const commit = commits[to];
    if (commit) announce(`${clockText(commit.revTs, grid.zone)}: ${revisionText(commit)}`);
  };
  useShortcut("ArrowLeft", () => step(1), { label: "Previous revision", group: "Revisions of the day", when: () => commits.length > 0 });
  useShortcut("ArrowRight", () => step(-1), { label: "Next revision", group: "Revisions of the day", when: () => commits.length > 0 });
  useShortcut("Escape", onClose, { label: "Back to the plan", group: "Revisions of the day" });

  function bringBack() {
    if (!plan || !shown || !current) return;
    void store.do({ kind: "restore", toRevId: shown.revId, todos: plan.todos, blocks: plan.blocks });
    model.actions.undoable(`The day is as it was at ${clockText(shown.revTs, grid.zone)}.`);
    onClose();
  }

  const problem = resource.problem.value;
  const total = commits.length;
  return (
    <section class="history" aria-label="Revisions of the day">
      <div class="row history-head">
        <Icon name="history" size={18} />
        <h2 class="grow">Earlier versions</h2>
        <Button size="small" variant="primary" icon="undo" disabled={at === 0 || !plan} onClick={bringBack}>
          Restore this
        </Button>
        <IconButton size="small" icon="close" label="Back to the plan" keys="Escape" onClick={onClose} />
      </div>
      {problem ? (
        <Notice tone="danger">{problem.message}</Notice>
      ) : !shown ? (
        resource.loading.value ? (
          <Skeleton height="64px" />
        ) : (
          <p class="soft">This day has no plan yet, so there is nothing to go back to.</p>
        )
      ) : (
        <>
          <div class="row">
            <IconButton icon="chevron-left" label="Previous revision" keys="ArrowLeft" disabled={at >= total - 1} onClick={() => step(1)} />
            <input
              class="history-slider grow"
              type="range"
              min={0}
              max={Math.max(0, total - 1)}
              value={total - 1 - at}
              disabled={total < 2}
              aria-label="Revision"
              aria-valuetext={`${total - at} of ${total}: ${clockText(shown.revTs, grid.zone)}, ${revisionText(shown)}`}
              onInput={(event) => setBack(total - 1 - Number(event.currentTarget.value))}
            />
            <IconButton icon="chevron-right" label="Next revision" keys="ArrowRight" disabled={at === 0} onClick={() => step(-1)} />
          </div>
          <div class="row wrap history-shown">
            <strong class="numbers">{momentText(shown.revTs, day, grid.zone)}</strong>
            <span>{revisionText(shown)}</span>
            <span class="faint small numbers">{at === 0 ? "the plan as it is now" : `revision ${total - at} of ${total}`}</span>
          </div>
          <Differences key={shown.revId} model={model} shown={shown} plan={plan ?? undefined} isNow={at === 0} />
        </>
      )}
    </section>
  );
}

/** The clock; the day as well when it was made on another one. */
function momentText(time: string, day: string, zone: string): string {
  const made = clockAt(Date.parse(time), zone).day;
  return made === day ? clockText(time, zone) : `${dayText(made, "short")}, ${clockText(time, zone)}`;
}

interface DifferencesProps {
  model: DayModel;
  shown: PlanCommit;
  plan: Plan | undefined;
  isNow: boolean;
}

function Differences({ model, shown, plan, isNow }: DifferencesProps) {
  const [tab, setTab] = useState<"here" | "now">("here");
  const { store, grid } = model;
  const current = store.plan.server.value;
  const day = store.day;
  const [from, to] = tab === "here" ? [shown.parentRevId, shown.revId] : [current?.revId, shown.revId];
  const resource = useResource(`${from ?? ""}:${to}`, (signal) => readDiff(day, from, to, plan, signal));
  const found = resource.data.value;
  const blocks = [...(plan?.blocks ?? []), ...(current?.blocks ?? []), ...(found?.before ?? [])];
  const sentences = found && diffSentences(found.diff, { title: model.title, zone: grid.zone, blocks });
  const list = !sentences ? (
    <Skeleton height="40px" />
  ) : (
    <SentenceList sentences={sentences} empty={tab === "here" ? emptyText(shown) : "It is the same as the current plan."} />
  );
  if (isNow) return list;
  return (
    <Tabs
      label="Differences"
      current={tab}
      onChange={setTab}
      tabs={[
        { id: "here", label: "What changed then" },
        { id: "now", label: "What restoring it would change" },
      ]}
    >
      {list}
    </Tabs>
  );
}

function emptyText(commit: PlanCommit): string {
  return commit.reason === "completion" ? "An action was completed or reopened." : "The plan itself did not change.";
}

async function readDiff(
  day: string,
  from: string | undefined,
  to: string,
  plan: Plan | undefined,
  signal: AbortSignal,
): Promise<{ diff: PlanDiff; before: Block[] }> {
  if (from === undefined) {
    // The first revision: all that is in it is new.
    const first = plan ?? (await api.get("/api/plans/{day}", { path: { day }, query: { rev: to }, signal }));
    const diff: PlanDiff = {
      todosAdded: first.todos,
      todosRemoved: [],
      todosChanged: [],
      todosMoved: [],
      blocksAdded: first.blocks,
      blocksRemoved: [],
      blocksChanged: [],
    };
    return { diff, before: [] };
  }
  const [diff, before] = await Promise.all([
    api.get("/api/plans/{day}/diff", { path: { day }, query: { from, to }, signal }),
    api.get("/api/plans/{day}", { path: { day }, query: { rev: from }, signal }),
  ]);
  return { diff, before: before.blocks };
}

function SentenceList({ sentences, empty }: { sentences: Sentence[]; empty: string }) {
  if (sentences.length === 0) return <p class="soft small history-list">{empty}</p>;
  return (
    <ul role="list" class="history-list small">
      {sentences.map(({ change, text }, index) => (
        <li key={index} class={`row history-${change}`}>
          <Icon name={kIcons[change]} size={14} />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}
