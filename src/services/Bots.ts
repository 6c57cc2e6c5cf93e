import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AccountId, Identity } from "../domain/Account.ts"
import { type Alert, AlertId, type Instruction } from "../domain/Alert.ts"
import type { ArmedTerms } from "../domain/Live.ts"
import type { SignalId } from "../domain/Signal.ts"
import { type Strategy, StrategyBusy, type StrategyNotFound } from "../domain/Strategy.ts"
import type { StrategyId } from "../domain/StrategyId.ts"
import { hasInFlight, isFlat as isStateFlat } from "../trading/Bot.ts"
import * as Astray from "./engine/Astray.ts"
import { contextOf } from "./engine/Context.ts"
import * as Deadlines from "./engine/Deadlines.ts"
import * as Desk from "./engine/Desk.ts"
import { follow } from "./engine/Following.ts"
import * as Money from "./engine/Money.ts"
import * as Observer from "./engine/Observer.ts"
import * as Preview from "./engine/Preview.ts"
import { lastPrices, priced } from "./engine/Pricing.ts"
import * as Standings from "./engine/Standings.ts"
import * as Start from "./engine/Start.ts"
import * as Watching from "./engine/Watching.ts"
import { alertOf, Journal } from "./Journal.ts"
import { Meters } from "./Meters.ts"
import { Performance } from "./Performance.ts"
import { StorageUnavailable } from "./StorageUnavailable.ts"
import { StrategyStore } from "./StrategyStore.ts"
import { Tickers } from "./Tickers.ts"

/**
 * The engine: one bot for each strategy, driven by alerts, prices and time. A bot comes to be with the first alert
 * that concerns its strategy. Starting is recovering: it takes up the journal where its cursor stands.
 */
export class Bots extends Context.Tag("signalbox/services/Bots")<
  Bots,
  {
    /**
     * Changes a strategy's settings between two alerts: those that were on disk before are judged by what was before,
     * also should they be read again after a crash. Ends when the bot has taken the new ones in. Not to be used within
     * a transaction: it waits for commits of the engine.
     */
    readonly admit: <E>(change: Effect.Effect<Strategy, E>) => Effect.Effect<Strategy, E>
    /**
     * Closes what the bot holds at the last price, ends it, and deletes the strategy. Not before all is closed: what
     * becomes of an order in flight would be nobody's.
     */
    readonly end: (
      account: AccountId,
      strategy: number
    ) => Effect.Effect<void, StrategyNotFound | StrategyBusy>
    /**
     * What each of the sender's strategies that follow the signal would make of an alert now, by the bots' own
     * decisions on a copy of what they hold. Nothing is stored, ordered or changed.
     */
    readonly preview: (
      sender: Identity,
      instruction: Instruction
    ) => Effect.Effect<ReadonlyArray<Preview.Previewed>>
    /**
     * How these strategies stand at this moment, at the last prices; those whose bot has not begun are missing. At once:
     * nobody waits for the engine's turn, nor it for them.
     */
    readonly standings: (
      strategies: Iterable<StrategyId>
    ) => Effect.Effect<ReadonlyMap<StrategyId, Standings.Snapshot>>
    /** Whether the bot holds, awaits and has ordered nothing. */
    readonly isFlat: (strategy: StrategyId) => Effect.Effect<boolean>
    /**
     * Lets a flat bot trade with real money from now on; its performance begins anew. `StrategyBusy` where it is not
     * flat, trades with real money already, has alerts to judge or is not the strategy that was given any more.
     */
    readonly arm: (strategy: Strategy, terms: ArmedTerms) => Effect.Effect<void, StrategyBusy>
    /** Ends that: at once where the bot is flat, else when it is. */
    readonly disarm: (strategy: Strategy, how: Money.Leave) => Effect.Effect<void>
    /** How a bot stands between two events, also one that has not begun. */
    readonly stand: (strategy: Strategy) => Effect.Effect<Money.Stand>
    /** Ends when every alert that was on disk at the call has an outcome or waits for a price. */
    readonly caughtUp: Effect.Effect<void>
  }
>() {
  static readonly layer = (options: Desk.Options) => Layer.scoped(Bots, make(options))
}

/** How often what moved is stored, and orders in flight are asked about. */
const SAVE_MS = 1000
/** Alerts taken from the journal at a time. */
const BATCH = 500
/** For how long a request waits for the bots, which wait for the disk when it is full. */
const REQUEST_MS = 5000

