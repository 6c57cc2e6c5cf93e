import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type { AccountId } from "../domain/Account.ts"
import type { StrategyNotFound } from "../domain/Strategy.ts"
import type { StrategyId } from "../domain/StrategyId.ts"
import { isFlat as isStateFlat } from "../trading/Bot.ts"
import { contextOf } from "./engine/Context.ts"
import * as Desk from "./engine/Desk.ts"
import { lastPrices, priced } from "./engine/Pricing.ts"
import * as Start from "./engine/Start.ts"
import { Journal } from "./Journal.ts"
import { StrategyStore } from "./StrategyStore.ts"
import { Tickers } from "./Tickers.ts"

/**
 * The engine: one bot for each strategy, driven by alerts, prices and time. A bot comes to be with the first alert
 * that concerns its strategy. Starting is recovering: it takes up the journal where its cursor stands.
 */
export class Bots extends Context.Tag("signalbox/services/Bots")<
  Bots,
  {
    /** New settings act at once: ends when the bot has taken them in. */
    readonly changed: (account: AccountId, strategy: StrategyId) => Effect.Effect<void, StrategyNotFound>
    /** Closes what the bot holds at the last price, ends it, and deletes the strategy. */
    readonly end: (account: AccountId, strategy: number) => Effect.Effect<void, StrategyNotFound>
    /** Whether the bot holds, awaits and has ordered nothing. */
    readonly isFlat: (strategy: StrategyId) => Effect.Effect<boolean>
    /** Ends when every alert that was on disk at the call has an outcome or waits for a price. */
    readonly caughtUp: Effect.Effect<void>
  }
>() {
  static readonly layer = (options: Desk.Options) => Layer.scoped(Bots, make(options))
}

/** How often the time itself is looked at, and how often moved trails are stored. */
const TICK_MS = 100
const SAVE_MS = 1000
/** Alerts taken from the journal at a time. */
const BATCH = 500

const make = Effect.fnUntraced(function* (options: Desk.Options) {
  const store = yield* StrategyStore
  const journal = yield* Journal
  const tickers = yield* Tickers
  const desk = yield* Desk.make(options)
  const turn = (yield* Effect.makeSemaphore(1)).withPermits(1)
  yield* Start.load(desk)

  /**
   * Takes in the alerts beyond the cursor. An alert is stored with what all its followers made of it in one commit,
   * so that none is judged twice or left out, whenever we are killed.
   */
  const drain = Effect.gen(function* () {
    for (;;) {
      const alerts = yield* journal.since(desk.cursor(), BATCH)
      if (alerts.length === 0) return yield* desk.settle()
      const contextFor = yield* desk.present
      for (const alert of alerts) {
        const followers = yield* store.followers(alert.signalId)
        for (const strategy of followers) {
          const bot = desk.botOf(strategy, alert.receivedAt)
          desk.engine.judge(bot, alert, contextFor(bot))
        }
        desk.advance(alert.id)
        if (desk.engine.hasOrders()) yield* desk.settle()
      }
    }
  })

  const changed = Effect.fn("Bots.changed")(function* (account: AccountId, id: StrategyId) {
    yield* drain
    const strategy = yield* store.get(account, id)
    const bot = Option.getOrUndefined(desk.roster.get(id))
    if (bot === undefined) return
    bot.strategy = strategy
    if (bot.record.state.quote !== strategy.settings.quote) {
      desk.restart(bot, yield* Clock.currentTimeMillis)
    }
    const context = (yield* desk.present)(bot)
    desk.engine.tell(bot, { _tag: "SettingsChanged" }, context)
    desk.engine.retry(bot, context)
    yield* desk.settle()
  }, turn)

  const end = Effect.fn("Bots.end")(function* (account: AccountId, id: number) {
    yield* drain
    const strategy = yield* store.get(account, id)
    const bot = Option.getOrUndefined(desk.roster.get(strategy.id))
    if (bot !== undefined) {
      const now = yield* Clock.currentTimeMillis
      const context = contextOf(bot, yield* desk.catalogue, lastPrices(desk, bot, now), now)
      desk.engine.dismiss(bot, context)
      desk.engine.tell(bot, { _tag: "Ended" }, context)
      yield* desk.settle(() => context)
      desk.roster.delete(strategy.id)
    }
    yield* store.remove(account, id)
  }, turn)

  const isFlat = (id: StrategyId) =>
    Effect.sync(() =>
      Option.match(desk.roster.get(id), {
        onNone: () => true,
        onSome: ({ record }) => isStateFlat(record.state)
      })
    )

  const price = priced(desk)
  const followPrices = Effect.flatMap(tickers.next, (events) =>
    turn(Effect.zipRight(drain, Effect.forEach(events, price, { discard: true })))
  )

  /** Waits that are over, and deadlines of rules. Looks at every bot, and asks only those whose time has come. */
  const followTime = turn(
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const due = [...desk.roster.all()].filter(({ wakesAt }) => wakesAt <= now)
      if (due.length === 0) return
      const contextFor = yield* desk.present
      for (const bot of due) {
        const context = contextFor(bot)
        desk.engine.retry(bot, context)
        desk.engine.tell(bot, { _tag: "Time" }, context)
      }
      yield* desk.settle()
    })
  )

  const saveTrails = turn(
    Effect.gen(function* () {
      desk.engine.save(yield* Clock.currentTimeMillis)
      yield* desk.settle()
    })
  )

  const caughtUp = turn(drain)
  yield* Effect.forkScoped(Effect.forever(Effect.zipRight(caughtUp, journal.arrival)))
  yield* Effect.forkScoped(Effect.forever(followPrices))
  yield* Effect.forkScoped(Effect.repeat(followTime, Schedule.spaced(TICK_MS)))
  yield* Effect.forkScoped(Effect.repeat(saveTrails, Schedule.spaced(SAVE_MS)))
  yield* Effect.addFinalizer(() => saveTrails)

  return { changed, end, isFlat, caughtUp }
})
