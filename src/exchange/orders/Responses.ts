// Reads orders and trades from ccxt's answers. A trade without its fee or amount makes the whole answer unreadable: it
// is too early to report.
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { fieldOf } from "../../ccxt/Field.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { lazily } from "../../domain/internal/Lazily.ts"
import { Figure } from "./Figure.ts"

/** The used part of an order report. Amounts in the exchange's units. */
export interface OrderResponse {
  readonly id: string
  readonly status: "open" | "closed" | "canceled" | "expired" | "rejected" | undefined
  readonly filled: Decimal.Decimal | undefined
  /** The whole report, to find what a stop became. */
  readonly whole: unknown
}

/** One trade of an order. */
export interface TradeResponse {
  readonly id: string
  readonly price: Decimal.Decimal
  readonly amount: Decimal.Decimal
  readonly at: number
  readonly fees: ReadonlyArray<{ readonly asset: string; readonly cost: Decimal.Decimal }>
}

const Maybe = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullishOr(schema))
const Id = Schema.NonEmptyString

const Order = Schema.Struct({
  id: Id,
  clientOrderId: Maybe(Schema.String),
  status: Maybe(Schema.String),
  filled: Maybe(Figure)
})
const decodeOrder = lazily(() => Schema.decodeUnknownOption(Order))

const Fee = Schema.Struct({ cost: Figure, currency: Schema.NonEmptyString })
const Trade = Schema.Struct({
  id: Id,
  order: Id,
  price: Figure,
  amount: Figure,
  timestamp: Schema.Number.pipe(Schema.positive()),
  fee: Maybe(Schema.Unknown),
  fees: Maybe(Schema.Array(Schema.Unknown))
})
const decodeTrade = lazily(() => Schema.decodeUnknownEither(Trade))
const decodeFee = lazily(() => Schema.decodeUnknownOption(Fee))

/** The client order id that is looked for, and the fields of the raw `info` that may have it (see `Dialect`). */
export interface OrderQuery {
  readonly clientId: string
  readonly clientIdFields: ReadonlyArray<string>
}

/**
 * The order with this client order id in an answer or list; a single answer without an id is the order asked for. Any
 * order if no id is given.
 */
export const orderIn = (answer: unknown, query?: OrderQuery): OrderResponse | undefined => {
  const isList = Array.isArray(answer)
  const all: ReadonlyArray<unknown> = isList ? answer : [answer]
  // The latest one, in case an id was used again.
  for (const whole of all.toReversed()) {
    const read = decodeOrder(whole)
    if (Option.isNone(read)) continue
    const { filled, id, status } = read.value
    if (query !== undefined) {
      const clientId = clientIdIn(whole, query.clientIdFields)
      if (clientId === undefined ? isList : clientId !== query.clientId) continue
    }
    return { id, status: STATES.find((state) => state === status), filled: filled ?? undefined, whole }
  }
  return undefined
}

const STATES = ["open", "closed", "canceled", "expired", "rejected"] as const

/** The client order id of an order; ccxt leaves some under the exchange's own `fields`. */
const clientIdIn = (order: unknown, fields: ReadonlyArray<string>): string | undefined => {
  const info = fieldOf(order, "info")
  const names = [fieldOf(order, "clientOrderId"), ...fields.map((name) => fieldOf(info, name))]
  return names.find((name): name is string => typeof name === "string" && name !== "")
}

/** The trades of an order, each once; undefined if one is unreadable or lacks its fee. */
export const tradesOf = (answer: unknown, order: string): ReadonlyArray<TradeResponse> | undefined => {
  if (!Array.isArray(answer)) return undefined
  const trades = new Map<string, TradeResponse>()
  for (const whole of answer) {
    if (String(fieldOf(whole, "order")) !== order) continue
    const read = decodeTrade(whole)
    if (Either.isLeft(read)) return undefined
    const { amount, fee, fees, id, price, timestamp } = read.right
    const listed = fees === undefined || fees === null || fees.length === 0 ? [fee] : fees
    const known = listed.map((each) => decodeFee(each))
    if (known.some(Option.isNone) || !Decimal.isPositive(price) || !Decimal.isPositive(amount))
      return undefined
    // For some exchanges ccxt fills in the usual fee asset; the exchange's own field overrides it.
    const feeCurrency = fieldOf(fieldOf(whole, "info"), "feeCurrency")
    const assetOf = (currency: string) =>
      (typeof feeCurrency === "string" && feeCurrency !== "" ? feeCurrency : currency).toUpperCase()
    trades.set(id, {
      ...{ id, price, amount, at: Math.trunc(timestamp) },
      fees: known.flatMap(Option.toArray).map(({ cost, currency }) => ({ asset: assetOf(currency), cost }))
    })
  }
  return [...trades.values()]
}
