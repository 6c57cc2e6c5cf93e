// The engine as the rest of the server sees it: its use cases, and the loops that drive it. Everything that may let a
// bot decide runs in a `turn`, one at a time; engine/Engine.ts lists what a turn does.
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AccountId, Identity } from "../domain/Account.ts"
import { AlertId, type Instruction } from "../domain/Alert.ts"
import type { ArmedTerms, ExchangeAccountId } from "../domain/Arming.ts"
import { type Strategy, StrategyBusy, type StrategyNotFound } from "../domain/Strategy.ts"
import type { StrategyId } from "../domain/StrategyId.ts"
import { isFlat as isStateFlat } from "../trading/Bot.ts"
import * as AlertJudging from "./engine/alerts/AlertJudging.ts"
import { follow } from "./engine/alerts/Following.ts"
import * as StrategyDeletion from "./engine/alerts/StrategyDeletion.ts"
import * as EngineState from "./engine/EngineState.ts"
import * as RealMoney from "./engine/orders/RealMoney.ts"
import * as Reconciliation from "./engine/orders/Reconciliation.ts"
import * as Preview from "./engine/Preview.ts"
import * as BotSnapshots from "./engine/prices/BotSnapshots.ts"
import * as Deadlines from "./engine/prices/Deadlines.ts"
import * as MarketWatch from "./engine/prices/MarketWatch.ts"
import { priced } from "./engine/prices/Pricing.ts"
import * as Startup from "./engine/Startup.ts"
import * as Observer from "./engine/store/Observer.ts"
import { Meters } from "./health/Meters.ts"
import { alertOf, Journal } from "./Journal.ts"
import { Performance } from "./Performance.ts"
import { StorageUnavailable } from "./records/StorageUnavailable.ts"
import { StrategyStore } from "./StrategyStore.ts"
import { type PriceEvent, Tickers } from "./Tickers.ts"

/**
 * The engine: one bot for each strategy, driven by alerts, prices and time. A bot is created with the first alert that
 * concerns its strategy. Start-up is recovery: it reads the journal from the stored cursor on.
 */
export class Bots extends Context.Tag("signalbox/services/Bots")<
  Bots,
  {
    /**
     * Changes a strategy's settings between two alerts: alerts that were on disk before the change are judged by the
     * old settings, even if a crash makes them be read again. Ends when the bot uses the new settings. Do not call it
     * within a transaction: it waits for commits of the engine.
     */
    readonly admit: <E>(
      strategy: Pick<Strategy, "account" | "id">,
      change: Effect.Effect<Strategy, E>
    ) => Effect.Effect<Strategy, E>
    /**
     * Closes the bot's positions at the last price, then deletes the strategy. `StrategyBusy` while an order is in
     * flight or real money is at stake.
     */
    readonly end: (
      account: AccountId,
      strategy: number
    ) => Effect.Effect<void, StrategyNotFound | StrategyBusy>
    /**
     * Says what each of the sender's strategies that follow the signal would do with an alert now: the bots' own
     * decisions, on copies. Stores, orders and changes nothing.
     */
    readonly preview: (
      sender: Identity,
      instruction: Instruction
    ) => Effect.Effect<ReadonlyArray<Preview.Previewed>>
    /**
     * Reads these strategies' positions at the last prices; strategies without a bot are missing. Never waits for the
     * engine, nor the engine for it.
     */
    readonly standings: (
      strategies: Iterable<StrategyId>
    ) => Effect.Effect<ReadonlyMap<StrategyId, BotSnapshots.BotSnapshot>>
    /** Whether the bot has no position, no order and no held alert. */
    readonly isFlat: (strategy: StrategyId) => Effect.Effect<boolean>
    /**
     * Lets a flat bot trade with real money from now on; its performance starts anew. `StrategyBusy` where it is not
     * flat, trades with real money already, has alerts to judge or has changed since `strategy` was read. `twins` are
     * exchange accounts that are the same one at the exchange.
     */
    readonly arm: (
      strategy: Strategy,
      terms: ArmedTerms,
      twins?: ReadonlyArray<ExchangeAccountId>
    ) => Effect.Effect<void, StrategyBusy>
    /** Ends trading with real money: at once where the bot is flat, else when it is. */
    readonly disarm: (strategy: Strategy, how: RealMoney.Leave) => Effect.Effect<void>
    /** Reads a bot between two events, also one that has not started. */
    readonly stand: (strategy: Strategy) => Effect.Effect<RealMoney.Stand>
    /** Ends when every alert that was on disk at the call has an outcome or is held for a price. */
    readonly caughtUp: Effect.Effect<void>
  }
>() {
  static readonly layer = (options: EngineState.Options) => Layer.scoped(Bots, make(options))
}