const make = Effect.fnUntraced(function* (options: Desk.Options) {
  const store = yield* StrategyStore
  const journal = yield* Journal
  const tickers = yield* Tickers
  const { engine: meter } = yield* Meters
  const desk = yield* Desk.make(options)
  const semaphore = yield* Effect.makeSemaphore(1)

  /** One at a time, not before all that was decided before is stored, and under the halts in force. */
  const turn = <A, E, R>(self: Effect.Effect<A, E, R>) =>
    semaphore.withPermits(1)(Effect.zipRight(counted, self))
  const counted = Effect.suspend(() => {
    meter.turns++
    return Effect.zipRight(desk.settle(), desk.heed)
  })
  meter.reading = () => Observer.read(desk.roster.all(), desk.cursor(), desk.orders.unknown)
  const watching = yield* Watching.make(desk.needs, yield* Start.load(desk, turn, options))

  const before = yield* journal.last

  /** Some of what was on disk at the start may have been seen by those who followed then: the cursor is not always stored. */
  const follows = (strategy: Strategy, { id, receivedAt }: Alert): boolean =>
    id > before || strategy.createdAt * 1000 <= receivedAt

  /**
   * Takes in a batch of alerts beyond the cursor; how many there were. An alert is stored with what all its followers
   * made of it in one commit, so that none is judged twice or left out, whenever we are killed.
   */
  const takeSome = Effect.gen(function* () {
    const alerts = yield* journal.since(desk.cursor(), BATCH)
    const known = new Map<SignalId, ReadonlyArray<Strategy>>()
    for (const alert of alerts) {
      const followers = known.get(alert.signalId) ?? (yield* store.followers(alert.signalId))
      known.set(alert.signalId, followers)
      if (followers.length === 0) desk.advance(alert.id)
      else
        yield* judge(
          alert,
          followers.filter((it) => follows(it, alert))
        )
      // Not all at once: alerts are to be answered, and written, also while there are many to judge.
      if (desk.engine.isFull()) yield* Effect.zipRight(desk.settle(), Start.breathe)
    }
    yield* desk.settle()
    return alerts.length
  })

  /** Takes in all that was there at the call, and not what comes meanwhile: that may never end. */
  const drain = Effect.flatMap(journal.last, (last) =>
    Effect.repeat(takeSome, { until: (count) => count === 0 || desk.cursor() >= last })
  )

  /** Alerts act in their order: the next one sees what the one before has opened or closed. */
  const judge = Effect.fnUntraced(function* (alert: Alert, followers: ReadonlyArray<Strategy>) {
    const bots = followers.map((strategy) => desk.botOf(strategy, alert.receivedAt))
    if (bots.some(desk.engine.isSending)) yield* desk.settle()
    const contextFor = yield* desk.present
    for (const bot of bots) desk.engine.receive(bot, alert, contextFor(bot))
    // In one go with the judging: whoever drains may be interrupted, but not in between.
    desk.advance(alert.id)
  })

  const caughtUp = Effect.zipRight(drain, desk.settle(undefined, true))

  const admit = <E>(change: Effect.Effect<Strategy, E>): Effect.Effect<Strategy, E> =>
    Effect.gen(function* () {
      yield* caughtUp
      const strategy = yield* Effect.uninterruptible(Effect.tap(change, adopt))
      yield* desk.settle()
      return strategy
    }).pipe(turn, inTime, Effect.withSpan("Bots.admit"))

  /** New settings act at once. A strategy that is new has no bot yet. */
  const adopt = Effect.fnUntraced(function* (strategy: Strategy) {
    const bot = Option.getOrUndefined(desk.roster.get(strategy.id))
    if (bot === undefined) return
    bot.strategy = strategy
    desk.roster.reindex(bot)
    const now = yield* Clock.currentTimeMillis
    if (bot.record.state.quote !== strategy.settings.quote) desk.restart(bot, now)
    const context = (yield* desk.present)(bot)
    desk.engine.safely(bot, () => {
      desk.engine.readmit(bot, context)
      desk.engine.tell(bot, { _tag: "SettingsChanged" }, context)
      desk.engine.retry(bot, context)
    })
  })

  const end = Effect.fn("Bots.end")(
    function* (account: AccountId, id: number) {
      yield* drain
      const strategy = yield* store.get(account, id)
      const bot = Option.getOrUndefined(desk.roster.get(strategy.id))
      if (bot !== undefined) {
        // Real money is not sold by a deletion: that is what disarming is for.
        const isLive = bot.record.state.live !== undefined && !isStateFlat(bot.record.state)
        if (isLive || hasInFlight(bot.record.state)) return yield* new StrategyBusy({ isLive })
        const now = yield* Clock.currentTimeMillis
        const context = contextOf(bot, yield* desk.catalogue, lastPrices(desk, bot, now), now)
        desk.engine.safely(bot, () => {
          desk.engine.readmit(bot, context)
          desk.engine.dismiss(bot, context)
          desk.engine.tell(bot, { _tag: "Ended" }, context)
        })
        yield* desk.settle()
        if (!isStateFlat(bot.record.state)) return yield* new StrategyBusy()
      }
      yield* Effect.uninterruptible(
        Effect.tap(store.remove(account, id), () => desk.roster.delete(strategy.id))
      )
    },
    turn,
    inTime
  )

  const tried = Preview.make(desk, yield* Performance, options)
  const preview = Effect.fn("Bots.preview")(
    function* ({ account, token }: Identity, instruction: Instruction) {
      yield* drain
      const followers = yield* store.followers(instruction.signalId)
      const receivedAt = yield* Clock.currentTimeMillis
      const draft = { account, token, instruction, receivedAt, warnings: [] }
      // The next one: what is held now was opened before it.
      const alert = alertOf(draft, AlertId.make((yield* journal.last) + 1), "record")
      const own = followers.filter((strategy) => strategy.account === account)
      return yield* tried(alert, own, yield* desk.present)
    },
    turn,
    inTime
  )

  const isFlat = (id: StrategyId) =>
    Effect.sync(() => !Option.exists(desk.roster.get(id), ({ record }) => !isStateFlat(record.state)))

  const price = priced(desk)
  const followPrices = Effect.flatMap(tickers.next, (events) => {
    meter.prices += events.length
    return turn(Effect.zipRight(drain, price(events)))
  })

  /** Stores trails that have moved, and the cursor. */
  const save = Effect.gen(function* () {
    desk.engine.save(yield* Clock.currentTimeMillis)
    yield* desk.settle(undefined, true)
  })

  /** Exchanges that took their time to answer are heard between other events, and asked outside of any turn. */
  const followAnswers = Effect.flatMap(desk.answers, ({ said, sending }) =>
    turn(Effect.zipRight(desk.takeIn(sending, said), desk.settle()))
  )
  /** What was looked at before it was armed is what is armed: it may have been changed, or deleted, meanwhile. */
  const unchanged = ({ account, id, updatedAt }: Strategy) =>
    Effect.filterOrFail(
      Effect.option(store.get(account, id)),
      Option.exists((now) => now.updatedAt === updatedAt),
      () => new StrategyBusy()
    )
  const inquiry = yield* Start.inquiry(desk, turn)
  const money = Money.make(desk)
  const lookForAstray = yield* Astray.make(desk, turn)

  yield* Effect.addFinalizer(() => lastly(save, desk))
  // The first to have its turn: what came before us is judged before anything else, and nobody waits for it to listen.
  yield* follow("alerts", Effect.zipRight(turn(takeSome), journal.arrival))
  yield* follow("prices", followPrices)
  yield* follow("the time", Deadlines.make(desk, turn))
  yield* follow("answers", followAnswers)
  yield* follow("orders", Effect.zipLeft(inquiry.begun, Effect.sleep(SAVE_MS)))
  yield* follow("halts", Effect.zipRight(turn(Effect.void), desk.halted))
  yield* follow("wallets", Effect.zip(lookForAstray, Effect.sleep(Astray.LOOK_MS), { concurrent: true }))
  yield* follow("strategies", watching.listen)
  yield* follow("markets", watching.tell)
  yield* follow("trails", Effect.zipLeft(turn(save), Effect.sleep(SAVE_MS)))

  return {
    admit,
    end,
    preview,
    standings: Standings.make(desk),
    isFlat,
    caughtUp: turn(caughtUp),
    arm: (strategy: Strategy, terms: ArmedTerms) =>
      inTime(
        turn(Effect.zipRight(caughtUp, Effect.zipRight(unchanged(strategy), money.arm(strategy, terms))))
      ),
    disarm: (strategy: Strategy, how: Money.Leave) =>
      inTime(turn(Effect.zipRight(caughtUp, money.disarm(strategy, how)))),
    stand: (strategy: Strategy) => inTime(turn(money.stand(strategy)))
  }
})

/** A request that cannot be served now is told so, and may be sent again: what it stored it stores once more. */
const inTime = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.timeoutFailCause(self, {
    duration: REQUEST_MS,
    onTimeout: () => Cause.die(new StorageUnavailable({ reason: "the bots are waiting for the disk" }))
  })

/** Once all is said, what has not been stored yet. A disk that is full is not waited for. */
const lastly = (save: Effect.Effect<void>, desk: Desk.Desk) =>
  Effect.timeout(Effect.interruptible(save), REQUEST_MS).pipe(
    Effect.catchAllCause((cause) => Effect.logError("what the bots did last could not be stored", cause)),
    Effect.zipRight(desk.abandon)
  )
