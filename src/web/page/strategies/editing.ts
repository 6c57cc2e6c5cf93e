// The state of a strategy form: its values, and which errors to show when.
import { useState } from "preact/hooks"
import { type FieldName, NAMES } from "./fields.ts"
import { check, type Errors, type Form, textOf } from "./form.ts"
import { STEP_FIELDS } from "./steps.ts"

export interface Editing {
  readonly form: Form
  readonly setForm: (form: Form) => void
  /** Errors to show: invalid values at once, missing ones after the first attempt to save. */
  readonly errors: Errors
  /** Whether the form may be sent; from then on every error is shown. */
  readonly attempt: () => boolean
  /** Shows the server's errors, each until its field changes. */
  readonly refuse: (errors: Errors) => void
}

/** `before` is the stored form when only changes are sent. */
export const useEditing = (initial: Form, before?: Form): Editing => {
  const [form, setForm] = useState(initial)
  const [tried, setTried] = useState(false)
  const [refused, setRefused] = useState<{ readonly form: Form; readonly errors: Errors }>()
  const own = check(form, before)
  return {
    form,
    setForm,
    errors: { ...stillTrue(refused, form), ...(tried ? own : typed(own, form)) },
    attempt: () => {
      setTried(true)
      return Object.keys(own).length === 0
    },
    refuse: (errors) => setRefused({ form, errors })
  }
}

/** The errors of fields that are not empty. */
const typed = (errors: Errors, form: Form): Errors =>
  Object.fromEntries(
    NAMES.filter((name) => name in errors && isTyped(form, name)).map((name) => [name, errors[name] ?? []])
  )

const isTyped = (form: Form, name: FieldName): boolean =>
  name === "take_profit_steps"
    ? form.steps.every((row) => STEP_FIELDS.every((field) => row[field].trim() !== ""))
    : textOf(form, name).trim() !== ""

const stillTrue = (
  refused: { readonly form: Form; readonly errors: Errors } | undefined,
  form: Form
): Errors => {
  if (refused === undefined) return {}
  const { form: then } = refused
  const changed = NAMES.filter((name) =>
    name === "exchanges"
      ? form.exchanges !== then.exchanges
      : name === "take_profit_steps"
        ? form.steps !== then.steps
        : form.texts[name] !== then.texts[name] || form.on[name] !== then.on[name]
  )
  return Object.fromEntries(
    Object.entries(refused.errors).filter(([name]) => !changed.some((it) => it === name))
  )
}
