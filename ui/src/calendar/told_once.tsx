import { useEffect, useRef } from "preact/hooks";
import { Button, TextField } from "../parts";
import { copyText } from "../shell";

interface ToldOnceProps {
  label: string;
  text: string;
  hint: string;
  /** "Secret copied." */
  copied: string;
}

/** Something the server keeps no copy of: it can be taken now, and never again. */
export function ToldOnce({ label, text, hint, copied }: ToldOnceProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
  }, [text]);
  return (
    <div class="told-once">
      <TextField
        class="grow"
        label={label}
        hint={hint}
        value={text}
        onInput={() => undefined}
        readOnly
        elementRef={field}
        onFocus={(event: FocusEvent) => selectAll(event.currentTarget as HTMLInputElement)}
      />
      <Button icon="copy" onClick={() => void copyText(text, copied)}>
        Copy
      </Button>
    </div>
  );
}

function selectAll(field: HTMLInputElement): void {
  field.select();
  requestAnimationFrame(() => (field.scrollLeft = 0)); // its beginning is what one knows it by
}
