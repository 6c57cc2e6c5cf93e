// Carries settings that were changed on one page to the form that saves them.
import type { Form } from "./form.ts"

let waiting: { readonly id: number; readonly form: Form } | undefined

/** Keeps the changed form of a strategy for its next edit. */
export const carry = (id: number, form: Form): void => {
  waiting = { id, form }
}

/** The changed form of a strategy, once; undefined where none was carried. */
export const carried = (id: number): Form | undefined => {
  const found = waiting?.id === id ? waiting.form : undefined
  waiting = undefined
  return found
}
