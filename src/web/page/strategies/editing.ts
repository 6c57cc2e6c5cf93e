import { useState } from "preact/hooks"
import { NAMES } from "./fields.ts"
import { check, type Errors, type Form, textOf } from "./form.ts"

export interface Editing {
  readonly form: Form
  readonly setForm: (form: Form) => void
  /** What to show beside the fields: what is out of bounds at once, what is missing once it was tried. */
  readonly errors: Errors
  /** Whether the form may be sent; from now on everything that is wrong is shown. */
  readonly attempt: () => boolean
  /** Shows what the server refused, each until its field is changed. */
  readonly refuse: (errors: Errors) => void
}

/** A form that is being filled in; `before` is the stored one where only what changes is sent. */
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

/** Of what is wrong, what somebody has typed: an empty field is no error while the form is being filled in. */
const typed = (errors: Errors, form: Form): Errors =>
  Object.fromEntries(
    NAMES.filter((name) => name in errors && textOf(form, name).trim() !== "").map((name) => [
      name,
      errors[name] ?? []
    ])
  )

const stillTrue = (
  refused: { readonly form: Form; readonly errors: Errors } | undefined,
  form: Form
): Errors => {
  if (refused === undefined) return {}
  const { form: then } = refused
  const changed = NAMES.filter((name) =>
    name === "exchanges"
      ? form.exchanges !== then.exchanges
      : form.texts[name] !== then.texts[name] || form.on[name] !== then.on[name]
  )
  return Object.fromEntries(
    Object.entries(refused.errors).filter(([name]) => !changed.some((it) => it === name))
  )
}
