// A validation rule of your own: no strategy without a stop loss. It stands beside the rules of the interface, binds
// creations and updates alike, and is told to callers like all others.
import assert from "node:assert/strict"
import { Effect, Option } from "effect"
import { Memory, Validation } from "signalbox"
import { violation } from "signalbox/domain/requests/Violations"
import type { Rule } from "signalbox/trading/StrategyRules"
import { begin } from "./lib/trader.ts"

const stopLossRequired: Rule = ({ reading }) =>
  Option.exists(reading.settings, ({ stopLoss }) => stopLoss === undefined)
    ? [violation("stop_loss", "must be switched on: this house trades with a net")]
    : []

const server = Memory.layerWith(Validation.with(stopLossRequired))

const refused = begin().pipe(Effect.flip, Effect.provide(server))
const taken = begin({ stop_loss: true, stop_loss_percentage: 5 }).pipe(Effect.provide(server))

const violations = await Effect.runPromise(refused)
assert.match(violations.message, /^stop_loss must be switched on/)
const { strategy } = await Effect.runPromise(taken)
console.log(`refused: "${violations.message}"; with a stop loss it is strategy ${strategy}`)
