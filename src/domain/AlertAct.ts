import * as Either from "effect/Either"
import { ALERT_TYPES, type AlertType } from "./Alert.ts"
import * as AlertMove from "./AlertMove.ts"
import { first, type Named, type Names } from "./AlertNames.ts"
import { unfilled } from "./Placeholder.ts"
import { type Violation, violation } from "./Violations.ts"

const TYPES: ReadonlyMap<string, AlertType> = new Map(ALERT_TYPES.map((type) => [type, type]))
/** What is said of a type that is none. */
export const TYPES_TEXT = `must be one of ${ALERT_TYPES.join(", ")}`

/** The type that a value names as this interface does, in any case. */
export const exact = (value: unknown): AlertType | undefined =>
  typeof value === "string" ? (TYPES.get(value) ?? TYPES.get(value.trim().toLowerCase())) : undefined

/** What an alert's words ask for, which `type` alone did not: first what is said outright, then what a strategy's move tells. */
export const read = (names: Names, isPerpetual: boolean): Either.Either<AlertMove.Act, Violation> => {
  const said = wordOf(names)
  if (said === undefined) return moved(names, undefined, isPerpetual)
  const { name, value } = said
  const type = exact(value)
  // Only an order's direction has to be told apart by what the strategy holds: the rest says it outright.
  if (type === "buy" || type === "sell")
    return name === "type" ? Either.right({ type, from: name }) : moved(names, { name, type }, isPerpetual)
  if (type !== undefined) return Either.right({ type, from: name })
  const word = typeof value === "string" ? WORDS.get(spelled(value)) : undefined
  if (word === undefined) return Either.left(violation(name, flawOf(value)))
  return word._tag === "Type"
    ? Either.right({ type: word.type, from: name, ...swapOnly(isPerpetual) })
    : opened(names, name, word, isPerpetual)
}

const ACTIONS = [
  "type",
  "action",
  "order_action",
  "side",
  "order_side",
  "direction",
  "signal",
  "code"
] as const
/** Kinds of orders, for which others have the name `type`. */
const ORDERS: ReadonlySet<string> = new Set(["limit", "market", "stop", "stop_limit", "stop_market"])

const wordOf = (names: Names): Named | undefined => {
  const found = first(names, ACTIONS)
  if (found?.name !== "type" || typeof found.value !== "string" || !ORDERS.has(spelled(found.value)))
    return found
  return first(names, ACTIONS.slice(1)) ?? found
}

const spelled = (value: string): string =>
  value
    .trim()
    .toLowerCase()
    .replaceAll(/[\s.-]+/g, "_")

/** Words that others have for what an alert asks for. */
type Word =
  | { readonly _tag: "Type"; readonly type: AlertType }
  | { readonly _tag: "Open" | "Close" | "Switch" }

const wordsFor = (word: Word, words: string): ReadonlyArray<readonly [string, Word]> =>
  words.split(" ").map((text) => [text, word])

const WORDS: ReadonlyMap<string, Word> = new Map([
  ...wordsFor({ _tag: "Type", type: "long" }, "enter_long entry_long long_entry open_long go_long"),
  ...wordsFor({ _tag: "Type", type: "short" }, "enter_short entry_short short_entry open_short go_short"),
  ...wordsFor({ _tag: "Type", type: "close_long" }, "exit_long long_exit closelong"),
  ...wordsFor({ _tag: "Type", type: "close_short" }, "exit_short short_exit closeshort"),
  ...wordsFor({ _tag: "Open" }, "open entry enter add increase reentry"),
  ...wordsFor(
    { _tag: "Close" },
    "close exit flat flatten exit_all close_all close_position close_at_market_price"
  ),
  ...wordsFor(
    { _tag: "Switch" },
    "start_bot stop_bot start_and_open stop_and_close start stop enable disable cancel"
  )
])

const flawOf = (value: unknown): string => {
  if (typeof value !== "string") return Array.isArray(value) ? "is given more than once" : TYPES_TEXT
  const text = unfilled(value)
  if (text !== undefined) return text
  return value.includes("|") ? `holds all choices: leave one, ${TYPES_TEXT.slice(8)}` : TYPES_TEXT
}

/** What the strategy's move makes of an order; where none is told, the order is what it says. */
const moved = (
  names: Names,
  order: { readonly name: string; readonly type: "buy" | "sell" } | undefined,
  isPerpetual: boolean
): Either.Either<AlertMove.Act, Violation> =>
  Either.flatMap(AlertMove.read(names), (move): Either.Either<AlertMove.Act, Violation> => {
    if (move !== undefined) return AlertMove.typeOf(move, order?.type, isPerpetual)
    if (order !== undefined) return Either.right({ type: order.type, from: order.name })
    return Either.left(violation("type", names.has("bot_id") ? NAMES_A_BOT : `is required: it ${TYPES_TEXT}`))
  })

const NAMES_A_BOT =
  "is required: the message names a bot of another service, not what to do: add type and symbol to it"

const SIDES = ["side", "direction", "position_side", "position"] as const

/** Opening or closing, of the side that another field names, or that the strategy's move tells. */
const opened = (
  names: Names,
  name: string,
  { _tag }: Word,
  isPerpetual: boolean
): Either.Either<AlertMove.Act, Violation> => {
  if (_tag === "Switch") return Either.left(violation(name, SWITCHES))
  const isClose = _tag === "Close"
  const side = first(
    names,
    SIDES.filter((it) => it !== name)
  )?.value
  const text = typeof side === "string" ? spelled(side) : ""
  if (text === "long" || text === "short") {
    const type = isClose ? (`close_${text}` as const) : text
    return Either.right({ type, from: name, ...swapOnly(isPerpetual) })
  }
  const move = AlertMove.read(names)
  if (Either.isLeft(move)) return Either.left(move.left)
  if (move.right !== undefined) return AlertMove.typeOf(move.right, undefined, isPerpetual)
  if (isPerpetual) return Either.left(violation(name, isClose ? WHICH_TO_CLOSE : WHICH_TO_OPEN))
  if (isClose) return Either.right({ type: "sell", from: name, warning: CLOSES_SPOT })
  return text === "" || text === "buy"
    ? Either.right({ type: "buy", from: name })
    : Either.left(violation(name, WHICH_TO_OPEN))
}

const SWITCHES =
  "switches a bot, which an alert does not: set active on the strategy, or send a type to trade"
const WHICH_TO_OPEN = "does not say which side to open: send long or short, or buy for the spot market"
const WHICH_TO_CLOSE = "does not say which position to close: send close_long or close_short"
const CLOSES_SPOT =
  "closing without a side was taken for sell, on spot: send close_long or close_short for a perpetual"

/** Said in words that are not ours, of a symbol that does not look like a perpetual's. */
const swapOnly = (isPerpetual: boolean) =>
  isPerpetual
    ? {}
    : { warning: "long and short act on the pair's perpetual: send buy and sell for its spot market" }
