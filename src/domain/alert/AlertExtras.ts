// Reads the optional fields close_percent, reverse, tps and buy_percentage of an alert. Each is allowed with some types
// only, and refused with the others; null counts as absent.
import type { AlertType, Extras } from "../Alert.ts"
import { countError, percentsError, type TargetStep } from "../position/Ladder.ts"
import { isPrice, PRICE_WORDS } from "../requests/Bounds.ts"
import { isFields } from "../requests/Form.ts"
import { type Violation, violation } from "../requests/Violations.ts"
import { unfilled } from "./Placeholder.ts"

/** The names of these fields. */
export const EXTRA_NAMES = ["close_percent", "reverse", "tps", "buy_percentage"] as const
export type ExtraName = (typeof EXTRA_NAMES)[number]

/** The values of the fields as they were sent; undefined or null where there is none. */
export type Sent = Readonly<Record<ExtraName, unknown>>

/** The fields by their own names, wherever `valueOf` finds them. `heard` is told of each that is there. */
export const find = (
  valueOf: (name: ExtraName) => unknown,
  heard: ((name: ExtraName, from: string) => void) | undefined
): Sent => {
  const sent = {
    close_percent: valueOf("close_percent"),
    reverse: valueOf("reverse"),
    tps: valueOf("tps"),
    buy_percentage: valueOf("buy_percentage")
  }
  if (heard !== undefined) for (const name of EXTRA_NAMES) if (isThere(sent[name])) heard(name, name)
  return sent
}

/** What goes with each type. */
const CLOSING: ReadonlyArray<ExtraName> = ["close_percent"]
const SPOT: ReadonlyArray<ExtraName> = ["tps", "buy_percentage"]
const TURNING: ReadonlyArray<ExtraName> = ["reverse", "tps", "buy_percentage"]
const GOES_WITH: Readonly<Record<AlertType, ReadonlyArray<ExtraName>>> = {
  buy: SPOT,
  sell: CLOSING,
  long: TURNING,
  short: TURNING,
  close_long: CLOSING,
  close_short: CLOSING
}

const TYPES: Readonly<Record<ExtraName, string>> = {
  close_percent: "sell, close_long and close_short",
  reverse: "long and short",
  tps: "buy, long and short",
  buy_percentage: "buy, long and short"
}

/** The types that a field goes with, in words. */
export const typesOf = (name: ExtraName): string => TYPES[name]

/** Whether a field goes with alerts of a type. */
export const goesWith = (name: ExtraName, type: AlertType): boolean => GOES_WITH[type].includes(name)

/** Tells `heard` of the fields that follow from a chart's position, and where it stands. */
export const hear = (
  { closePercent, reverse }: Extras,
  from: string,
  heard: (name: ExtraName, from: string) => void
): void => {
  if (reverse !== undefined) heard("reverse", from)
  if (closePercent !== undefined) heard("close_percent", from)
}

/** The fields that go with a type which follows from a chart's position; each other one is left out, and told. */
export const heeded = (sent: Sent, type: AlertType, warnings: Array<string>): Sent => {
  const kept = { ...sent }
  const left = EXTRA_NAMES.filter((name) => isThere(sent[name]) && !goesWith(name, type))
  for (const name of left) kept[name] = undefined
  if (left.length > 0) warnings.push(`left out: ${left.join(", ")} (not for a ${type}, which this order is)`)
  return kept
}

/** What stands beside these fields: the type, and whether the alert has a `tp`. */
export interface Beside {
  readonly type: AlertType
  readonly hasTp: boolean
}

/**
 * Reads the fields; what is wrong is added to `errors`. Without a type only the values are checked: its own violation is
 * there already.
 */
export const read = (sent: Sent, beside: Beside | undefined, errors: Array<Violation>): Extras => {
  const extras = {
    ...(isThere(sent.close_percent) ? partOf(sent.close_percent, errors) : {}),
    ...(isThere(sent.reverse) ? reverseOf(sent.reverse, errors) : {}),
    ...(isThere(sent.tps) ? ladderOf(sent.tps, beside?.type, errors) : {}),
    ...(isThere(sent.buy_percentage) ? shareOf(sent.buy_percentage, errors) : {})
  }
  if (beside === undefined) return extras
  for (const name of EXTRA_NAMES)
    if (isThere(sent[name]) && !goesWith(name, beside.type))
      errors.push(violation(name, `goes with ${TYPES[name]}: leave it out of a ${beside.type}`))
  if (beside.hasTp && isThere(sent.tps))
    errors.push(violation("tps", "is a ladder in place of tp: send one of the two"))
  return extras
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null

const NUMBER = /^\s*\+?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,3})?\s*$/

