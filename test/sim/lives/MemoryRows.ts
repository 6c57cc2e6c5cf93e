// The rows of lives in memory, which outlive the engine.
import { type Context, Effect, Layer, type Scope } from "effect"
import * as Memory from "../../../src/Memory.ts"
import { ExchangeAccounts } from "../../../src/services/ExchangeAccounts.ts"
import { Orders } from "../../../src/services/money/Orders.ts"
import { Portfolio } from "../../../src/services/Portfolio.ts"
import { MemoryState } from "../../../src/services/records/MemoryState.ts"
import type { Storage } from "./Storage.ts"

/** More rows than a life has. */
const ALL = { limit: 1_000_000 }

const kept = Layer.provideMerge(Layer.merge(ExchangeAccounts.layerMemory, Orders.layerMemory), Memory.ports)
type Kept = Layer.Layer.Success<typeof kept>

/** Rows in memory for as long as the scope lives. */
export const open: Effect.Effect<Storage, never, Scope.Scope> = Effect.map(Layer.build(kept), (context) => ({
  ports: Layer.succeedContext(context),
  rows: rowsOf(context),
  unrest: undefined,
  flaws: () => Promise.resolve([])
}))

const rowsOf = (context: Context.Context<Kept>): Storage["rows"] => {
  const read = <A>(effect: Effect.Effect<A, never, Kept>): A =>
    Effect.runSync(Effect.provide(effect, context))
  return {
    state: (strategy) => read(Effect.flatMap(Portfolio, (it) => it.bot(strategy)))?.state,
    orders: (strategy) => read(Effect.flatMap(Orders, (orders) => orders.page(strategy, ALL))).toReversed(),
    trades: (strategy) =>
      read(Effect.flatMap(Portfolio, (it) => it.trades(strategy, ALL))).map(({ trade }) => trade),
    outcomes: (strategy) =>
      [...read(MemoryState).outcomes.values()].filter(({ strategyId }) => strategyId === strategy),
    notes: (of) =>
      read(MemoryState)
        .timeline.filter(({ strategy }) => strategy === of)
        .map(({ note }) => note),
    ledger: (strategy) => read(Effect.flatMap(Portfolio, (it) => it.ledger(strategy))),
    alerts: (signal) => read(MemoryState).alerts.filter(({ signalId }) => signalId === signal).length,
    latest: () => Array.from(read(MemoryState).orders.values(), ({ order }) => order)
  }
}
