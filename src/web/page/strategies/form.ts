// A strategy form as data: made from a stored strategy, checked, and turned into a request. Pure.
import type { StrategyDraft, StrategyPatch } from "../../../domain/requests/StrategyDraft.ts"
import { ambiguityHint, numberOf } from "../parts/reader/number.ts"
import type { Answer, Wire } from "../wire.ts"
import { boundsText, keeps } from "./bounds.ts"
import { FIELDS, type FieldName, fieldOf, fullLabel, isKind, MOST_PAIRS, NAMES } from "./fields.ts"
import type { Field } from "./kinds.ts"
import { namedStep, rowsOf, type StepRow, stepErrors, stepsOf } from "./steps.ts"

/** A stored strategy. */
export type Stored = Answer<"strategies", "get">
export type Listing = Stored["exchanges"][number]

/** The form's values. Numbers stay as typed; an empty text means no value. */
export interface Form {
  readonly texts: Readonly<Partial<Record<FieldName, string>>>
  readonly on: Readonly<Partial<Record<FieldName, boolean>>>
  readonly exchanges: ReadonlyArray<Listing>
  readonly steps: ReadonlyArray<StepRow>
}

/** Errors by field of the request. */
export type Errors = Readonly<Record<string, ReadonlyArray<string>>>

/** A new strategy, as creation and back-tests take it. */
export type Draft = Wire<StrategyDraft>
/** The changes of a strategy. */
export type Patch = Wire<StrategyPatch>

export const textOf = (form: Form, name: FieldName): string => form.texts[name] ?? ""
export const isOn = (form: Form, name: FieldName): boolean => form.on[name] === true
export const withText = (form: Form, name: FieldName, value: string): Form => ({
  ...form,
  texts: { ...form.texts, [name]: value }
})
export const withSwitch = (form: Form, name: FieldName, value: boolean): Form => ({
  ...form,
  on: { ...form.on, [name]: value }
})
/** The form with other exchanges. The preferred one follows where it is no longer among them, or has no pair. */
export const withExchanges = (form: Form, exchanges: ReadonlyArray<Listing>): Form => {
  const next = { ...form, exchanges }
  const preferred = textOf(form, "default_exchange_name")
  const listed = exchanges.filter(({ coin_pairs }) => coin_pairs.length > 0)
  const [first] = listed
  return first === undefined || listed.some(({ exchange_name }) => exchange_name === preferred)
    ? next
    : withText(next, "default_exchange_name", first.exchange_name)
}
export const withSteps = (form: Form, steps: ReadonlyArray<StepRow>): Form => ({ ...form, steps })

/** Settings that responses name differently from requests. */
export const MODEL: Readonly<Partial<Record<FieldName, keyof Stored>>> = {
  strategy_trailing_buy_switch: "buy_trailing_enabled",
  trailing_buy_percentage: "buy_trailing_percent",
  strategy_dca_switch: "dca_enabled",
  dca_aftertime: "dca_after_time",
  dca_maxretries: "dca_max_retries",
  dca_percentagetrigger: "dca_percentage_trigger",
  dca_ordersize: "dca_order_size",
  sell_minprofitpercent: "min_profit_percent",
  trailing_sell: "sell_trailing_enabled",
  trailing_sell_arm: "sell_trailing_arm",
  trailing_sell_percentage: "sell_trailing_percent",
  stop_loss: "stop_loss_enabled",
  stop_loss_percentage: "stop_loss_percent",
  balance_take_profit: "balance_takeprofit_enabled",
  balance_take_profit_trigger: "balance_takeprofit_trigger",
  balance_take_profit_cooldown: "balance_takeprofit_cooldown",
  balance_stop_loss: "balance_stoploss_enabled",
  balance_stop_loss_trigger: "balance_stoploss_trigger",
  balance_stop_loss_cooldown: "balance_stoploss_cooldown"
}

/** A stored strategy's value, by the request's name. */
export const storedOf = (stored: Stored, name: FieldName): unknown => {
  const values = new Map<string, unknown>(Object.entries(stored))
  return values.get(MODEL[name] ?? name)
}

/** The form of a stored strategy. */
export const formOf = (stored: Stored): Form => {
  const texts: Partial<Record<FieldName, string>> = {}
  const on: Partial<Record<FieldName, boolean>> = {}
  for (const name of NAMES) {
    const value = storedOf(stored, name)
    if (fieldOf(name).kind === "switch") on[name] = value === true
    else if (name !== "exchanges" && name !== "take_profit_steps")
      texts[name] = value === null || value === undefined ? unsetOf(name) : String(value)
  }
  return { texts, on, exchanges: stored.exchanges, steps: rowsOf(stored.take_profit_steps) }
}

/** The text of a field without a value: a choice shows the option that stands for it. */
export const unsetOf = (name: FieldName): string => {
  const field = fieldOf(name)
  return field.kind === "choice" ? (field.unset ?? "") : ""
}

/** Whether a field is shown: its switch must be on. */
export const isShown = (form: Form, name: FieldName): boolean => {
  const { with: by } = fieldOf(name)
  return by === undefined || NAMES.some((other) => other === by && isOn(form, other))
}

/**
 * Errors found without the server. A number that equals `before` is not checked, because it is not sent: a strategy
 * may hold numbers from before the bounds existed.
 */
export const check = (form: Form, before?: Form): Errors => {
  const errors: Record<string, ReadonlyArray<string>> = {}
  for (const name of NAMES) {
    if (!isShown(form, name) || (before !== undefined && isKept(form, before, name))) continue
    const found = errorsOf(form, name)
    if (found.length > 0) errors[name] = found
  }
  return errors
}

