// A difference between two revisions of a day, and a revision itself, as a person would say them. Pure.

import { durationText } from "../parts";
import {
  blockNames,
  classificationNames,
  type Block,
  type BlockType,
  type Classification,
  type Plan,
  type PlanCommit,
  type PlanDiff,
  type Todo,
} from "./plan_types";
import { clockText } from "../parts/zone_days";

export type Change = "added" | "removed" | "changed" | "moved";

export interface Sentence {
  change: Change;
  text: string;
}

export interface Words {
  title: (actionId: string) => string;
  zone: string;
  /** Blocks of both revisions: a difference names them by id. */
  blocks: readonly Block[];
}

export function diffSentences(diff: PlanDiff, words: Words): Sentence[] {
  const quoted = (id: string) => `“${words.title(id)}”`;
  const say = (change: Change, text: string): Sentence => ({ change, text });
  const blockOf = (id: string) => words.blocks.find(({ blockId }) => blockId === id);
  return [
    ...diff.todosAdded.map((todo) => say("added", `Added ${quoted(todo.actionId)}${from(todo)}.`)),
    ...diff.todosRemoved.map((todo) => say("removed", `Removed ${quoted(todo.actionId)}.`)),
    ...diff.todosChanged.flatMap(({ id, fields }) => fields.map((field) => say("changed", todoField(quoted(id), field)))),
    ...diff.todosMoved.map(({ actionId, from: before, to }) =>
      say("moved", `Moved ${quoted(actionId)} ${to < before ? "up" : "down"} to place ${to}.`),
    ),
    ...diff.blocksAdded.map((block) => say("added", `Planned ${blockText(block, words)}.`)),
    ...diff.blocksRemoved.map((block) => say("removed", `Took ${blockText(block, words)} off the timeline.`)),
    ...diff.blocksChanged.flatMap(({ id, fields }) => blockChange(blockOf(id), fields, words)),
  ];
}

function from(todo: Todo): string {
  return todo.rolledFrom === undefined ? "" : `, from ${todo.rolledFrom}`;
}

interface Field {
  field: string;
  from?: unknown;
  to?: unknown;
}

function todoField(title: string, { field, from: before, to }: Field): string {
  if (field === "classification") return `${title} is ${classificationNames[to as Classification].toLowerCase()} now.`;
  if (field === "estimatedPomodoros") {
    if (typeof to !== "number") return `${title} has no estimate any more.`;
    return `${title} takes ${pomodoros(to)}${typeof before === "number" ? `, not ${before}` : ""}.`;
  }
  if (field === "notes") return typeof to === "string" ? `The notes of ${title} were changed.` : `The notes of ${title} were removed.`;
  return `${title}: ${field} was changed.`;
}

export function pomodoros(count: number): string {
  return count === 1 ? "1 pomodoro" : `${count} pomodoros`;
}

function blockChange(block: Block | undefined, fields: Field[], words: Words): Sentence[] {
  const value = (name: string) => fields.find(({ field }) => field === name);
  const time = value("start") ?? value("startTimeIso");
  const end = value("end") ?? value("endTimeIso");
  const type = value("blockType");
  const name = block ? nameOf(block, words) : "A block";
  const clock = (text: unknown) => (typeof text === "string" ? clockText(text, words.zone) : "another time");
  const sentences: Sentence[] = [];
  if (time) sentences.push({ change: "moved", text: `${capital(name)} moved from ${clock(time.from)} to ${clock(time.to)}.` });
  else if (end) sentences.push({ change: "changed", text: `${capital(name)} ends at ${clock(end.to)}, not at ${clock(end.from)}.` });
  if (type) {
    const kind = (text: unknown) => blockNames[text as BlockType].toLowerCase();
    sentences.push({ change: "changed", text: `A ${kind(type.from)} became a ${kind(type.to)}.` });
  }
  const action = value("actionId");
  if (action && typeof action.to === "string") {
    sentences.push({ change: "changed", text: `A pomodoro is for “${words.title(action.to)}” now.` });
  }
  return sentences;
}

function capital(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}

function nameOf(block: Block, words: Pick<Words, "title">): string {
  if (block.blockType !== "POMODORO") return `the ${blockNames[block.blockType].toLowerCase()}`;
  return `the pomodoro for “${words.title(block.actionId ?? "")}”`;
}

function blockText(block: Block, words: Words): string {
  const minutes = (Date.parse(block.end) - Date.parse(block.start)) / 60_000;
  const what =
    block.blockType === "POMODORO"
      ? `a pomodoro for “${words.title(block.actionId ?? "")}”`
      : `a ${blockNames[block.blockType].toLowerCase()}`;
  return `${what} at ${clockText(block.start, words.zone)} (${durationText(minutes)})`;
}

/** What the server refuses names blocks by id, or by type and moments; people know them by kind and time. */
export function withNames(sentence: string, plan: Plan, words: Pick<Words, "title" | "zone">): string {
  return sentence
    .replace(/(T|t)he block "([^"]+)"/g, (whole, letter: string, id: string) => {
      const block = plan.blocks.find(({ blockId }) => blockId === id);
      if (!block) return whole;
      const text = `${nameOf(block, words)} at ${clockText(block.start, words.zone)}`;
      return letter === "T" ? capital(text) : text;
    })
    .replace(/(T|t)he ([A-Z_]+) from (\S+) to (\S+)/g, (_, letter: string, type: string, start: string, end: string) => {
      const known = plan.blocks.find((block) => block.blockType === type && block.start === start && block.end === end);
      const block = known ?? ({ blockType: type, start, end } as Block);
      const text = `${nameOf(block, words)} at ${clockText(start, words.zone)}`;
      return letter === "T" ? capital(text) : text;
    })
    .replace(/(T|t)he action "([^"]+)"/g, (_, letter: string, id: string) => `${letter}he action “${words.title(id)}”`);
}

const kReasons: Record<PlanCommit["reason"], string> = {
  morning_plan: "First plan of the day",
  midday_replan: "Changed",
  rollover: "Brought over from an earlier day",
  completion: "Completed or reopened",
};

/** What a revision was about, in a line. */
export function revisionText(commit: PlanCommit): string {
  if (commit.restoredBy === "rollback") return "Restored an earlier version";
  if (commit.restoredBy === "undo") return "Undone";
  if (commit.restoredBy === "redo") return "Redone";
  return commit.message === "" ? kReasons[commit.reason] : commit.message;
}
