// Reads the fields beside an alert's order to buy or sell: the position side it is for, or that it only closes. A
// closing buy covers a short; fields that contradict the order are refused. The order itself is read by `AlertAct`.
import * as Either from "effect/Either"
import { type Violation, violation } from "../requests/Violations.ts"
import type { Names } from "./AlertNames.ts"
import * as AlertWords from "./AlertWords.ts"
import type { Order, Step } from "./PositionChange.ts"

/** The step that the order makes, and the field that states it. */
interface Beside {
  readonly step: Step
  readonly name: string
}

/**
 * The order's step by the fields beside it; undefined if they state none.
 *
 * @internal
 */
export const read = (
  names: Names,
  order: { readonly name: string; readonly type: Order }
): Either.Either<Beside | undefined, Violation> => {
  let found: Beside | undefined
  for (const { name, says } of sayings(names, order.name)) {
    const step = STEPS[order.type][says]
    if (step === "same") continue
    if (step === "clash" || (found !== undefined && found.step !== step))
      return Either.left(violation(name, `contradicts ${order.name}: one alert does one thing`))
    found ??= { step, name }
  }
  return Either.right(found)
}

type Meaning = Order | "long" | "short" | "close_long" | "close_short" | "close"

/** The step of an order beside each word: a buy closes a short and a sell a long if that side is named. */
const STEPS: Readonly<Record<Order, Readonly<Record<Meaning, Step | "same" | "clash">>>> = {
  buy: {
    buy: "same",
    long: "open_long",
    short: "close_short",
    close_short: "close_short",
    close: "close_short",
    sell: "clash",
    close_long: "clash"
  },
  sell: {
    sell: "same",
    short: "open_short",
    long: "close_long",
    close_long: "close_long",
    close: "close_long",
    buy: "clash",
    close_short: "clash"
  }
}

/**
 * Field names of a position side, of an order's words, of a reduce-only switch, and of free texts that chart strategies
 * fill.
 */
const SIDES = ["position_side", "positionside", "pos_side", "posside", "direction"] as const
const ACTIONS = ["type", "action", "order_action", "side", "order_side", "signal"] as const
const CLOSERS = [
  "reduce_only",
  "reduceonly",
  "order_reduce_only",
  "close_only",
  "close_position",
  "order_close_position"
] as const
const TEXTS = [
  "comment",
  "order_comment",
  "id",
  "order_id",
  "order_name",
  "message",
  "alert_message",
  "order_alert_message"
] as const

/** The meaning of each of these fields, except the field of the order itself. */
const sayings = (
  { byName }: Names,
  order: string
): ReadonlyArray<{ readonly name: string; readonly says: Meaning }> => {
  const all: Array<{ readonly name: string; readonly says: Meaning }> = []
  for (const [name, read] of READERS) {
    const value = name === order ? undefined : byName.get(name)
    const says = value === undefined ? undefined : read(value)
    if (says !== undefined) all.push({ name, says })
  }
  return all
}

const isOn = (value: unknown): boolean =>
  value === true || value === 1 || (typeof value === "string" && /^(?:true|1|yes|on)$/i.test(value.trim()))

const meaningOf = (value: unknown): Meaning | undefined => {
  const type = AlertWords.exact(value)
  if (type !== undefined) return type
  const word = AlertWords.read(value)
  if (word?._tag === "Type") return word.type
  return word?._tag === "Close" ? "close" : undefined
}

/**
 * How the charting platform names a strategy's closing order without a name of its own: `Close entry(s) order Short`.
 */
const CLOSES = /^\s*close (?:entry\(s\)|position) order/i

/** Only a whole text counts: `close above the average` does not mean close. */
const closing = (value: unknown): Meaning | undefined => {
  if (typeof value === "string" && CLOSES.test(value)) return "close"
  const meaning = meaningOf(value)
  return meaning === "close" || meaning === "close_long" || meaning === "close_short" ? meaning : undefined
}

const READERS: ReadonlyArray<readonly [name: string, read: (value: unknown) => Meaning | undefined]> = [
  ...[...SIDES, ...ACTIONS].map((name) => [name, meaningOf] as const),
  ...CLOSERS.map((name) => [name, (value: unknown) => (isOn(value) ? "close" : undefined)] as const),
  ...TEXTS.map((name) => [name, closing] as const)
]