const errorsOf = (form: Form, name: FieldName): ReadonlyArray<string> => {
  if (name === "take_profit_steps") return stepErrors(form.steps)
  const error =
    name === "exchanges"
      ? listingsError(form.exchanges)
      : (errorOf(fieldOf(name), textOf(form, name)) ??
        (name === "break_even_after" ? beyondSteps(form) : undefined))
  return error === undefined ? [] : [error]
}

/** Without steps it waits for the ladder of an alert. */
const beyondSteps = ({ steps, texts }: Form): string | undefined => {
  const after = numberOf(texts.break_even_after ?? "")
  return after !== undefined && steps.length > 0 && after > steps.length
    ? `must be at most ${steps.length}, the number of steps`
    : undefined
}

const isKept = (form: Form, before: Form, name: FieldName): boolean =>
  fieldOf(name).kind === "number" &&
  isShown(before, name) &&
  textOf(form, name) !== "" &&
  textOf(form, name) === textOf(before, name)

const errorOf = (field: Field, text: string): string | undefined => {
  switch (field.kind) {
    case "text":
    case "area": {
      const length = [...text].length
      if (field.needed && length === 0) return "is required"
      return length > field.longest ? `has ${length} characters, more than ${field.longest}` : undefined
    }
    case "number": {
      const value = numberOf(text)
      if (value === undefined) return field.needed ? `is required: ${boundsText(field.bounds)}` : undefined
      return keeps(field.bounds, value)
        ? undefined
        : `must be ${boundsText(field.bounds)}${ambiguityHint(text)}`
    }
    case "signal":
      return text === "" || keeps({ least: 1, whole: true }, Number(text))
        ? undefined
        : "must be a signal's id"
    default:
      return undefined
  }
}

const listingsError = (listings: ReadonlyArray<Listing>): string | undefined => {
  if (listings.length === 0) return "choose at least one exchange and pair"
  const bare = listings.find(({ coin_pairs }) => coin_pairs.length === 0)
  if (bare !== undefined) return `choose at least one pair on ${bare.exchange_name}, or remove it`
  const count = listings.reduce((sum, { coin_pairs }) => sum + coin_pairs.length, 0)
  return count > MOST_PAIRS ? `lists ${count} pairs, at most ${MOST_PAIRS} are possible` : undefined
}

/** The whole form as a request that creates a strategy or runs a back-test. */
export const bodyOf = (form: Form): Draft => {
  const given: Writable<Patch> = {}
  for (const name of NAMES) if (isShown(form, name) && valueOf(form, name) !== null) put(given, form, name)
  return { ...required(form), ...given }
}

/** The fields that no creation lacks. */
const required = (form: Form) => ({
  name: textOf(form, "name"),
  description: textOf(form, "description"),
  active: isOn(form, "active"),
  public: isOn(form, "public"),
  default_quote_currency: textOf(form, "default_quote_currency"),
  default_exchange_name: textOf(form, "default_exchange_name"),
  buy_percentage: numberIn(form, "buy_percentage"),
  exchanges: form.exchanges
})

/** The changes as a request that updates a strategy. */
export const changesOf = (form: Form, before: Form): Patch => {
  const changes: Writable<Patch> = {}
  for (const name of NAMES) {
    // Switching off clears the dependent fields on the server; switching on requires all of them.
    if (!isShown(form, name)) continue
    const isSame =
      isShown(before, name) && JSON.stringify(valueOf(form, name)) === JSON.stringify(valueOf(before, name))
    if (!isSame) put(changes, form, name)
  }
  return changes
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

/** Puts a field's value into a request. A number that may be absent is null then. */
const put = (patch: Writable<Patch>, form: Form, name: FieldName): void => {
  if (isKind(name, "switch")) patch[name] = isOn(form, name)
  else if (isKind(name, "listings")) patch[name] = form.exchanges
  else if (isKind(name, "steps")) patch[name] = stepsOf(form.steps)
  else if (name === "on_opposite") patch[name] = oppositeOf(form)
  else if (name === "display_name") patch[name] = textOf(form, name) === "" ? null : textOf(form, name)
  else if (name === "buy_percentage") patch[name] = numberIn(form, name)
  else if (isKind(name, "number") || isKind(name, "signal"))
    patch[name] = numberOf(textOf(form, name)) ?? null
  else patch[name] = textOf(form, name)
}

/** What an alert for the other side does; ignoring it is null. */
const oppositeOf = (form: Form): Patch["on_opposite"] & (string | null) => {
  const text = textOf(form, "on_opposite")
  return text === "close" || text === "reverse" ? text : null
}

/** A required number. Without one it is NaN, which JSON writes as null: the server then says what it has to be. */
const numberIn = (form: Form, name: FieldName): number => numberOf(textOf(form, name)) ?? Number.NaN

/** A value as the request has it; null for none. */
const valueOf = (form: Form, name: FieldName): unknown => {
  switch (fieldOf(name).kind) {
    case "switch":
      return isOn(form, name)
    case "listings":
      return form.exchanges
    case "steps":
      return stepsOf(form.steps)
    case "choice":
      return textOf(form, name) === unsetOf(name) ? null : textOf(form, name)
    case "number":
    case "signal":
      return numberOf(textOf(form, name)) ?? null
    case "text":
      return textOf(form, name) === "" ? null : textOf(form, name)
    default:
      return textOf(form, name)
  }
}

/** The errors as lines with full labels; unknown fields keep their names. */
export const errorLines = (errors: Errors): ReadonlyArray<{ readonly name: string; readonly text: string }> =>
  [...NAMES.filter((name) => name in errors), ...Object.keys(errors).filter((name) => !(name in FIELDS))].map(
    (name) => {
      const known = NAMES.find((it) => it === name)
      return {
        name,
        text: `${known === undefined ? name : fullLabel(known)} ${(errors[name] ?? []).map(namedStep).join("; ")}`
      }
    }
  )
