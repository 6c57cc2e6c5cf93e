// Decides the type of an alert from its fields: first an explicit type or word, then the position of the chart's
// strategy, then the fields beside an order. Contradicting fields are refused, never guessed.
import * as Either from "effect/Either"
import type { AlertType } from "../Alert.ts"
import { type Violation, violation } from "../requests/Violations.ts"
import { first, type Named, type Names, NONE } from "./AlertNames.ts"
import * as AlertWords from "./AlertWords.ts"
import * as OrderSide from "./OrderSide.ts"
import * as PositionChange from "./PositionChange.ts"
import * as StatedPosition from "./StatedPosition.ts"

type Read = Either.Either<PositionChange.Act, Violation>

/**
 * The alert type that a field `type` names. Senders fill the direction of the chart's order into it: beside a position,
 * `buy` and `sell` are read as that direction.
 */
export const outright = (names: Names, type: AlertType, isPerpetual: boolean): Read => {
  const plain = { type, from: "type" }
  if ((type !== "buy" && type !== "sell") || names === NONE) return Either.right(plain)
  const stated = names.isCut ? undefined : statedIn(names)
  if (stated !== undefined) return follow(stated, { name: "type", type, order: type }, isPerpetual)
  return type === "buy" && PositionChange.isCover(names)
    ? Either.left(violation("type", COVERS))
    : Either.right(plain)
}

/** What the chart holds now, under a name that can mean nothing else. */
const statedIn = (names: Names): StatedPosition.StatedPosition | undefined =>
  Either.match(StatedPosition.read(names), {
    onLeft: () => undefined,
    onRight: (position) => (position?.isSure === true ? position : undefined)
  })

/** What a word says: its type, and the direction of the chart's order. */
interface Said {
  readonly name: string
  readonly type: AlertType
  readonly order: PositionChange.Order
}

/** The type that follows from a stated position; a word that says another is told. */
const follow = (
  position: StatedPosition.StatedPosition,
  { name, order, type }: Said,
  isPerpetual: boolean
): Read =>
  Either.map(PositionChange.typeOf(position, order, isPerpetual), (act) =>
    act.type === type || type === order ? act : { ...act, warning: `${name} ${DECIDED}` }
  )

const DECIDED = "says something else than the position beside it, which decided"

const COVERS =
  "says buy, but the position beside it says that a short was covered: send an order's direction as action, not type"

/** The direction of the chart's order behind a type. */
const ORDER_OF: Readonly<Record<AlertType, PositionChange.Order>> = {
  buy: "buy",
  sell: "sell",
  long: "buy",
  short: "sell",
  close_long: "sell",
  close_short: "buy"
}

/** The alert type behind other words: first an explicit one, then the one that the strategy's position implies. */
export const read = (names: Names, isPerpetual: boolean): Read => {
  if (names.isCut) return Either.left(violation("type", CUT))
  const typeWord = wordOf(names)
  if (typeWord === undefined) return moved(names, undefined, isPerpetual)
  const { name, value } = typeWord
  if (isContested(names, typeWord))
    return Either.left(violation(name, "is given more than once, with different values"))
  const type = AlertWords.exact(value)
  // An order's direction alone does not tell opening from closing; the strategy's position does.
  if (type === "buy" || type === "sell")
    return name === "type" ? outright(names, type, isPerpetual) : moved(names, { name, type }, isPerpetual)
  if (type !== undefined) return worded(names, { type, from: name }, isPerpetual)
  const word = AlertWords.read(value)
  if (word === undefined) return Either.left(violation(name, AlertWords.errorOf(value)))
  return word._tag === "Type"
    ? worded(names, { type: word.type, from: name, ...swapOnly(isPerpetual) }, isPerpetual)
    : opened(names, name, word, isPerpetual)
}

/** The type of a word, unless the message states what the chart holds now. Our own `type` wins over both. */
const worded = (names: Names, act: PositionChange.Act, isPerpetual: boolean): Read => {
  const stated = act.from === "type" ? undefined : statedIn(names)
  return stated === undefined
    ? Either.right(act)
    : follow(stated, { name: act.from, type: act.type, order: ORDER_OF[act.type] }, isPerpetual)
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
/** Kinds of orders, which other services send under the name `type`. */
const ORDERS: ReadonlySet<string> = new Set(["limit", "market", "stop", "stop_limit", "stop_market"])

const wordOf = (names: Names): Named | undefined => {
  const found = first(names, ACTIONS)
  return found?.name === "type" && isOrderKind(found.value)
    ? (first(names, ACTIONS.slice(1)) ?? found)
    : found
}

/** Whether a value is the kind of an order rather than an alert type. */
export const isOrderKind = (value: unknown): boolean =>
  typeof value === "string" && ORDERS.has(AlertWords.spelled(value))

/** Whether a nested field of the same name has another value. */
const isContested = (names: Names, { name, value }: Named): boolean =>
  names.all.some((other) => other.name === name && other.value !== value)

/**
 * The type that the strategy's position makes of an order, else the fields beside it; without either the order's own
 * direction.
 */
const moved = (
  names: Names,
  order: { readonly name: string; readonly type: PositionChange.Order } | undefined,
  isPerpetual: boolean
): Read =>
  Either.gen(function* () {
    const position = yield* StatedPosition.read(names)
    if (position !== undefined) return yield* PositionChange.typeOf(position, order?.type, isPerpetual)
    if (order === undefined)
      return yield* Either.left(
        violation(
          "type",
          names.byName.has("bot_id") ? NAMES_A_BOT : `is required: it ${AlertWords.TYPES_TEXT}`
        )
      )
    const beside = yield* OrderSide.read(names, order)
    if (beside === undefined) return { type: order.type, from: order.name }
    const act = yield* PositionChange.actOf(beside.step, beside.name, isPerpetual)
    return act.type === order.type ? { ...act, from: order.name } : act
  })

const NAMES_A_BOT =
  "is required: the message names a bot of another service, not what to do: add type and symbol to it"

const SIDES = ["side", "direction", "position_side", "position"] as const
const ORDER_NAMES = ["action", "order_action", "order_side", "signal"] as const

/** Opening or closing a position whose side another field or the strategy's position names. */
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
  const position = StatedPosition.read(names)
  if (Either.isLeft(position)) return Either.left(position.left)
  if (position.right !== undefined) return PositionChange.typeOf(position.right, undefined, isPerpetual)
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

/** A warning for foreign words with a symbol that does not look like a perpetual. */
const swapOnly = (isPerpetual: boolean) =>
  isPerpetual
    ? {}
    : { warning: "long and short act on the pair's perpetual: send buy and sell for its spot market" }
