import { Fragment } from "preact";
import { tooltip } from "../parts";
import { keyParts, type KeyPart } from "./key_parts";

/** A key with its pieces told apart. Long ids are cut by sight only: whoever selects the text copies all of it. */
export function KeyText({ text, template }: { text: string; template?: string | undefined }) {
  const parts = (template === undefined ? null : keyParts(template, text)) ?? guessed(text);
  return (
    <code class="key">
      {parts.map((part, index) => (
        <Fragment key={index}>
          {part.name === undefined && !isId(part.text) ? (
            <span class="key-fixed">{part.text}</span>
          ) : (
            <span class={isId(part.text) ? "key-value key-id" : "key-value"} {...tooltip(said(part))}>
              {part.text}
            </span>
          )}
        </Fragment>
      ))}
    </code>
  );
}

/** Without a template: pieces between "#". */
function guessed(text: string): KeyPart[] {
  return text
    .split(/(#)/)
    .filter((piece) => piece !== "")
    .map((piece) => ({ text: piece }));
}

/** A UUID, a ULID, a hash: nobody reads it to the end. */
function isId(text: string): boolean {
  return /^[0-9a-f-]{36}$|^[0-9A-HJKMNP-TV-Z]{26}$|^[\w-]{40,}$/.test(text);
}

function said({ name, text }: KeyPart): string {
  return name === undefined ? text : `${name} = ${text}`;
}
