// The engine as the rest of the server sees it: its use cases. What drives it: engine/EngineLayer.ts.
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId, Identity } from "../domain/Account.ts"
import type { Instruction } from "../domain/Alert.ts"
import type { ArmedTerms, ExchangeAccountId } from "../domain/Arming.ts"
import type { MarketId } from "../domain/Market.ts"
import type { ManualOrder, ManualRefused } from "../domain/position/ManualOrder.ts"
import type { Violations } from "../domain/requests/Violations.ts"
import type {
  OwnedStrategy,
  SettingsRefused,
  Strategy,
  StrategyBusy,
  StrategyChanged,
  StrategyNotFound,
  TooManyStrategies
} from "../domain/Strategy.ts"
import type { StrategyId } from "../domain/StrategyId.ts"
import type { ManualResult } from "./engine/orders/ManualForms.ts"
import type * as Manual from "./engine/orders/ManualOrders.ts"
import type * as RealMoney from "./engine/orders/RealMoney.ts"
import type * as Preview from "./engine/Preview.ts"
import type * as BotSnapshots from "./engine/prices/BotSnapshots.ts"
import type { StoredAnswer } from "./Idempotency.ts"
import type { KeyReused } from "./Journal.ts"
import type { StrategyChange } from "./StrategyStore.ts"

/**
 * The engine: one bot for each strategy, driven by alerts, prices and time. A bot is created with the first alert that
 * concerns its strategy. Start-up is recovery: it reads the journal from the stored cursor on.
 */
export class Bots extends Context.Tag("signalbox/services/Bots")<
  Bots,
  {
    /**
     * Stores changes of an account's strategies between two alerts, all of them or none: alerts that were on disk before
     * are judged by the old settings, even if a crash makes them be read again. Ends when the bots use the new settings.
     * `StrategyChanged` where a strategy has changed since it was read, `SettingsRefused` where a bot cannot take the
     * settings over as it stands. The settings must have been checked by every other rule. Do not call it within a
     * transaction: it waits for commits of the engine.
     */
    readonly admit: (
      account: AccountId,
      changes: ReadonlyArray<StrategyChange>
    ) => Effect.Effect<ReadonlyArray<Strategy>, SettingsRefused | StrategyChanged | TooManyStrategies>
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
      strategies: Iterable<OwnedStrategy>
    ) => Effect.Effect<ReadonlyMap<StrategyId, BotSnapshots.BotSnapshot>>
    /** The strategies whose bots run in this process, in any sequence. Never waits for the engine. */
    readonly started: Effect.Effect<ReadonlyArray<OwnedStrategy>>
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
    /**
     * Carries out the owner's own order, after all alerts that were accepted before it, and returns the response to its
     * request; the same request again gets the same response. What was decided is on disk before anything is sent.
     */
    readonly byHand: (
      strategy: Strategy,
      order: ManualOrder,
      request: Manual.ManualRequest
    ) => Effect.Effect<StoredAnswer, ManualRefused | Violations | KeyReused>
    /** Says what the owner's own order would do now. Stores, orders and changes nothing. */
    readonly previewByHand: (
      strategy: Strategy,
      order: ManualOrder
    ) => Effect.Effect<ManualResult, ManualRefused | Violations>
    /** Reads a bot between two events, also one that has not started. */
    readonly stand: (strategy: Strategy) => Effect.Effect<RealMoney.Stand>
    /** Has the feed stream these markets too, in place of those of the call before. */
    readonly watchAlso: (markets: ReadonlyArray<MarketId>) => Effect.Effect<void>
    /** Ends when every alert that was on disk at the call has an outcome or is held for a price. */
    readonly caughtUp: Effect.Effect<void>
  }
>() {}
