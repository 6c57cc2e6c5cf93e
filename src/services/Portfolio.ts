// The port of everything that bots did and remember, with its in-memory layer. A commit stores its steps and the
// journal's cursors together, or nothing.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AccountId } from "../domain/Account.ts"
import type { AlertId, Outcome } from "../domain/Alert.ts"
import type { BotState } from "../domain/Bot.ts"
import type { Fill } from "../domain/Fill.ts"
import type { Order, OrderId, OrderStatus } from "../domain/Order.ts"
import { type Partition, partitionOf, partitions } from "../domain/Partition.ts"
import type { StrategyId } from "../domain/StrategyId.ts"
import type { TimelineNote } from "../domain/Timeline.ts"
import type { Trade } from "../domain/Trade.ts"
import type { Posting } from "../trading/books/Ledger.ts"
import type { Tally } from "../trading/Performance.ts"
import * as MemoryListing from "./directory/MemoryListing.ts"
import { type KeyedAnswer, remember } from "./Idempotency.ts"
import { byAlert } from "./records/JudgedAlerts.ts"
import { MemoryState, newest, note, type OrderRow, outcomeKey } from "./records/MemoryState.ts"
import { dayOf } from "./records/Results.ts"

/** A bot as stored: its state, its performance, and the number of its last step. */
export interface BotRecord {
  readonly strategy: StrategyId
  readonly state: BotState
  readonly tally: Tally
  readonly step: number
}

/**
 * An alert that a strategy holds, for a price or for the end of an order. `owner` is the account that sent the alert;
 * `since` is when the strategy first judged it (ms).
 */
export interface Waiting {
  readonly alert: AlertId
  readonly owner: AccountId
  readonly strategy: StrategyId
  readonly since: number
}

/** For each partition, the alert id up to which every following strategy has an outcome or holds the alert. */
export type Cursors = ReadonlyMap<Partition, number>

/** What an engine begins with: its partitions' cursors, bots, held alerts and unsettled orders, each as the port lists them. */
export interface Beginning {
  readonly cursors: Cursors
  readonly bots: ReadonlyArray<BotRecord>
  readonly waiting: ReadonlyArray<Waiting>
  readonly unsettled: ReadonlyArray<OrderRow>
}

/** A trade with its sequence number, by time of closing. */
export interface TradeRow {
  readonly id: number
  readonly trade: Trade
}

/**
 * The changes of one bot by one event: stored whole or not at all. `bot` is the bot afterwards; `orders` are intents,
 * stored before anything is sent; `statuses` are changes of earlier orders.
 */
export interface Step {
  readonly account: AccountId
  readonly at: number
  readonly bot: BotRecord
  readonly orders: ReadonlyArray<Order>
  readonly statuses: ReadonlyArray<{ readonly order: OrderId; readonly status: OrderStatus }>
  readonly fills: ReadonlyArray<Fill>
  readonly postings: ReadonlyArray<Posting>
  readonly trades: ReadonlyArray<Trade>
  readonly notes: ReadonlyArray<TimelineNote>
  readonly outcomes: ReadonlyArray<Outcome>
  readonly waits: ReadonlyArray<Waiting>
  /**
   * The bot's row is unchanged and need not be written. Most alerts change nothing about most bots, and the bot's row
   * is by far the largest.
   */
  readonly unchanged?: true
  /** The response to the request that led to this step, under its idempotency key: `Idempotency.find` returns it. */
  readonly response?: KeyedAnswer | undefined
  /**
   * Why the account is halted from this step on (its daily loss); an existing halt stays. Absent where it is not
   * halted.
   */
  readonly halt?: string
}

