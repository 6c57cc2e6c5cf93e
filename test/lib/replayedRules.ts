// A server in memory with rules, to which candles are played: the alerts that its journal holds then.
import { Effect, Layer, Option } from "effect"
import type { AccountId } from "../../src/domain/Account.ts"
import { originOf } from "../../src/domain/alert/RuleOrigin.ts"
import type { Columns } from "../../src/domain/candles/CandleFile.ts"
import { Pair } from "../../src/domain/Market.ts"
import type { SignalId } from "../../src/domain/Signal.ts"
import type { RuleDocument } from "../../src/domain/signalRule/RuleDocument.ts"
import * as Memory from "../../src/Memory.ts"
import { moments } from "../../src/prices/Replay.ts"
import * as ReplayClock from "../../src/prices/ReplayClock.ts"
import { Journal } from "../../src/services/Journal.ts"
import { PriceFeed } from "../../src/services/PriceFeed.ts"
import { RuleDesk } from "../../src/services/rules/RuleDesk.ts"
import { Signals } from "../../src/services/Signals.ts"
import { signalDraft } from "../../src/testing/Fixtures.ts"
import { ENDLESS_PATIENCE } from "../../src/trading/AlertPatience.ts"
import { sender } from "../services/ports.ts"
import * as Flow from "./flow.ts"

const MINUTE = 60_000

/** Plays the candles of BTC/USDT at binance to a server with rules; the alerts of each rule, oldest first. */
export const replayed = (columns: Columns, rules: ReadonlyArray<RuleDocument>) => {
  const begin = columns.at[0] ?? 0
  const clock = ReplayClock.make(begin - MINUTE, 1)
  return Effect.gen(function* () {
    const { account } = yield* sender("ann")
    const signals = yield* withRules(account, rules)
    yield* (yield* RuleDesk).sync
    const feed = yield* PriceFeed
    const recording = { exchange: "binance", pair: Pair.make("BTC/USDT"), columns } as const
    for (const { at, events } of moments([recording])) {
      clock.moveTo(at, at)
      clock.begin(at)
      yield* feed.publish(events)
    }
    yield* Flow.caughtUp
    return yield* raisedBy(account, signals)
  }).pipe(
    Effect.provide(
      Memory.layer({ patience: ENDLESS_PATIENCE }).pipe(Layer.provideMerge(Layer.setClock(clock)))
    )
  )
}

/** Signals of an account, each with one of the rules. */
export const withRules = (account: AccountId, rules: ReadonlyArray<RuleDocument>) =>
  Effect.flatMap(Signals, (signals) =>
    Effect.forEach(rules, (rule) =>
      Effect.map(signals.create(account, signalDraft({ rule })), ({ id }) => id)
    )
  )

/** The alerts of each signal, oldest first, with what its rule says of it. */
export const raisedBy = Effect.fnUntraced(function* (account: AccountId, signals: ReadonlyArray<SignalId>) {
  const journal = yield* Journal
  const alerts = (yield* journal.list(account, { limit: 1_000_000 })).toReversed()
  const incoming = yield* journal.incoming(
    account,
    alerts.map(({ id }) => id)
  )
  const all = alerts.map((alert) => ({
    alert,
    origin: Option.getOrThrow(originOf(incoming.get(alert.id)?.body ?? ""))
  }))
  return signals.map((signal) => all.filter(({ alert }) => alert.signalId === signal))
})
