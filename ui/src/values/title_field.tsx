import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Draft } from "./draft";
import type { ValuesModel } from "./model";
import { typeNames } from "./tree";

const kTitleBytesMax = 1000;

/** The field in which a title is typed, in its line. Enter and leaving save, Escape takes back. */
export function TitleField({ values, draft }: { values: ValuesModel; draft: Draft }) {
  const field = useRef<HTMLInputElement>(null);
  const pressed = useRef(false);
  const latest = useRef(draft);
  latest.current = draft;

  useLayoutEffect(() => {
    const input = field.current!;
    input.focus({ preventScroll: true });
    if (draft.kind === "rename" && draft.text === draft.before) input.select();
    else input.setSelectionRange(input.value.length, input.value.length);
    // once, when it appears
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  useEffect(() => {
    const onPress = (event: PointerEvent) => (pressed.current = !field.current?.contains(event.target as Node));
    document.addEventListener("pointerdown", onPress, true);
    return () => document.removeEventListener("pointerdown", onPress, true);
  }, []);

  function onBlur(event: FocusEvent) {
    // Lines that move around it take the focus away without anybody meaning it.
    const isMeant = pressed.current || event.relatedTarget !== null || !document.hasFocus();
    if (isMeant) return values.finishDraft(latest.current, "save");
    if (!field.current) return; // its line is gone
    const { selectionStart, selectionEnd } = field.current;
    queueMicrotask(() => {
      const input = field.current;
      if (!input?.isConnected || values.draft.peek() !== latest.current) return;
      input.focus({ preventScroll: true });
      input.setSelectionRange(selectionStart, selectionEnd);
    });
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.isComposing) return;
    const now = latest.current;
    const isNew = now.kind === "new";
    const isMod = event.ctrlKey || event.metaKey;
    if (event.key === "Enter" && isMod && !isNew) {
      values.finishDraft(now, "save");
      values.toggleComplete(now.nodeId);
      ++values.focusTree.value;
    } else if (event.key === "Enter") {
      values.finishDraft(now, isNew ? "again" : "save");
      ++values.focusTree.value;
    } else if (event.key === "Escape" || (event.key === "Backspace" && isNew && now.text === "")) {
      values.finishDraft(now, "cancel");
    } else if (event.key === "Tab" && isNew) {
      values.indentDraft(now, event.shiftKey ? "out" : "in");
    } else if (event.key === "Tab") {
      values.finishDraft(now, "save");
      const row = values.outline.current.peek();
      if (row) values.moveByKey(row, event.shiftKey ? "out" : "in");
      ++values.focusTree.value;
    } else if (isNew && now.parentId !== null && isMod && event.key === "m") {
      values.setDraftType(now, now.nodeType === "ACTION" ? "MILESTONE" : "ACTION");
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  const name = typeNames[draft.kind === "new" ? draft.nodeType : (values.tree.peek().nodes.get(draft.nodeId)?.nodeType ?? "ACTION")];
  return (
    <input
      ref={field}
      class="tree-field"
      aria-label={draft.kind === "new" ? `Title of the new ${name.toLowerCase()}` : "Title"}
      placeholder={draft.kind === "new" ? `New ${name.toLowerCase()}` : ""}
      defaultValue={draft.text}
      maxLength={kTitleBytesMax}
      autocomplete="off"
      enterkeyhint="done"
      onInput={(event) => (latest.current.text = event.currentTarget.value)}
      onBlur={onBlur}
      onKeyDown={onKeyDown}
    />
  );
}
