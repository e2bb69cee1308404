// A form: fields as they are typed, what is wrong with each, and one request at a time.

import { useState } from "preact/hooks";
import { problemOf, type ApiProblem } from "../api/problem";

export interface FormState<Fields extends Record<string, string>> {
  fields: Fields;
  set: (name: keyof Fields & string) => (value: string) => void;
  /** What is wrong with a field, until it is changed. */
  error: (name: keyof Fields & string) => string | undefined;
  /** What is wrong that is no field's fault. */
  problem: string | undefined;
  busy: boolean;
  /** For onSubmit. What was typed stays when `send` fails. */
  submit: (event: Event) => void;
}

export type Check<Fields> = (fields: Fields) => Partial<Record<keyof Fields & string, string>>;

interface FormParts<Fields> {
  initial: Fields;
  /** What can be said without asking the server. */
  check?: Check<Fields>;
  send: (fields: Fields) => Promise<void>;
  /** What a refusal means here, when the server's own words do not fit. */
  explain?: (problem: ApiProblem) => string | undefined;
}

export function useForm<Fields extends Record<string, string>>(parts: FormParts<Fields>): FormState<Fields> {
  const [fields, setFields] = useState(parts.initial);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [busy, setBusy] = useState(false);

  async function send() {
    setBusy(true);
    setProblem(undefined);
    try {
      await parts.send(fields);
    } catch (thrown) {
      const refused = problemOf(thrown);
      const known = refused.errors.filter(({ field }) => field in fields);
      setErrors(Object.fromEntries(known.map(({ field }) => [field, refused.field(field)])));
      if (known.length === 0) setProblem(parts.explain?.(refused) ?? refused.message);
    } finally {
      setBusy(false);
    }
  }

  return {
    fields,
    problem,
    busy,
    set: (name) => (value) => {
      setFields((before) => ({ ...before, [name]: value }));
      setErrors((before) => ({ ...before, [name]: undefined }));
    },
    error: (name) => errors[name],
    submit: (event) => {
      event.preventDefault();
      if (busy) return;
      const found = parts.check?.(fields) ?? {};
      setErrors(found);
      if (Object.values(found).some((text) => text !== undefined)) focusFirstError(event.currentTarget as HTMLFormElement);
      else void send();
    },
  };
}

/** After the errors are shown: whoever cannot see them is led to the first. */
function focusFirstError(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}