/** How often moved trails are stored and orders in flight are asked about (ms). */
const SAVE_MS = 1000
/** The most alerts that a bot judges ahead of others in one turn. */
const AHEAD = 64
/** How long a request waits for the bots, which in turn wait for a full disk (ms). */
const REQUEST_MS = 5000

const make = Effect.fnUntraced(function* (options: EngineState.Options) {
  const store = yield* StrategyStore
  const journal = yield* Journal
  const tickers = yield* Tickers
  const { engine: meter } = yield* Meters
  const desk = yield* EngineState.make(options)
  const semaphore = yield* Effect.makeSemaphore(1)

  /** Runs an effect alone, after everything decided before it is stored, and under the halts in force. */
  const turn = <A, E, R>(self: Effect.Effect<A, E, R>) =>
    semaphore.withPermits(1)(Effect.ensuring(Effect.zipRight(counted, self), desk.breath.end))
  const counted = Effect.suspend(() => {
    meter.turns++
    return Effect.zipRight(Effect.zipRight(desk.breath.begin, desk.settle()), desk.heed)
  })
  meter.reading = () => Observer.read(desk.roster.all(), desk.cursor(), desk.orders.unknown)
  const watching = yield* MarketWatch.make(desk.needs, yield* Startup.load(desk, turn, options))

  const price = priced(desk)
  const judging = yield* AlertJudging.make(desk, price.look)
  const { drain } = judging

  /**
   * Alerts are judged in the journal's sequence and in slices; between two slices, prices and requests get their turn.
   */
  const judgeSome = judging.turn
  const followAlerts = Effect.flatMap(turn(judgeSome), ({ isMore }) =>
    isMore ? desk.breath.rest : Effect.raceFirst(journal.arrival, desk.backlog.rings)
  )

  /** Judges everything that is in the journal at the call; others get their turn meanwhile. */
  const caughtUp = Effect.gen(function* () {
    const last = yield* journal.last
    do yield* Effect.zipRight(turn(judgeSome), desk.breath.rest)
    while (desk.cursor() < last)
    yield* turn(desk.settle(undefined, true))
  })

  /**
   * Runs an effect in a turn in which the strategy has judged every alert accepted before: ahead of all others, some at
   * a time, so that nobody waits for long.
   */
  const behindOwn = <A, E, R>(own: Pick<Strategy, "account" | "id">, act: Effect.Effect<A, E, R>) => {
    const once = turn(
      Effect.gen(function* () {
        const isDone = (yield* judging.read) && (yield* judging.ahead(own, AHEAD))
        yield* desk.settle()
        return isDone ? Option.some(yield* act) : Option.none()
      })
    )
    // What is not in memory yet comes with the turns of all: they have to have one.
    const again = Effect.tap(once, (done) => (Option.isSome(done) ? Effect.void : desk.breath.rest))
    return Effect.map(Effect.repeat(again, { until: Option.isSome }), Option.getOrThrow)
  }

  const admit = <E>(own: Pick<Strategy, "account" | "id">, change: Effect.Effect<Strategy, E>) =>
    behindOwn(own, Effect.zipLeft(Effect.uninterruptible(Effect.tap(change, adopt)), desk.settle())).pipe(
      inTime,
      Effect.withSpan("Bots.admit")
    )

  /** Applies new settings at once. A new strategy has no bot yet. */
  const adopt = Effect.fnUntraced(function* (strategy: Strategy) {
    const bot = Option.getOrUndefined(desk.roster.get(strategy.id))
    if (bot === undefined) return
    bot.strategy = strategy
    desk.roster.reindex(bot)
    const now = yield* Clock.currentTimeMillis
    if (bot.record.state.quote !== strategy.settings.quote) desk.engine.periods.restart(bot, now)
    const context = (yield* desk.present)(bot)
    desk.engine.faults.safely(bot, () => {
      desk.engine.aside.readmit(bot, context)
      desk.engine.adoption.tell(bot, { _tag: "SettingsChanged" }, context)
      desk.engine.held.retry(bot, context)
    })
  })

  const ending = yield* StrategyDeletion.make(desk)
  const ended = Effect.fn("Bots.end")(function* (account: AccountId, id: number) {
    const own = yield* store.get(account, id)
    return yield* behindOwn(own, ending(account, id))
  })
  /** Alerts are still accepted during a deletion: they are judged too, and what they open is closed again. */
  const end = (account: AccountId, id: number): Effect.Effect<void, StrategyNotFound | StrategyBusy> =>
    Effect.catchTag(ended(account, id), "AlertsUnjudged", () => end(account, id))

  const tried = Preview.make(desk, yield* Performance, options)
  const preview = Effect.fn("Bots.preview")(function* (
    { account, token }: Identity,
    instruction: Instruction
  ) {
    yield* Effect.repeat(turn(judgeSome), {
      while: ({ isRead }) => !isRead || desk.backlog.laneOf(account) !== undefined
    })
    const followers = yield* store.followers(instruction.signalId)
    const receivedAt = yield* Clock.currentTimeMillis
    const draft = { account, token, instruction, receivedAt, warnings: [] }
    // The next id: positions held now were opened before it.
    const alert = alertOf(draft, AlertId.make((yield* journal.last) + 1), "record")
    const own = followers.filter((strategy) => strategy.account === account)
    return yield* turn(Effect.flatMap(desk.present, (contextFor) => tried(alert, own, contextFor)))
  }, inTime)

  const isFlat = (id: StrategyId) =>
    Effect.sync(() => !Option.exists(desk.roster.get(id), ({ record }) => !isStateFlat(record.state)))

  const followPrices = Effect.flatMap(tickers.next, (events) => {
    meter.prices += events.length
    // Alerts dated before a candle are judged before it, including those still on their way to the disk.
    const isBarred = events.some(({ _tag }) => _tag === "Barred")
    if (isBarred) return turn(Effect.zipRight(Effect.zipRight(journal.settled, drain), takeIn(events)))
    return Effect.zipRight(turn(judgeSome), takeIn(events, turn))
  })

  /** Takes in prices in slices: quotes each in a turn of its own, candles all in the current turn. */
  const takeIn = (events: ReadonlyArray<PriceEvent>, within: Startup.Turn = (self) => self) =>
    Effect.iterate(0, {
      while: (place) => place < events.length,
      body: (place) => within(price.some(events, place))
    })

  /** Stores some of the moved trails, and the cursors once all of them are stored. */
  const saveSome = Effect.gen(function* () {
    const isAll = desk.engine.save(yield* Clock.currentTimeMillis)
    yield* desk.settle(undefined, isAll)
    return isAll
  })
  const save = Effect.repeat(saveSome, { until: (isAll) => isAll })
  const saveInTurns = Effect.repeat(Effect.zipLeft(turn(saveSome), desk.breath.rest), {
    until: (isAll) => isAll
  })

  /** Late answers of exchanges are taken in between other events, and awaited outside of any turn. */
  const followAnswers = Effect.flatMap(desk.answers, ({ said, sending }) =>
    turn(Effect.zipRight(desk.takeIn(sending, said), desk.settle()))
  )
  /** Arming applies to the strategy as it was checked: fails where it was changed or deleted meanwhile. */
  const unchanged = ({ account, id, revision }: Strategy) =>
    Effect.filterOrFail(
      Effect.option(store.get(account, id)),
      Option.exists((now) => now.revision === revision),
      () => new StrategyBusy()
    )
  const inquiry = yield* Startup.inquiry(desk, turn)
  const money = RealMoney.make(desk)
  const lookForAstray = yield* Reconciliation.make(desk, turn)

  yield* Effect.addFinalizer(() => lastly(save, desk))
  // The first loop to get a turn: older alerts are judged before anything else, while the server already listens.
  yield* follow("alerts", followAlerts)
  yield* follow("prices", followPrices)
  yield* follow("the time", Deadlines.make(desk, turn))
  yield* follow("answers", followAnswers)
  yield* follow("orders", Effect.zipLeft(inquiry.begun, Effect.sleep(SAVE_MS)))
  yield* follow("halts", Effect.zipRight(turn(Effect.void), desk.halted))
  yield* follow(
    "wallets",
    Effect.zip(lookForAstray, Effect.sleep(Reconciliation.LOOK_MS), { concurrent: true })
  )
  yield* follow("strategies", watching.listen)
  yield* follow("markets", watching.tell)
  yield* follow("trails", Effect.zipLeft(saveInTurns, Effect.sleep(SAVE_MS)))

  return {
    admit,
    end: (account: AccountId, id: number) => inTime(end(account, id)),
    preview,
    standings: BotSnapshots.make(desk),
    isFlat,
    caughtUp,
    arm: (...arming: Parameters<typeof money.arm>) =>
      inTime(behindOwn(arming[0], Effect.zipRight(unchanged(arming[0]), money.arm(...arming)))),
    disarm: (strategy: Strategy, how: RealMoney.Leave) =>
      inTime(behindOwn(strategy, money.disarm(strategy, how))),
    stand: (strategy: Strategy) => inTime(turn(money.stand(strategy)))
  }
})

/** Fails a request that the bots cannot serve in time. It may be sent again: repeating it is harmless. */
const inTime = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.timeoutFailCause(self, {
    duration: REQUEST_MS,
    onTimeout: () => Cause.die(new StorageUnavailable({ reason: "the bots are waiting for the disk" }))
  })

/** Stores the last steps at shutdown, and gives up on a disk that stays full. */
const lastly = (save: Effect.Effect<void>, desk: EngineState.EngineState) =>
  Effect.timeout(Effect.interruptible(save), REQUEST_MS).pipe(
    Effect.catchAllCause((cause) => Effect.logError("the last steps of the bots could not be stored", cause)),
    Effect.zipRight(desk.abandon)
  )
