import type { BodyOf, Schemas } from "../api";

export type Plan = Schemas["Plan"];
export type Todo = Schemas["Todo"];
export type Block = Schemas["Block"];
export type PlanCommit = Schemas["PlanCommit"];
export type PlanDiff = Schemas["PlanDiff"];
export type PlanSettings = Schemas["PlanSettings"];
export type Unscheduled = Schemas["Unscheduled"];
export type Classification = Todo["classification"];
export type BlockType = Block["blockType"];

export type PlanOperation = BodyOf<"post", "/api/plans/{day}/commits">["operations"][number];

/** What somebody does to a day. Every one of them is one request, or two, and can be taken back. */
export type PlanOp =
  | {
      kind: "commit";
      operations: PlanOperation[];
      message?: string | undefined;
      /** Titles of actions that become todos: the server knows them, the view does not yet. */
      titles?: Record<string, string> | undefined;
    }
  | { kind: "create"; nodeId: string; title: string; parentId: string; classification: Classification }
  | { kind: "complete"; actionId: string; at: string }
  | { kind: "uncomplete"; actionId: string }
  | { kind: "rollover"; fromDay: string; todos: Todo[] }
  | { kind: "restore"; toRevId: string; todos: Todo[]; blocks: Block[] };

export const classifications: readonly Classification[] = ["urgent", "important", "other"];
export const classificationNames: Record<Classification, string> = { urgent: "Urgent", important: "Important", other: "Other" };
export const blockTypes: readonly BlockType[] = ["POMODORO", "MEETING", "BREAK", "BUFFER"];
export const blockNames: Record<BlockType, string> = {
  POMODORO: "Pomodoro",
  MEETING: "Meeting",
  BREAK: "Break",
  BUFFER: "Buffer",
};
