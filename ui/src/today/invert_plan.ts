// What takes an operation back, decided from the plan as it was before. null: there is nothing to take back.

import { applyOperation } from "./apply_plan";
import type { Block, Plan, PlanOp, PlanOperation, Todo } from "./plan_types";

export function invertPlanOp(before: Plan, op: PlanOp): PlanOp | null {
  switch (op.kind) {
    case "commit":
      return invertCommit(before, op.operations);
    case "create":
      // The action stays among the values: it was wanted there, too.
      return commit([{ op: "removeTodo", actionId: op.nodeId }]);
    case "complete":
      return { kind: "uncomplete", actionId: op.actionId };
    case "uncomplete": {
      const at = before.todos.find(({ actionId }) => actionId === op.actionId)?.completedAt;
      return at === undefined ? null : { kind: "complete", actionId: op.actionId, at };
    }
    case "rollover": {
      const known = new Set(before.todos.map(({ actionId }) => actionId));
      const came = op.todos.filter(({ actionId }) => !known.has(actionId));
      return came.length === 0 ? null : commit(came.map(({ actionId }) => ({ op: "removeTodo", actionId })));
    }
    case "restore":
      if (before.revId === undefined) return null;
      return { kind: "restore", toRevId: before.revId, todos: before.todos, blocks: before.blocks };
  }
}

function invertCommit(before: Plan, operations: readonly PlanOperation[]): PlanOp | null {
  const back: PlanOperation[] = [];
  const titles: Record<string, string> = {};
  let state = before;
  for (const operation of operations) {
    back.unshift(...invertOperation(state, operation));
    if (operation.op === "removeTodo") {
      const title = state.todos.find(({ actionId }) => actionId === operation.actionId)?.title;
      if (title !== undefined) titles[operation.actionId] = title;
    }
    state = applyOperation(state, operation);
  }
  return back.length === 0 ? null : commit(back, titles);
}

function invertOperation(before: Plan, operation: PlanOperation): PlanOperation[] {
  const todoOf = (id: string) => before.todos.find(({ actionId }) => actionId === id);
  const blockOf = (id: string | undefined) => before.blocks.find(({ blockId }) => blockId === id);
  switch (operation.op) {
    case "addTodo":
      return todoOf(operation.actionId) ? [] : [{ op: "removeTodo", actionId: operation.actionId }];
    case "editTodo": {
      const todo = todoOf(operation.actionId);
      return todo ? [editBack(todo, operation)] : [];
    }
    case "removeTodo": {
      const at = before.todos.findIndex(({ actionId }) => actionId === operation.actionId);
      if (at < 0) return [];
      const pomodoros = before.blocks.filter(({ actionId }) => actionId === operation.actionId);
      return [addBack(before.todos[at]!, before.todos[at - 1]), ...pomodoros.map(blockBack)];
    }
    case "reorderTodos":
      return [{ op: "reorderTodos", actionIds: before.todos.map(({ actionId }) => actionId) }];
    case "addBlock":
      return operation.blockId === undefined ? [] : [{ op: "removeBlock", blockId: operation.blockId }];
    case "editBlock": {
      const block = blockOf(operation.blockId);
      if (!block) return [];
      const { blockId, blockType, start, end, actionId } = block;
      return [{ op: "editBlock", blockId, blockType, start, end, ...(actionId === undefined ? {} : { actionId }) }];
    }
    case "removeBlock": {
      const block = blockOf(operation.blockId);
      return block ? [blockBack(block)] : [];
    }
  }
}

function editBack(todo: Todo, operation: Extract<PlanOperation, { op: "editTodo" }>): PlanOperation {
  return {
    op: "editTodo",
    actionId: todo.actionId,
    ...(operation.classification === undefined ? {} : { classification: todo.classification }),
    ...(operation.notes === undefined ? {} : { notes: todo.notes ?? null }),
    ...(operation.estimatedPomodoros === undefined ? {} : { estimatedPomodoros: todo.estimatedPomodoros ?? null }),
  };
}

function addBack({ actionId, classification, estimatedPomodoros, notes }: Todo, above: Todo | undefined): PlanOperation {
  return {
    op: "addTodo",
    actionId,
    classification,
    ...(estimatedPomodoros === undefined ? {} : { estimatedPomodoros }),
    ...(notes === undefined ? {} : { notes }),
    ...(above ? { afterActionId: above.actionId } : { first: true }),
  };
}

function blockBack({ blockId, blockType, start, end, actionId }: Block): PlanOperation {
  return { op: "addBlock", blockId, blockType, start, end, ...(actionId === undefined ? {} : { actionId }) };
}

function commit(operations: PlanOperation[], titles?: Record<string, string>): PlanOp {
  return { kind: "commit", operations, ...(titles && Object.keys(titles).length > 0 ? { titles } : {}) };
}