/** A number as a number or, as forms send it, a text. */
const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === "string" && NUMBER.test(value) ? Number(value) : value
  return typeof number === "number" && Number.isFinite(number) ? number : undefined
}

const refuse = (errors: Array<Violation>, name: ExtraName, value: unknown, text: string): Extras => {
  const placeholder = typeof value === "string" ? unfilled(value) : undefined
  errors.push(violation(name, placeholder ?? text))
  return {}
}

/** A list is several values of one name, except for `tps`. */
const REPEATED = "is given more than once"

const partOf = (value: unknown, errors: Array<Violation>): Extras => {
  const percent = numberOf(value)
  return percent !== undefined && percent > 0 && percent <= 100
    ? { closePercent: percent }
    : refuse(errors, "close_percent", value, Array.isArray(value) ? REPEATED : PART)
}
const PART = "must be a percentage above 0 and at most 100: the part of what is held now"

const shareOf = (value: unknown, errors: Array<Violation>): Extras => {
  const percent = numberOf(value)
  return percent !== undefined && percent >= 0 && percent <= 100
    ? { buyPercentage: percent }
    : refuse(errors, "buy_percentage", value, Array.isArray(value) ? REPEATED : SHARE)
}
const SHARE = "must be a percentage from 0 to 100"

const reverseOf = (value: unknown, errors: Array<Violation>): Extras => {
  // Lists and objects are not converted to text, which fails for deep nesting.
  const text = typeof value === "object" ? undefined : String(value).trim().toLowerCase()
  if (text === "true" || text === "1") return { reverse: true }
  if (text === "false" || text === "0") return { reverse: false }
  return refuse(errors, "reverse", value, Array.isArray(value) ? REPEATED : "must be true or false")
}

/** The longest `tps` as JSON text, in UTF-16 units: many times what the steps need. */
const MAX_TEXT = 2_000

const ladderOf = (value: unknown, type: AlertType | undefined, errors: Array<Violation>): Extras => {
  const list = typeof value === "string" ? parsed(value) : value
  if (!Array.isArray(list)) return refuse(errors, "tps", value, LIST)
  const miscount = countError(list)
  if (miscount !== undefined) return refuse(errors, "tps", undefined, miscount)
  const steps = list.flatMap((step: unknown, index) => stepOf(step, index, errors))
  if (steps.length < list.length) return {}
  const wrong = wrongIn(steps, type)
  return wrong === undefined ? { tps: steps } : refuse(errors, "tps", undefined, wrong)
}
const LIST =
  'must be a list of steps, such as [{"price":70000,"percent":50},{"price":75000,"percent":50}]; in a form as JSON text'

const parsed = (text: string): unknown => {
  if (text.length > MAX_TEXT) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const stepOf = (step: unknown, index: number, errors: Array<Violation>): ReadonlyArray<TargetStep> => {
  if (!isFields(step)) {
    errors.push(violation("tps", `[${index}] must be an object with price and percent`))
    return []
  }
  const [price, percent] = [numberOf(step["price"]), numberOf(step["percent"])]
  const isPriced = price !== undefined && isPrice(price)
  const isPart = percent !== undefined && percent > 0 && percent <= 100
  if (!isPriced) errors.push(violation("tps", `[${index}].price must be ${PRICE_WORDS}`))
  if (!isPart) errors.push(violation("tps", `[${index}].percent must be above 0 and at most 100`))
  return isPriced && isPart ? [{ price, percent }] : []
}

/** What is wrong with steps taken together: prices go in the direction of profit, and nothing is sold twice. */
const wrongIn = (steps: ReadonlyArray<TargetStep>, type: AlertType | undefined): string | undefined => {
  const prices = steps.map(({ price }) => (type === "short" ? -price : price))
  const late = prices.findIndex((price, index) => index > 0 && !(price > (prices[index - 1] ?? price)))
  if (late > 0 && type !== undefined)
    return `[${late}].price must be ${type === "short" ? "below" : "above"} that of the step before: targets go in the direction of profit`
  return percentsError(steps.map(({ percent }) => percent))
}
