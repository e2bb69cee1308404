import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { classNames } from "./class_names";
import "./inline_text.css";

interface InlineTextProps {
  value: string;
  /** What it is, for screen readers: "Title". */
  label: string;
  /** Called with a text that is trimmed, not empty and another one than before. */
  onSave: (value: string) => void;
  placeholder?: string;
  /** Set to edit without a press: the page decides when, and is told when it is over. */
  editing?: boolean;
  onDone?: (how: "saved" | "unchanged" | "cancelled") => void;
  /** May be emptied. */
  optional?: boolean;
  maxLength?: number;
  class?: string;
  onKeyDown?: (event: KeyboardEvent, value: string) => void;
}

/** Text that becomes a field where it stands. Enter and leaving save, Escape takes back; nothing moves meanwhile. */
export function InlineText(props: InlineTextProps) {
  const { value, label, placeholder, editing, class: extra } = props;
  const [isOwn, setOwn] = useState(false);
  const open = editing ?? isOwn;
  if (open) return <InlineField {...props} onDone={(how) => (setOwn(false), props.onDone?.(how))} />;
  return (
    <button
      type="button"
      class={classNames("inline-text", value === "" && "inline-text-empty", extra)}
      aria-label={`${label}: ${value || (placeholder ?? "empty")}. Edit`}
      onClick={() => setOwn(true)}
    >
      {value || placeholder}
    </button>
  );
}

function InlineField({ value, label, onSave, placeholder, onDone, optional, maxLength, ...rest }: InlineTextProps) {
  const [text, setText] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  const over = useRef(false);

  useLayoutEffect(() => {
    field.current!.focus();
    field.current!.select();
  }, []);

  function finish(how: "save" | "cancel") {
    if (over.current) return;
    over.current = true;
    const wanted = text.trim();
    if (how === "cancel") return onDone?.("cancelled");
    if (wanted === value || (wanted === "" && !optional)) return onDone?.("unchanged");
    onSave(wanted);
    onDone?.("saved");
  }

  return (
    <input
      ref={field}
      class={classNames("inline-text", "inline-field", rest.class)}
      aria-label={label}
      value={text}
      placeholder={placeholder ?? ""}
      maxLength={maxLength ?? 1000}
      onInput={(event) => setText(event.currentTarget.value)}
      onBlur={() => finish("save")}
      onKeyDown={(event) => {
        rest.onKeyDown?.(event, text);
        if (event.defaultPrevented || event.isComposing) return;
        if (event.key === "Enter") finish("save");
        else if (event.key === "Escape") finish("cancel");
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}
