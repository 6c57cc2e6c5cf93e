import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { fieldOf } from "../../ccxt/Failure.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { Figure } from "./Figure.ts"

/** What the library makes of what an exchange tells of an order, as far as it is used. Amounts as they were sent. */
export interface OrderResponse {
  readonly id: string
  readonly status: "open" | "closed" | "canceled" | "expired" | "rejected" | undefined
  readonly filled: Decimal.Decimal | undefined
  /** All of it, to ask what it became. */
  readonly whole: unknown
}

/** A part of an order that was traded. */
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
const decodeOrder = Schema.decodeUnknownOption(Order)

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
const decodeTrade = Schema.decodeUnknownEither(Trade)
const decodeFee = Schema.decodeUnknownOption(Fee)

/**
 * The order of an answer, or of a list of them, that has the client's id; one that tells none is what was asked for.
 * Any order where no id is given.
 */
export const orderIn = (answer: unknown, clientId?: string): OrderResponse | undefined => {
  const isList = Array.isArray(answer)
  const all: ReadonlyArray<unknown> = isList ? answer : [answer]
  // The latest one, where an id could be used again.
  for (const whole of all.toReversed()) {
    const read = decodeOrder(whole)
    if (Option.isNone(read)) continue
    const { filled, id, status } = read.value
    const name = nameOf(whole)
    const isOther = name === undefined ? isList : name !== clientId
    if (clientId !== undefined && isOther) continue
    return { id, status: STATES.find((state) => state === status), filled: filled ?? undefined, whole }
  }
  return undefined
}

const STATES = ["open", "closed", "canceled", "expired", "rejected"] as const

/** The client's id has other names in orders that wait for a price. */
const nameOf = (order: unknown): string | undefined => {
  const info = fieldOf(order, "info")
  const names = [fieldOf(order, "clientOrderId"), ...NAMES.map((name) => fieldOf(info, name))]
  return names.find((name): name is string => typeof name === "string" && name !== "")
}
const NAMES = ["clientOrderId", "cl_ord_id", "algoClOrdId", "clientAlgoId", "clientOid"]

/**
 * The trades of an order, each once; undefined where one cannot be read, or says not what was paid for it: then it is
 * too early to tell.
 */
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
    // The library takes bybit's fees for those that are usual, whatever the exchange says.
    const said = fieldOf(fieldOf(whole, "info"), "feeCurrency")
    const assetOf = (currency: string) =>
      (typeof said === "string" && said !== "" ? said : currency).toUpperCase()
    trades.set(id, {
      ...{ id, price, amount, at: Math.trunc(timestamp) },
      fees: known.flatMap(Option.toArray).map(({ cost, currency }) => ({ asset: assetOf(currency), cost }))
    })
  }
  return [...trades.values()]
}
