import { useEffect, useMemo } from "preact/hooks";
import { useMe } from "../api";
import { addDays, Button, IconButton, mondayOf, Notice, rangeOfDays, Skeleton, useShortcut } from "../parts";
import { navigate, PageFrame, type PageProps } from "../shell";
import { useOptimistic } from "../state";
import { DayBars } from "./day_bars";
import { DriverSections } from "./driver_sections";
import { NothingYet } from "./nothing_yet";
import { newReviewStore, type ReviewStore } from "./review_store";
import { Offers, StaleActions } from "./stale_actions";
import type { ReviewState } from "./week";
import "./review.css";

/** "/review", or "/review/2026-11-09" for the week of that day. */
export default function ReviewPage({ rest }: PageProps) {
  const me = useMe();
  const weekOf = /^\d{4}-\d{2}-\d{2}$/.test(rest[0] ?? "") ? mondayOf(rest[0]!) : undefined;
  const store = useMemo(() => newReviewStore(weekOf), [weekOf]);
  useOptimistic(store, `values:${me.userId}`);
  // The room is the same for every week, and says nothing when another one is opened.
  useEffect(() => {
    if (store.view.peek() === undefined) void store.refresh().catch(() => undefined);
  }, [store]);
  const state = store.view.value;
  const thisWeek = state && mondayOf(state.settings.today);
  const shown = state?.review.from ?? weekOf;

  const go = (monday: string) => navigate(monday === thisWeek ? "/review" : `/review/${monday}`);
  const step = (by: number) => shown !== undefined && go(addDays(shown, by * 7));
  useShortcut("[", () => void step(-1), { label: "Previous week", group: "Review", icon: "chevron-left" });
  useShortcut("]", () => void step(1), { label: "Next week", group: "Review", icon: "chevron-right" });
  useShortcut("t", () => navigate("/review"), { label: "Go to this week", group: "Review", icon: "today" });
  useShortcut("p", () => print(), { label: "Print the review", group: "Review", icon: "note" });

  const problem = store.problem.value;
  return (
    <PageFrame
      title="Review"
      width="wide"
      intro={shown === undefined ? <Skeleton width="220px" height="16px" /> : weekText(shown)}
      actions={
        <nav class="week-picker" aria-label="Week">
          <IconButton icon="chevron-left" label="Previous week" keys="[" onClick={() => step(-1)} />
          <Button
            variant={shown === thisWeek ? "secondary" : "quiet"}
            aria-current={shown === thisWeek ? "date" : undefined}
            onClick={() => navigate("/review")}
          >
            This week
          </Button>
          <IconButton icon="chevron-right" label="Next week" keys="]" onClick={() => step(1)} />
          <Button variant="quiet" icon="note" keys="p" onClick={() => print()}>
            Print
          </Button>
        </nav>
      }
    >
      {state ? (
        <Week state={state} store={store} />
      ) : problem ? (
        <Notice tone="danger" action={{ label: "Try again", run: () => void store.refresh().catch(() => undefined) }}>
          {problem.message}
        </Notice>
      ) : (
        <div class="stack" role="status">
          <span class="unseen">Loading the week…</span>
          <Skeleton height="184px" />
          <Skeleton height="260px" />
        </div>
      )}
    </PageFrame>
  );
}

function weekText(monday: string): string {
  return rangeOfDays(monday, addDays(monday, 6));
}

function Week({ state, store }: { state: ReviewState; store: ReviewStore }) {
  const { review, tree } = state;
  if (tree.nodes.length === 0) return <NothingYet onFilled={() => void store.refresh()} />;
  const tiles = [
    { name: "Completed", count: review.completed.length, tone: "completed" },
    { name: "Added", count: review.added.length, tone: "added" },
    { name: "Archived", count: review.archived.length, tone: "archived" },
    { name: "Stale", count: review.stale.length, tone: "stale" },
  ];
  return (
    <div class="review">
      <section class="review-glance" aria-label="The week at a glance">
        <dl class="review-tiles">
          {tiles.map(({ name, count, tone }) => (
            <div key={name} class={`review-tile review-tile-${tone}`}>
              <dt>{name}</dt>
              <dd class="numbers">{count}</dd>
            </div>
          ))}
        </dl>
        <DayBars state={state} />
      </section>
      <div class="review-columns">
        <DriverSections state={state} />
        <div class="stack review-todo">
          <Offers state={state} store={store} />
          <StaleActions state={state} store={store} />
        </div>
      </div>
    </div>
  );
}
