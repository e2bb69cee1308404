// Things to type into and to choose from, each with its label, a hint and the place where its error appears.

import type { ComponentChildren, JSX, Ref } from "preact";
import { useId } from "preact/hooks";
import { classNames } from "./class_names";
import { Icon } from "./icon";
import "./field.css";

interface FieldProps {
  label: string;
  /** Read by screen readers only; for fields whose place says what they are. */
  hideLabel?: boolean | undefined;
  hint?: ComponentChildren;
  /** A full sentence; the field is marked and the sentence read out. */
  error?: string | undefined;
  class?: string | undefined;
}

export interface FieldIds {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean | undefined;
}

/** The frame of a field, for controls of your own: `<Field label="Day">{(ids) => <input {...ids} />}</Field>`. */
export function Field(props: FieldProps & { children: (ids: FieldIds) => ComponentChildren }) {
  const { label, hideLabel, hint, error, children } = props;
  const id = useId();
  const describedBy = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return (
    <div class={classNames("field", props.class)}>
      <label for={id} class={hideLabel ? "unseen" : "field-label"}>
        {label}
      </label>
      {children({ id, "aria-describedby": describedBy || undefined, "aria-invalid": error ? true : undefined })}
      {hint && (
        <div class="field-hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      <div class="field-error" id={`${id}-error`} aria-live="polite">
        {error && (
          <>
            <Icon name="warning" size={14} />
            <span>{error}</span>
          </>
        )}
      </div>
    </div>
  );
}

type Input = Omit<JSX.HTMLAttributes<HTMLInputElement>, "onInput" | "value" | "ref" | "label" | "class" | "list">;

export interface TextFieldProps extends FieldProps, Input {
  value: string;
  onInput: (value: string) => void;
  type?: "text" | "email" | "password" | "search" | "number" | "date" | "time" | "url";
  name?: string;
  autocomplete?: string;
  placeholder?: string;
  required?: boolean;
  disabled?: boolean;
  readOnly?: boolean;
  min?: string | number;
  max?: string | number;
  step?: string | number;
  maxLength?: number;
  autofocus?: boolean;
  elementRef?: Ref<HTMLInputElement> | undefined;
}

export function TextField(props: TextFieldProps) {
  const { label, hideLabel, hint, error, class: extra, value, onInput, type = "text", elementRef, autofocus, ...native } = props;
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error} class={extra}>
      {(ids) => (
        <input
          {...native}
          {...ids}
          {...(autofocus ? { autofocus: true, "data-autofocus": true } : {})}
          ref={elementRef ?? null}
          class="input"
          type={type}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export interface TextAreaProps extends FieldProps {
  value: string;
  onInput: (value: string) => void;
  placeholder?: string;
  /** Lines at first; it grows with its text. */
  rows?: number;
  maxLength?: number;
  disabled?: boolean;
  autofocus?: boolean;
  onKeyDown?: (event: JSX.TargetedKeyboardEvent<HTMLTextAreaElement>) => void;
  onBlur?: () => void;
  elementRef?: Ref<HTMLTextAreaElement> | undefined;
}

export function TextArea(props: TextAreaProps) {
  const { label, hideLabel, hint, error, class: extra, value, onInput, rows = 3, elementRef, autofocus, ...native } = props;
  return (
    <Field label={label} hideLabel={hideLabel} hint={hint} error={error} class={extra}>
      {(ids) => (
        <textarea
          {...native}
          {...ids}
          {...(autofocus ? { autofocus: true, "data-autofocus": true } : {})}
          ref={elementRef ?? null}
          class="input text-area"
          rows={rows}
          style={{ "--rows": rows }}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export interface Choice<Value extends string> {
  value: Value;
  label: string;
}

interface SelectProps<Value extends string> extends FieldProps {
  value: Value;
  choices: Choice<Value>[];
  onChange: (value: Value) => void;
  disabled?: boolean;
}

export function Select<Value extends string>(props: SelectProps<Value>) {
  const { value, choices, onChange, disabled = false, ...field } = props;
  return (
    <Field {...field}>
      {(ids) => (
        <span class="select">
          <select
            {...ids}
            class="input"
            disabled={disabled}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value as Value)}
          >
            {choices.map((choice) => (
              <option key={choice.value} value={choice.value}>
                {choice.label}
              </option>
            ))}
          </select>
          <Icon name="chevron-down" size={14} />
        </span>
      )}
    </Field>
  );
}

interface CheckboxProps {
  label: ComponentChildren;
  /** For screen readers only, when the label is beside it anyway. */
  hideLabel?: boolean;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  /** round: something to be done. switch: something that is on or off. */
  shape?: "square" | "round" | "switch";
  class?: string;
}

export function Checkbox({ label, hideLabel, checked, onChange, disabled = false, shape = "square", ...rest }: CheckboxProps) {
  return (
    <label class={classNames("checkbox", `checkbox-${shape}`, rest.class)}>
      <input
        type="checkbox"
        role={shape === "switch" ? "switch" : undefined}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span class="checkbox-mark" aria-hidden="true">
        {shape === "switch" ? null : <Icon name="check" size={12} />}
      </span>
      <span class={hideLabel ? "unseen" : undefined}>{label}</span>
    </label>
  );
}

interface SegmentedProps<Value extends string> {
  label: string;
  value: Value;
  choices: (Choice<Value> & { icon?: Parameters<typeof Icon>[0]["name"] })[];
  onChange: (value: Value) => void;
  class?: string;
}

/** A few choices side by side, one of them taken. Arrow keys move, as with all radio buttons. */
export function Segmented<Value extends string>({ label, value, choices, onChange, ...rest }: SegmentedProps<Value>) {
  const name = useId();
  return (
    <fieldset class={classNames("segmented", rest.class)}>
      <legend class="unseen">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} class="segment">
          <input type="radio" class="unseen" name={name} checked={choice.value === value} onChange={() => onChange(choice.value)} />
          <span class="segment-face">
            {choice.icon && <Icon name={choice.icon} size={15} />}
            {choice.label}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