/**
 * The bots with their state, orders, fills, trades, notes and outcomes. A port. An outcome ends the waiting of its alert
 * and strategy; a second outcome of the same two is a defect.
 *
 * **An implementation keeps**
 *
 * - Atomicity: `commit` stores all of its steps, their responses and the cursors, or nothing. Results, timelines and trades show them
 *   from the moment it ends.
 * - Order: of several steps of one bot the last state is stored, and all rows keep the sequence of the steps. A
 *   partition's cursor moves only where it is given.
 * - Repeats: a second outcome of an alert and strategy, or a second order of one id, is a defect that leaves nothing
 *   behind. This makes reading an alert twice harmless.
 * - Exactness: decimals keep their value, times their ms, and a bot's state is returned as it was given, to the letter;
 *   so are the states of an app's own figures in its tally.
 * - Scope: everything belongs to a strategy. A deleted strategy has no bot to load; its books and outcomes stay.
 * - Errors: dies with `StorageUnavailable` while nothing can be written; the engine tries the same commit again.
 *
 * **Proved by** `PortfolioContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class Portfolio extends Context.Tag("signalbox/services/Portfolio")<
  Portfolio,
  {
    /**
     * Stores steps, and the cursors of the partitions that moved, in one transaction. Steps of one bot are in sequence;
     * outcomes of strategies that were deleted meanwhile are stored too. Dies with `StorageUnavailable` while the disk
     * is full: nothing is stored then.
     */
    readonly commit: (steps: ReadonlyArray<Step>, cursors?: Cursors) => Effect.Effect<void>
    /**
     * Everything that the existing strategies of the accounts of these partitions left behind: for the engine that runs
     * them from now on. Costs what they have, whatever others have.
     */
    readonly begin: (some: ReadonlySet<Partition>) => Effect.Effect<Beginning>
    /** The cursor of every partition; 0 where it never moved. */
    readonly cursors: Effect.Effect<Cursors>
    /**
     * Returns the strategies that have an outcome of these alerts or hold them: for the engine's start, since a bot may
     * have judged alerts beyond its partition's cursor. Alerts that nobody judged are missing; outcomes up to the cursor of
     * the account's partition may be missing.
     */
    readonly judged: (
      alerts: ReadonlyArray<AlertId>
    ) => Effect.Effect<ReadonlyMap<AlertId, ReadonlySet<StrategyId>>>
    /**
     * Counts the outcomes of each account's strategies on a UTC day, deleted strategies included: for the engine's start.
     * Accounts without outcomes are missing. Each commit keeps the counts up; reading costs a few look-ups per account.
     */
    readonly outcomesOn: (day: number) => Effect.Effect<ReadonlyMap<AccountId, number>>
    /** All bots of existing strategies. */
    readonly bots: Effect.Effect<ReadonlyArray<BotRecord>>
    /** All held alerts, oldest first. */
    readonly waiting: Effect.Effect<ReadonlyArray<Waiting>>
    /** Orders that are intended, accepted, unknown or partly filled. */
    readonly unsettled: Effect.Effect<ReadonlyArray<OrderRow>>
    /** Reads one bot; undefined where the strategy has none yet. */
    readonly bot: (strategy: StrategyId) => Effect.Effect<BotRecord | undefined>
    /** Reads the tallies of these strategies in one query; strategies without a bot are missing. */
    readonly tallies: (strategies: ReadonlyArray<StrategyId>) => Effect.Effect<ReadonlyMap<StrategyId, Tally>>
    /** Lists closed trades, newest first: at most `limit`, with ids below `before` where given. */
    readonly trades: (
      strategy: StrategyId,
      page: { readonly limit: number; readonly before?: number }
    ) => Effect.Effect<ReadonlyArray<TradeRow>>
    /** Reads all ledger postings of a strategy, oldest first: for verification and tests. */
    readonly ledger: (strategy: StrategyId) => Effect.Effect<ReadonlyArray<Posting>>
    /** Reads all fills of a strategy, oldest first: for verification and tests. */
    readonly fills: (strategy: StrategyId) => Effect.Effect<ReadonlyArray<Fill>>
  }
