// The engine as the rest of the server sees it: its use cases, and the loops that drive it. Everything that may let a
// bot decide runs in a `turn`, one at a time; engine/Engine.ts lists what a turn does.
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AccountId, Identity } from "../domain/Account.ts"
import type { Instruction } from "../domain/Alert.ts"
import type { ArmedTerms, ExchangeAccountId } from "../domain/Arming.ts"
import { type Strategy, StrategyBusy, type StrategyNotFound } from "../domain/Strategy.ts"
import type { StrategyId } from "../domain/StrategyId.ts"
import { isFlat } from "../trading/Bot.ts"
import * as AlertJudging from "./engine/alerts/AlertJudging.ts"
import * as AlertTurns from "./engine/alerts/AlertTurns.ts"
import { follow } from "./engine/alerts/Following.ts"
import * as StrategyDeletion from "./engine/alerts/StrategyDeletion.ts"
import * as EngineState from "./engine/EngineState.ts"
import * as OrderInquiry from "./engine/orders/OrderInquiry.ts"
import * as RealMoney from "./engine/orders/RealMoney.ts"
import * as Reconciliation from "./engine/orders/Reconciliation.ts"
import * as Preview from "./engine/Preview.ts"
import * as BotSnapshots from "./engine/prices/BotSnapshots.ts"
import * as Deadlines from "./engine/prices/Deadlines.ts"
import * as MarketWatch from "./engine/prices/MarketWatch.ts"
import * as PriceTurns from "./engine/prices/PriceTurns.ts"
import { priced } from "./engine/prices/Pricing.ts"
import * as Trails from "./engine/prices/Trails.ts"
import * as SettingsChange from "./engine/SettingsChange.ts"
import * as Startup from "./engine/Startup.ts"
import * as Turns from "./engine/Turns.ts"
import { StorageUnavailable } from "./records/StorageUnavailable.ts"
import { StrategyStore } from "./StrategyStore.ts"

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
/** How long a request waits for the bots, which in turn wait for a full disk (ms). */
const REQUEST_MS = 5000

const make = Effect.fnUntraced(function* (options: EngineState.Options) {
  const desk = yield* EngineState.make(options)
  const turns = yield* Turns.make(desk)
  const { every, turn } = turns
  const watching = yield* MarketWatch.make(desk.needs, yield* Startup.load(desk, turns, options))
  const pricing = priced(desk)
  const judging = yield* AlertJudging.make(desk, pricing.applyRules)
  const alerts = yield* AlertTurns.make(desk, judging, turn)
  const preview = yield* Preview.make(desk, judging, turn, options)
  const { save, saveInTurns } = Trails.make(desk, turns)
  const inquiry = yield* OrderInquiry.make(desk, turns)
  const compared = yield* Reconciliation.make(desk, turn)
  yield* Effect.addFinalizer(() => lastly(save, desk))
  // The first loop to get a turn: older alerts are judged before anything else, while the server already listens.
  yield* follow("alerts", alerts.next)
  yield* follow("prices", yield* PriceTurns.make(pricing, judging, turn))
  yield* follow("the time", Deadlines.make(desk, turn))
  yield* follow("answers", answered(desk, turn))
  yield* follow("halts", Effect.zipRight(turn(Effect.void), desk.halted))
  yield* follow("strategies", watching.listen)
  yield* follow("markets", watching.updateFeed)
  // The last ones: what the first turns of the others make is found at their first look.
  yield* follow("orders", every(SAVE_MS, inquiry.start))
  yield* follow("wallets", every(Reconciliation.LOOK_MS, compared))
  yield* follow("trails", every(SAVE_MS, Effect.as(saveInTurns, false)))
  return {
    ...(yield* requests(desk, alerts.behindOwn, turn)),
    preview: (sender: Identity, instruction: Instruction) => inTime(preview(sender, instruction)),
    standings: BotSnapshots.make(desk),
    isFlat: (id: StrategyId) =>
      Effect.sync(() => !Option.exists(desk.roster.get(id), ({ record }) => !isFlat(record.state))),
    caughtUp: alerts.caughtUp
  }
})

/** Late answers of exchanges are taken in between other events, and awaited outside of any turn. */
const answered = ({ answers, settle, takeIn }: EngineState.EngineState, turn: Turns.Turn) =>
  Effect.flatMap(answers, ({ report, sending }) => turn(Effect.zipRight(takeIn(sending, report), settle())))

type BehindOwn = Effect.Effect.Success<ReturnType<typeof AlertTurns.make>>["behindOwn"]

/** Makes the requests that change a strategy or its bot, each behind the alerts that were accepted before it. */
const requests = Effect.fnUntraced(function* (
  desk: EngineState.EngineState,
  behindOwn: BehindOwn,
  turn: Turns.Turn
) {
  const store = yield* StrategyStore
  const adopt = SettingsChange.make(desk)
  const ending = yield* StrategyDeletion.make(desk)
  const money = RealMoney.make(desk)

  const admit = <E>(own: Pick<Strategy, "account" | "id">, change: Effect.Effect<Strategy, E>) =>
    behindOwn(own, Effect.zipLeft(Effect.uninterruptible(Effect.tap(change, adopt)), desk.settle())).pipe(
      inTime,
      Effect.withSpan("Bots.admit")
    )
  const ended = Effect.fn("Bots.end")(function* (account: AccountId, id: number) {
    const own = yield* store.get(account, id)
    return yield* behindOwn(own, ending(account, id))
  })
  /** Alerts are still accepted during a deletion: they are judged too, and what they open is closed again. */
  const end = (account: AccountId, id: number): Effect.Effect<void, StrategyNotFound | StrategyBusy> =>
    Effect.catchTag(ended(account, id), "AlertsUnjudged", () => end(account, id))
  /** Arming applies to the strategy as it was checked: fails where it was changed or deleted meanwhile. */
  const unchanged = ({ account, id, revision }: Strategy) =>
    Effect.filterOrFail(
      Effect.option(store.get(account, id)),
      Option.exists((now) => now.revision === revision),
      () => new StrategyBusy()
    )
  return {
    admit,
    end: (account: AccountId, id: number) => inTime(end(account, id)),
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
