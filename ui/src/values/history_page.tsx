import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Button, dayName, EmptyState, Notice, localDay, Select, SkeletonRows } from "../parts";
import { navigate, toast } from "../shell";
import { useResource } from "../state";
import { CommitEntry } from "./commit_entry";
import { sourceNames } from "./commit_title";
import { ValuesFrame } from "./frame";
import { groupByDay, HistoryPages, type Commit, type Source } from "./history_pages";
import type { ValuesModel } from "./model";
import { RollbackDialog } from "./rollback_dialog";
import { listTags } from "./tags";
import { treeAt } from "./revisions";
import "./history.css";

/** Everything that ever happened to the tree, day by day. */
export function HistoryPage({ values, openRevId }: { values: ValuesModel; openRevId: string | undefined }) {
  const [source, setSource] = useState<Source | "all">("all");
  const [from, setFrom] = useState<Commit | null>(null);
  const [rollback, setRollback] = useState<Commit | null>(null);
  const pages = useMemo(() => new HistoryPages(source === "all" ? undefined : source), [source]);
  const headRevId = values.store.server.value?.revId;
  const tags = useResource("tags", () => listTags());
  const isFound = useOpenEntry(pages, openRevId);
  const today = localDay(new Date());

  useEffect(() => {
    void pages.readNewest();
  }, [pages, headRevId]);

  const items = pages.items.value;
  const isEmpty = items?.length === 0 && source === "all";
  return (
    <ValuesFrame values={values} title="History" room="history">
      <div class="values-history">
        <div class="history-tools">
          <Select
            label="Which changes"
            hideLabel
            value={source}
            choices={[
              { value: "all", label: "All changes" },
              ...Object.entries(sourceNames).map(([value, label]) => ({ value: value as Source, label })),
            ]}
            onChange={setSource}
          />
          <DayPicker />
          {(tags.data.value?.length ?? 0) > 0 && (
            <Select
              label="Named revisions"
              hideLabel
              value=""
              choices={[
                { value: "", label: "Named revisions" },
                ...tags.data.value!.map(({ name, revId }) => ({ value: revId, label: name })),
              ]}
              onChange={(revId) => revId !== "" && navigate(`/values/at/${revId}`)}
            />
          )}
        </div>
        {from && (
          <div class="history-compare" role="status">
            <span class="grow">
              Choose <strong>Compare</strong> at another revision to see what differs.
            </span>
            <Button size="small" onClick={() => navigate(`/values/compare/${from.revId}/now`)}>
              Compare with now
            </Button>
            <Button size="small" variant="quiet" onClick={() => setFrom(null)}>
              Cancel
            </Button>
          </div>
        )}
        {openRevId !== undefined && isFound === false && (
          <Notice tone="info" action={{ label: "Show the tree at that time", run: () => navigate(`/values/at/${openRevId}`) }}>
            This revision is further back.
          </Notice>
        )}
        {pages.problem.value && (
          <Notice
            tone="danger"
            title="The history could not be loaded."
            action={{ label: "Try again", run: () => void pages.readNewest() }}
          >
            {pages.problem.value.message}
          </Notice>
        )}
        {!items && !pages.problem.value && <SkeletonRows rows={8} height="56px" label="Loading the history" />}
        {isEmpty && (
          <EmptyState icon="history" title="Nothing has happened yet" actions={<a href="/values">Go to the tree</a>}>
            <p>Every change you make to the tree is kept here, and you can go back to any of them.</p>
          </EmptyState>
        )}
        {items &&
          groupByDay(items, (moment) => localDay(new Date(moment))).map(({ day, commits }) => (
            <section key={day} class="history-day">
              <h2>{dayTitle(day, today)}</h2>
              <ol role="list" class="timeline">
                {commits.map((commit) => (
                  <CommitEntry
                    key={commit.revId}
                    commit={commit}
                    values={values}
                    isHead={commit.revId === headRevId}
                    isOpen={commit.revId === openRevId}
                    isFrom={commit.revId === from?.revId}
                    tags={(tags.data.value ?? []).filter(({ revId }) => revId === commit.revId).map(({ name }) => name)}
                    onCompare={() => (from && from.revId !== commit.revId ? navigate(compareAddress(from, commit)) : setFrom(commit))}
                    onRollback={() => setRollback(commit)}
                    onTagged={() => void tags.refresh()}
                  />
                ))}
              </ol>
            </section>
          ))}
        {pages.hasMore.value && <More pages={pages} />}
      </div>
      {rollback && <RollbackDialog values={values} revId={rollback.revId} revTs={rollback.revTs} onClose={() => setRollback(null)} />}
    </ValuesFrame>
  );
}

/** The older one first. */
function compareAddress(one: Commit, other: Commit): string {
  const [from, to] = one.revId < other.revId ? [one, other] : [other, one];
  return `/values/compare/${from.revId}/${to.revId}`;
}

function dayTitle(day: string, today: string): string {
  const name = dayName(day, today);
  return name[0]!.toUpperCase() + name.slice(1);
}

const kLookMax = 4;

/** Reads on until the revision of the address is there. undefined: still looking. */
function useOpenEntry(pages: HistoryPages, revId: string | undefined): boolean | undefined {
  const items = pages.items.value;
  const looked = useRef(0);
  const isThere = revId === undefined || (items?.some((commit) => commit.revId === revId) ?? false);
  const isOver = isThere || (items !== undefined && (!pages.hasMore.value || looked.current >= kLookMax));
  useEffect(() => {
    if (items === undefined || isOver) return;
    ++looked.current;
    void pages.readMore();
  }, [pages, items, isOver]);
  return isThere ? true : isOver ? false : undefined;
}

/** The next page when its place comes near, and a button for whoever does not scroll. */
function More({ pages }: { pages: HistoryPages }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && void pages.readMore(), {
      rootMargin: "400px",
    });
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, [pages]);
  return (
    <div ref={place} class="history-more">
      <Button busy={pages.loading.value} onClick={() => void pages.readMore()}>
        Show older
      </Button>
    </div>
  );
}

/** The tree at the end of a day. */
export function DayPicker() {
  const [day, setDay] = useState("");
  async function go(wanted: string) {
    setDay(wanted);
    if (!/^\d{4}-\d\d-\d\d$/.test(wanted) || wanted < "1990-01-01") return;
    const end = new Date(`${wanted}T23:59:59.999`);
    try {
      const tree = await treeAt(end.toISOString());
      if (tree.revId === undefined) toast({ text: "There was no tree yet on that day.", key: "values.day" });
      else navigate(`/values/at/${tree.revId}`);
    } catch {
      toast({ text: "There was no tree yet on that day.", key: "values.day" });
    }
  }
  return (
    <label class="values-day">
      <span>As it was on</span>
      <input class="input" type="date" value={day} max={localDay(new Date())} onChange={(event) => void go(event.currentTarget.value)} />
    </label>
  );
}