>() {
  static readonly layerMemory = Layer.effect(
    Portfolio,
    Effect.gen(function* () {
      const state = yield* MemoryState
      const bots = new Map<StrategyId, BotRecord>()
      const { fills, orders, trades } = state
      const postings: Array<Owned<Posting>> = []
      const waiting = new Map<string, Waiting>()
      const cursors = new Map(partitions.map((partition) => [partition, 0]))

      const apply = (step: Step) => {
        const { strategy } = step.bot
        bots.set(strategy, step.bot)
        MemoryListing.committed(state, step)
        for (const order of step.orders) orders.set(order.id, { strategy, order, status: "intended" })
        for (const { order, status } of step.statuses) {
          const row = orders.get(order)
          if (row !== undefined) orders.set(order, { ...row, status })
        }
        for (const fill of step.fills) fills.push({ strategy, fill })
        for (const row of step.postings) postings.push({ strategy, row })
        for (const trade of step.trades) {
          trades.push({ id: state.nextId("trades"), account: step.account, strategy, trade })
        }
        for (const entry of step.notes) note(state, step.account, strategy, entry)
        for (const wait of step.waits) waiting.set(waitKey(wait), wait)
        for (const outcome of step.outcomes) {
          state.outcomes.set(outcomeKey(outcome), outcome)
          waiting.delete(outcomeKey(outcome))
        }
        if (step.response !== undefined) remember(state.answers, step.account, step.response, step.at)
        if (step.halt !== undefined && !state.halts.has(step.account)) {
          const account = Option.some(step.account)
          state.halts.set(step.account, { account, at: step.at, cause: "daily_loss", text: step.halt })
          state.haltChanges.changed()
        }
      }

      /** Checks what database constraints would refuse, before anything is changed. */
      const refused = (steps: ReadonlyArray<Step>) => {
        const outcomes = steps.flatMap((step) => step.outcomes.map(outcomeKey))
        const ids = steps.flatMap((step) => step.orders.map(({ id }) => id))
        const twice = new Set(outcomes).size < outcomes.length || new Set(ids).size < ids.length
        return twice || outcomes.some((key) => state.outcomes.has(key)) || ids.some((id) => orders.has(id))
      }

      return {
        commit: Effect.fn("Portfolio.commit")((steps, moved) =>
          Effect.suspend(() => {
            if (refused(steps)) return Effect.dieMessage("an outcome or an order was committed twice")
            for (const step of steps) apply(step)
            if (moved !== undefined && moved.size > 0) {
              for (const [partition, cursor] of moved) cursors.set(partition, cursor)
              state.judged.cursor = Math.min(...cursors.values())
            }
            return Effect.void
          })
        ),
        begin: Effect.fn("Portfolio.begin")((some) =>
          Effect.sync(() => {
            const isOurs = ({ strategy }: { readonly strategy: StrategyId }) => {
              const found = state.strategies.get(strategy)
              return found !== undefined && some.has(partitionOf(found.account))
            }
            return {
              cursors: new Map([...cursors].filter(([partition]) => some.has(partition))),
              bots: inOrder(bots.values()).filter(isOurs),
              waiting: inSequence(waiting.values()).filter(isOurs),
              unsettled: [...orders.values()].filter((row) => UNSETTLED.has(row.status) && isOurs(row))
            }
          })
        ),
        cursors: Effect.sync(() => new Map(cursors)),
        judged: Effect.fn("Portfolio.judged")((alerts) =>
          Effect.sync(() => {
            const alertIds = new Set<number>(alerts)
            const pairs = [
              ...Array.from(state.outcomes.values(), ({ alertId, strategyId }) => ({ alertId, strategyId })),
              ...Array.from(waiting.values(), ({ alert, strategy }) => ({
                alertId: alert,
                strategyId: strategy
              }))
            ]
            return byAlert(pairs.filter(({ alertId }) => alertIds.has(alertId)))
          })
        ),
        outcomesOn: Effect.fn("Portfolio.outcomesOn")((day) =>
          Effect.sync(() => {
            const counts = new Map<AccountId, number>()
            for (const { account, at } of state.outcomes.values())
              if (dayOf(at) === day) counts.set(account, (counts.get(account) ?? 0) + 1)
            return counts
          })
        ),
        bots: Effect.sync(() => inOrder(bots.values()).filter((it) => state.strategies.has(it.strategy))),
        waiting: Effect.sync(() => inSequence(waiting.values())),
        unsettled: Effect.sync(() => [...orders.values()].filter(({ status }) => UNSETTLED.has(status))),
        bot: Effect.fn("Portfolio.bot")((strategy) => Effect.sync(() => bots.get(strategy))),
        tallies: Effect.fn("Portfolio.tallies")((strategies) =>
          Effect.sync(() => {
            const strategyIds = new Set(strategies)
            const records = [...bots.values()].filter((it) => strategyIds.has(it.strategy))
            return new Map(records.map((it) => [it.strategy, it.tally]))
          })
        ),
        trades: Effect.fn("Portfolio.trades")((strategy, page) =>
          Effect.sync(() =>
            newest(trades, page, (it) => it.strategy === strategy).map(({ id, trade }) => ({ id, trade }))
          )
        ),
        ledger: Effect.fn("Portfolio.ledger")((strategy) =>
          Effect.sync(() => ofStrategy(postings, strategy))
        ),
        fills: Effect.fn("Portfolio.fills")((strategy) =>
          Effect.sync(() => fills.filter((it) => it.strategy === strategy).map(({ fill }) => fill))
        )
      }
    })
  )
}

interface Owned<A> {
  readonly strategy: StrategyId
  readonly row: A
}

const UNSETTLED: ReadonlySet<OrderStatus> = new Set(["intended", "accepted", "unknown", "partly_filled"])

/** The key of the outcome that ends the waiting. */
const waitKey = ({ alert, strategy }: Waiting) => outcomeKey({ alertId: alert, strategyId: strategy })

const inSequence = (rows: Iterable<Waiting>) =>
  [...rows].sort((a, b) => a.alert - b.alert || a.strategy - b.strategy)

const inOrder = (bots: Iterable<BotRecord>) => [...bots].sort((a, b) => a.strategy - b.strategy)

const ofStrategy = <A>(rows: ReadonlyArray<Owned<A>>, strategy: StrategyId) =>
  rows.filter((it) => it.strategy === strategy).map(({ row }) => row)
