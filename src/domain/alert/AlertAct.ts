// What an alert asks for: one of our types, out of whatever its fields say.
import * as Either from "effect/Either"
import type { AlertType } from "../Alert.ts"
import { type Violation, violation } from "../requests/Violations.ts"
import * as AlertBeside from "./AlertBeside.ts"
import * as AlertMove from "./AlertMove.ts"
import { first, type Named, type Names, NONE } from "./AlertNames.ts"
import * as AlertPosition from "./AlertPosition.ts"
import * as AlertWords from "./AlertWords.ts"

type Read = Either.Either<AlertMove.Act, Violation>

/** The type that a field `type` names outright. A buy beside a position that says it covers a short is refused. */
export const outright = (names: Names, type: AlertType): Read =>
  type === "buy" && names !== NONE && AlertMove.isCover(names)
    ? Either.left(violation("type", COVERS))
    : Either.right({ type, from: "type" })

const COVERS =
  "says buy, but the position beside it tells that a short was bought back: call an order's direction action, not type"

/** What an alert's words ask for, which `type` alone did not: first what is said outright, then what a strategy's position tells. */
export const read = (names: Names, isPerpetual: boolean): Read => {
  if (names.isCut) return Either.left(violation("type", CUT))
  const said = wordOf(names)
  if (said === undefined) return moved(names, undefined, isPerpetual)
  const { name, value } = said
  if (isContested(names, said))
    return Either.left(violation(name, "is given more than once, and differently"))
  const type = AlertWords.exact(value)
  // Only an order's direction has to be told apart by what the strategy holds: the rest says it outright.
  if (type === "buy" || type === "sell")
    return name === "type" ? outright(names, type) : moved(names, { name, type }, isPerpetual)
  if (type !== undefined) return Either.right({ type, from: name })
  const word = AlertWords.read(value)
  if (word === undefined) return Either.left(violation(name, AlertWords.errorOf(value)))
  return word._tag === "Type"
    ? Either.right({ type: word.type, from: name, ...swapOnly(isPerpetual) })
    : opened(names, name, word, isPerpetual)
}

const CUT =
  "is required: the message holds more fields, or more deeply nested ones, than are read, so add it outside of them"

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
  return found?.name === "type" && isOrderKind(found.value)
    ? (first(names, ACTIONS.slice(1)) ?? found)
    : found
}

/** Whether a value is the kind of an order, and asks for nothing. */
export const isOrderKind = (value: unknown): boolean =>
  typeof value === "string" && ORDERS.has(AlertWords.spelled(value))

/** Whether the field stands there again, further in, with another word. */
const isContested = (names: Names, { name, value }: Named): boolean =>
  names.all.some((other) => other.name === name && other.value !== value)

/** What the strategy's position makes of an order, or else the fields beside it; where none tells, the order is what it says. */
const moved = (
  names: Names,
  order: { readonly name: string; readonly type: AlertMove.Order } | undefined,
  isPerpetual: boolean
): Read =>
  Either.gen(function* () {
    const position = yield* AlertPosition.read(names)
    if (position !== undefined) return yield* AlertMove.typeOf(position, order?.type, isPerpetual)
    if (order === undefined)
      return yield* Either.left(
        violation(
          "type",
          names.byName.has("bot_id") ? NAMES_A_BOT : `is required: it ${AlertWords.TYPES_TEXT}`
        )
      )
    const beside = yield* AlertBeside.read(names, order)
    if (beside === undefined) return { type: order.type, from: order.name }
    const act = yield* AlertMove.actOf(beside.step, beside.name, isPerpetual)
    return act.type === order.type ? { ...act, from: order.name } : act
  })

const NAMES_A_BOT =
  "is required: the message names a bot of another service, not what to do: add type and symbol to it"

const SIDES = ["side", "direction", "position_side", "position"] as const
const ORDER_NAMES = ["action", "order_action", "order_side", "signal"] as const

/** Opening or closing, of the side that another field names, or that the strategy's position tells. */
const opened = (names: Names, name: string, { _tag }: AlertWords.Word, isPerpetual: boolean): Read => {
  if (_tag === "Switch") return Either.left(violation(name, SWITCHES))
  const isClose = _tag === "Close"
  const side = first(
    names,
    SIDES.filter((it) => it !== name)
  )?.value
  const text = typeof side === "string" ? AlertWords.spelled(side) : ""
  if (text === "long" || text === "short") {
    const type = isClose ? (`close_${text}` as const) : text
    return Either.right({ type, from: name, ...swapOnly(isPerpetual) })
  }
  const position = AlertPosition.read(names)
  if (Either.isLeft(position)) return Either.left(position.left)
  if (position.right !== undefined) return AlertMove.typeOf(position.right, undefined, isPerpetual)
  if (isPerpetual) return Either.left(violation(name, isClose ? WHICH_TO_CLOSE : WHICH_TO_OPEN))
  if (isClose) return Either.right({ type: "sell", from: name, warning: CLOSES_SPOT })
  const order =
    text === ""
      ? first(
          names,
          ORDER_NAMES.filter((it) => it !== name)
        )?.value
      : text
  return order === undefined || AlertWords.exact(order) === "buy"
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
