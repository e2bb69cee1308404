// A plan with operations done to it, as the server would do them: for showing a change before the server has answered. Pure;
// an operation that does not fit (any more) leaves the plan as it is.

import type { Block, Plan, PlanOp, PlanOperation, Todo } from "./plan_types";

export function applyPlanOp(plan: Plan, op: PlanOp): Plan {
  switch (op.kind) {
    case "commit":
      return op.operations.reduce((state, operation) => applyOperation(state, operation, op.titles ?? {}), plan);
    case "create":
      return addTodo(plan, { actionId: op.nodeId, classification: op.classification, title: op.title });
    case "complete":
      return editTodo(plan, op.actionId, (todo) => ({ ...todo, completedAt: todo.completedAt ?? op.at }));
    case "uncomplete":
      return editTodo(plan, op.actionId, (todo) => without(todo, "completedAt"));
    case "rollover": {
      const known = new Set(plan.todos.map(({ actionId }) => actionId));
      return withTodos(plan, [...plan.todos, ...op.todos.filter(({ actionId }) => !known.has(actionId))]);
    }
    case "restore":
      return { ...plan, todos: op.todos, blocks: op.blocks };
  }
}

export function applyOperation(plan: Plan, operation: PlanOperation, titles: Record<string, string> = {}): Plan {
  switch (operation.op) {
    case "addTodo": {
      const { actionId, classification = "other", estimatedPomodoros, notes, first, afterActionId } = operation;
      const title = titles[actionId];
      const todo = {
        actionId,
        classification,
        ...(title === undefined ? {} : { title }),
        ...(estimatedPomodoros === undefined ? {} : { estimatedPomodoros }),
        ...(notes === undefined ? {} : { notes }),
      };
      return addTodo(plan, todo, first ? null : afterActionId);
    }
    case "editTodo":
      return editTodo(plan, operation.actionId, (todo) => editedTodo(todo, operation));
    case "removeTodo":
      return withBlocks(
        withTodos(
          plan,
          plan.todos.filter(({ actionId }) => actionId !== operation.actionId),
        ),
        plan.blocks.filter(({ actionId }) => actionId !== operation.actionId),
      );
    case "reorderTodos":
      return withTodos(plan, reordered(plan.todos, operation.actionIds));
    case "addBlock": {
      const { blockId = "", blockType, start, end, actionId } = operation;
      if (plan.blocks.some((block) => block.blockId === blockId)) return plan;
      const block: Block = { blockId, blockType, start, end, ...(actionId === undefined ? {} : { actionId }) };
      return withBlocks(plan, [...plan.blocks, block]);
    }
    case "editBlock":
      return withBlocks(
        plan,
        plan.blocks.map((block) => (block.blockId === operation.blockId ? editedBlock(block, operation) : block)),
      );
    case "removeBlock":
      return withBlocks(
        plan,
        plan.blocks.filter(({ blockId }) => blockId !== operation.blockId),
      );
  }
}

type NewTodo = Pick<Todo, "actionId" | "classification"> & Partial<Todo>;

/** after undefined: at the end; null: at the beginning. */
function addTodo(plan: Plan, todo: NewTodo, after?: string | null): Plan {
  if (plan.todos.some(({ actionId }) => actionId === todo.actionId)) return plan;
  const at = after === null ? 0 : plan.todos.findIndex(({ actionId }) => actionId === after) + 1;
  const todos = [...plan.todos];
  todos.splice(after === undefined || (at === 0 && after !== null) ? todos.length : at, 0, { order: 0, archived: false, ...todo });
  return withTodos(plan, todos);
}

function editTodo(plan: Plan, id: string, edit: (todo: Todo) => Todo): Plan {
  return { ...plan, todos: plan.todos.map((todo) => (todo.actionId === id ? edit(todo) : todo)) };
}

function editedTodo(todo: Todo, operation: Extract<PlanOperation, { op: "editTodo" }>): Todo {
  let edited: Todo = { ...todo, classification: operation.classification ?? todo.classification };
  if (operation.notes === null) edited = without(edited, "notes");
  else if (operation.notes !== undefined) edited.notes = operation.notes;
  if (operation.estimatedPomodoros === null) edited = without(edited, "estimatedPomodoros");
  else if (operation.estimatedPomodoros !== undefined) edited.estimatedPomodoros = operation.estimatedPomodoros;
  return edited;
}

function editedBlock(block: Block, operation: Extract<PlanOperation, { op: "editBlock" }>): Block {
  const blockType = operation.blockType ?? block.blockType;
  const edited = { ...block, blockType, start: operation.start ?? block.start, end: operation.end ?? block.end };
  if (typeof operation.actionId === "string") edited.actionId = operation.actionId;
  return blockType === "POMODORO" ? edited : without(edited, "actionId");
}

/** In the order of the ids; what they do not name stays behind, as it was. */
export function reordered(todos: readonly Todo[], actionIds: readonly string[]): Todo[] {
  const byId = new Map(todos.map((todo) => [todo.actionId, todo]));
  const named = actionIds.flatMap((id) => byId.get(id) ?? []);
  const rest = todos.filter(({ actionId }) => !actionIds.includes(actionId));
  return [...named, ...rest];
}

function withTodos(plan: Plan, todos: Todo[]): Plan {
  return { ...plan, todos: todos.map((todo, index) => (todo.order === index + 1 ? todo : { ...todo, order: index + 1 })) };
}

/** In order of time, pomodoros of an action numbered from 1. */
export function withBlocks(plan: Plan, blocks: Block[]): Plan {
  const counts = new Map<string, number>();
  const sorted = [...blocks].sort((one, other) => one.start.localeCompare(other.start) || one.blockId.localeCompare(other.blockId));
  const numbered = sorted.map((block) => {
    if (block.blockType !== "POMODORO" || block.actionId === undefined) return without(block, "pomodoroIndex");
    const pomodoroIndex = (counts.get(block.actionId) ?? 0) + 1;
    counts.set(block.actionId, pomodoroIndex);
    return { ...block, pomodoroIndex };
  });
  return { ...plan, blocks: numbered };
}

function without<T extends object, K extends keyof T>(value: T, key: K): T {
  if (!(key in value)) return value;
  const copy = { ...value };
  delete copy[key];
  return copy;
}
