// A week in numbers and groups. Pure.

import type { Schemas } from "../api";
import { addDays } from "../parts";
import { dayOf } from "../parts/zone_days";

export type Review = Schemas["Review"];
export type Node = Schemas["Node"];
export type Tree = Schemas["Tree"];
export type Settings = Schemas["PlanSettings"];

export interface ReviewState {
  review: Review;
  /** With what is archived: a review names it. */
  tree: Tree;
  settings: Settings;
}

export interface DayCount {
  day: string;
  completed: number;
  added: number;
}

/** Seven days, Monday first. */
export function countDays({ review, settings }: ReviewState): DayCount[] {
  const days = Array.from({ length: 7 }, (_, index) => ({ day: addDays(review.from, index), completed: 0, added: 0 }));
  const at = (moment: string | undefined) => {
    const day = moment && dayOf(Date.parse(moment), settings.timezone, settings.dayStartHour);
    return days.find((entry) => entry.day === day);
  };
  for (const node of review.completed) {
    const entry = at(node.completedAt);
    if (entry) ++entry.completed;
  }
  for (const node of review.added) {
    const entry = at(node.createdAt);
    if (entry) ++entry.added;
  }
  return days;
}

export interface DriverWeek {
  driverId: string;
  title: string;
  completed: Node[];
  added: Node[];
  archived: Node[];
  stale: Node[];
  /** Of its living actions. */
  done: number;
  total: number;
}

/** What happened under each driver, in the order of the tree; drivers of which there is nothing to say come last. */
export function byDriver({ review, tree }: ReviewState): DriverWeek[] {
  const drivers = new Map<string, DriverWeek>();
  const titles = new Map(tree.nodes.map((node) => [node.nodeId, node]));
  const open = (driverId: string): DriverWeek => {
    let entry = drivers.get(driverId);
    if (!entry) {
      const progress = review.progress.find(({ nodeId }) => nodeId === driverId);
      entry = {
        driverId,
        title: titles.get(driverId)?.title ?? "Others",
        completed: [],
        added: [],
        archived: [],
        stale: [],
        done: progress?.completed ?? 0,
        total: progress?.total ?? 0,
      };
      drivers.set(driverId, entry);
    }
    return entry;
  };
  for (const node of tree.nodes) if (node.nodeType === "DRIVER" && !node.archived) open(node.nodeId);
  for (const list of ["completed", "added", "archived", "stale"] as const) {
    for (const node of review[list]) open(driverOf(node))[list].push(node);
  }
  const busy = (week: DriverWeek) => (week.completed.length + week.added.length + week.archived.length + week.stale.length > 0 ? 0 : 1);
  return [...drivers.values()].sort((one, other) => busy(one) - busy(other));
}

function driverOf(node: Node): string {
  return node.nodeType === "DRIVER" ? node.nodeId : (node.rootDriverId ?? node.driverId ?? "");
}

/** Titles of what a node is under, the driver first. */
export function pathOf(tree: Tree, nodeId: string): string[] {
  const parents = new Map<string, string>();
  for (const { parentNodeId, childNodeId } of tree.edges) if (!parents.has(childNodeId)) parents.set(childNodeId, parentNodeId);
  const titles = new Map(tree.nodes.map((node) => [node.nodeId, node.title]));
  const path: string[] = [];
  for (let at = parents.get(nodeId); at !== undefined && path.length < 50; at = parents.get(at)) path.unshift(titles.get(at) ?? "");
  return path;
}

export type ReviewOp =
  | { kind: "complete"; nodeId: string; at: string }
  | { kind: "uncomplete"; nodeId: string }
  | { kind: "archive"; nodeIds: string[] }
  | { kind: "restore"; nodeIds: string[] };

/** The review with something done to it, as it will be when it is read again. */
export function applyReviewOp(state: ReviewState, op: ReviewOp): ReviewState {
  const { review } = state;
  const without = (list: Node[], ids: string[]) => list.filter(({ nodeId }) => !ids.includes(nodeId));
  const known = (ids: string[]) =>
    ids.flatMap(
      (id) => [...review.stale, ...review.offers, ...review.completed, ...review.archived].find(({ nodeId }) => nodeId === id) ?? [],
    );
  const with_ = (list: Node[], nodes: Node[]) => [...list, ...nodes.filter(({ nodeId }) => list.every((other) => other.nodeId !== nodeId))];
  const ids = "nodeIds" in op ? op.nodeIds : [op.nodeId];
  const nodes = known(ids);
  const rest = { stale: without(review.stale, ids), offers: without(review.offers, ids) };
  switch (op.kind) {
    case "complete": {
      const done = nodes.map((node) => ({ ...node, completedAt: node.completedAt ?? op.at }));
      return { ...state, review: { ...review, ...rest, completed: with_(review.completed, done) } };
    }
    case "archive":
      return {
        ...state,
        review: {
          ...review,
          ...rest,
          archived: with_(
            review.archived,
            nodes.map((node) => ({ ...node, archived: true })),
          ),
        },
      };
    case "uncomplete": {
      const open = nodes.map((node) => ({ ...node, completedAt: undefined }) as unknown as Node);
      return { ...state, review: reopened(review, open, "completed") };
    }
    case "restore":
      return {
        ...state,
        review: reopened(
          review,
          nodes.map((node) => ({ ...node, archived: false })),
          "archived",
        ),
      };
  }
}

/** Back where it can only have come from: stale actions, milestones that are offered. */
function reopened(review: Review, nodes: Node[], from: "completed" | "archived"): Review {
  const ids = nodes.map(({ nodeId }) => nodeId);
  const add = (list: Node[], type: Node["nodeType"]) => [
    ...list,
    ...nodes.filter((node) => node.nodeType === type && list.every(({ nodeId }) => nodeId !== node.nodeId)),
  ];
  return {
    ...review,
    [from]: review[from].filter(({ nodeId }) => !ids.includes(nodeId)),
    stale: add(review.stale, "ACTION"),
    offers: add(review.offers, "MILESTONE"),
  };
}
