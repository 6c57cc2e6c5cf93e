// Performance figures of your own, read from what is kept of each strategy's trades: they are kept up with each trade
// at no cost, and shown as `performance.extra` wherever a strategy is shown.
import assert from "node:assert/strict"
import { Effect } from "effect"
import { Memory, Performance } from "signalbox"
import * as Decimal from "signalbox/domain/Decimal"
import type { Figure } from "signalbox/services/Performance"
import { trade } from "./lib/trader.ts"

/** What winning trades make for each that is paid in fees; none where nothing was paid. */
const profitPerFee: Figure = ({ fees, grossProfit }) =>
  Decimal.isZero(fees) ? null : Decimal.toNumber(Decimal.round(Decimal.divide(grossProfit, fees), 2))

const tradesPerDay: Figure = ({ count, createdAt }, today) =>
  count / Math.max(1, (today - createdAt) / 86_400_000)

const server = Memory.layerWith(
  Performance.with({ profit_per_fee: profitPerFee, trades_per_day: tradesPerDay })
)

const { performance } = await Effect.runPromise(trade(60_000, 61_000).pipe(Effect.provide(server)))
assert.equal(performance.summary.trade_count, 1)
assert.ok((performance.extra?.["profit_per_fee"] ?? 0) > 1)
assert.equal(performance.extra?.["trades_per_day"], 1)
console.log(`own figures: ${JSON.stringify(performance.extra)}`)
