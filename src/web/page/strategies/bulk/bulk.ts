// One change of many strategies: what it would do to each, before anything is sent. Pure.
import { FIELDS, type FieldName, fieldOf, fullLabel, NAMES } from "../fields.ts"
import {
  changesOf,
  check,
  errorLines,
  formOf,
  isOn,
  isShown,
  type Patch,
  type Stored,
  textOf,
  withSwitch,
  withText
} from "../form.ts"

/** A setting and its new value: `on` or `off` for a switch, else as typed. */
export interface Change {
  readonly name: FieldName
  readonly value: string
}

/** What a change does to one strategy. */
export interface Plan {
  readonly id: number
  readonly strategy: string
  readonly before: string
  readonly after: string
  /** Why it cannot be made. */
  readonly errors: ReadonlyArray<string>
  /** What is sent; empty where the strategy has the value already. */
  readonly patch: Patch
}

/** The settings that many strategies can share: not what names one, nor lists of pairs and steps. */
export const BULK_FIELDS: ReadonlyArray<FieldName> = NAMES.filter((name) => {
  const { kind } = fieldOf(name)
  return (kind === "number" || kind === "switch" || kind === "choice") && name !== "default_quote_currency"
})

/** The plan of a change for a strategy as it is stored now. */
export const planOf = (stored: Stored, { name, value }: Change): Plan => {
  const before = formOf(stored)
  const isSwitch = fieldOf(name).kind === "switch"
  const after = isSwitch ? withSwitch(before, name, value === "on") : withText(before, name, value)
  const errors = isShown(before, name)
    ? errorLines(check(after, before)).map(({ text }) => text)
    : [`${fullLabel(name)} belongs to a feature that is off here`]
  return {
    id: stored.strategy_id,
    strategy: stored.name,
    before: shownOf(before, name),
    after: shownOf(after, name),
    errors,
    patch: errors.length === 0 ? changesOf(after, before) : {}
  }
}

/** Whether a plan changes something. */
export const isChange = ({ errors, patch }: Plan): boolean =>
  errors.length === 0 && Object.keys(patch).length > 0

const shownOf = (form: ReturnType<typeof formOf>, name: FieldName): string => {
  if (fieldOf(name).kind === "switch") return isOn(form, name) ? "on" : "off"
  return textOf(form, name) === "" ? "not set" : textOf(form, name)
}

/** Whether the strategy was changed by somebody else since the plan was shown. */
export const isOutdated = (plan: Plan, stored: Stored, { name }: Change): boolean =>
  shownOf(formOf(stored), name) !== plan.before

/** The choices of a setting that has some. */
export const choicesOf = (name: FieldName): ReadonlyArray<string> => {
  const field = fieldOf(name)
  if (field.kind === "switch") return ["on", "off"]
  return field.kind === "choice" ? field.options : []
}

/** The unit of a setting. */
export const unitOf = (name: FieldName): string => {
  const field = fieldOf(name)
  return field.kind === "number" ? field.unit : ""
}

export const labelOf = (name: FieldName): string => FIELDS[name].label
