// What was gathered for a comparison, as JSON for another process: rows in parts of bounded size, so that writing one
// never holds the event loop for long, and everything else.
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { AlertType, Extras, Reason } from "../../domain/Alert.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { Fill } from "../../domain/Fill.ts"
import * as FillModel from "../../domain/fills/FillModel.ts"
import { optional } from "../../domain/internal/Optional.ts"
import { Pair } from "../../domain/Market.ts"
import { Order, OrderStatus } from "../../domain/Order.ts"
import { Settings } from "../../domain/Strategy.ts"
import { StrategyId } from "../../domain/StrategyId.ts"
import { Trade } from "../../domain/Trade.ts"
import type { Gathered } from "./Gathering.ts"

/** Rows of each kind in one part. */
const MAX_ROWS = 100

const Stretches = Schema.Array(Schema.Struct({ from: Schema.Number, until: Schema.Number }))

const TimedAlert = Schema.Struct({
  type: AlertType,
  pair: Pair,
  tp: optional(Schema.Number),
  sl: optional(Schema.Number),
  foreign: optional(Schema.Literal(true)),
  place: optional(Schema.Int),
  at: Schema.Number,
  ...Extras.fields
})

/** A part of the rows. The receiver uses all parts together, in their sequence. */
const Rows = Schema.Struct({
  trades: Schema.Array(Trade),
  orders: Schema.Array(Schema.Struct({ order: Order, status: OrderStatus, fills: Schema.Array(Fill) })),
  alerts: Schema.Array(
    Schema.Struct({ id: Schema.Int, alert: TimedAlert, actedAt: Schema.Number, reason: Reason })
  )
})
type Rows = typeof Rows.Type

/** Everything but the rows, and how the server fills paper orders. */
const Terms = Schema.Struct({
  strategy: Schema.Struct({ id: StrategyId, createdAt: Schema.Number }),
  isLive: Schema.Boolean,
  period: Schema.Int,
  periodFrom: Schema.Number,
  wantedFrom: Schema.Number,
  from: Schema.Number,
  until: Schema.Number,
  settings: Settings,
  past: Schema.Array(Schema.Struct({ settings: Settings, until: Schema.Number })),
  balance: Decimal.Text,
  halts: Stretches,
  outages: Stretches,
  unknownChanges: Schema.Array(Schema.Number),
  fills: optional(FillModel.FillModelDocument)
})

const rows = {
  encode: Schema.encodeSync(Schema.parseJson(Rows)),
  decode: Schema.decodeSync(Schema.parseJson(Rows))
}
const terms = {
  encode: Schema.encodeSync(Schema.parseJson(Terms)),
  decode: Schema.decodeSync(Schema.parseJson(Terms))
}

/** The parts of the rows, each written when it is taken. */
export function* partsOf({ alerts, orders, trades }: Rows): Generator<string> {
  const most = Math.max(alerts.length, orders.length, trades.length)
  for (let at = 0; at < most; at += MAX_ROWS) {
    const part = <A>(all: ReadonlyArray<A>) => all.slice(at, at + MAX_ROWS)
    yield rows.encode({ alerts: part(alerts), orders: part(orders), trades: part(trades) })
  }
}

/** Everything but the rows. */
export const termsOf = (
  { alerts: _, orders: __, trades: ___, strategy: { createdAt, id }, ...rest }: Gathered,
  fillModel: FillModel.FillModel | undefined
): string =>
  terms.encode({
    ...rest,
    strategy: { id, createdAt },
    ...(fillModel === undefined ? {} : { fills: FillModel.documentOf(fillModel) })
  })

/** What was gathered, from its terms and all parts of its rows, and the fill model. */
export const read = (
  text: string,
  parts: ReadonlyArray<string>
): { readonly gathered: Gathered; readonly fillModel: FillModel.FillModel | undefined } => {
  const { fills, ...rest } = terms.decode(text)
  const found = parts.map((part) => rows.decode(part))
  return {
    gathered: {
      ...rest,
      alerts: found.flatMap(({ alerts }) => alerts),
      orders: found.flatMap(({ orders }) => orders),
      trades: found.flatMap(({ trades }) => trades)
    },
    fillModel: fills && Either.getOrThrow(FillModel.ofDocument(fills))
  }
}
