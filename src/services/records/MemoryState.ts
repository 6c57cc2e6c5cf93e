// The shared tables beneath all in-memory ports: what one port writes, another reads, as in one database.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AccountId } from "../../domain/Account.ts"
import type { Alert, Outcome } from "../../domain/Alert.ts"
import type { Fill } from "../../domain/Fill.ts"
import type { Halt } from "../../domain/Halt.ts"
import type { Order, OrderId, OrderStatus } from "../../domain/Order.ts"
import { type Partition, partitionOf } from "../../domain/Partition.ts"
import type { Signal, SignalId } from "../../domain/Signal.ts"
import type { Settings, Strategy } from "../../domain/Strategy.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import type { RuleHistory } from "../../domain/signalRule/StoredRule.ts"
import type { Target } from "../../domain/Target.ts"
import type { TimelineNote } from "../../domain/Timeline.ts"
import type { Trade } from "../../domain/Trade.ts"
import * as MemoryListing from "../directory/MemoryListing.ts"
import * as ChangeSignal from "./ChangeSignal.ts"
import { type DetachCause, detachmentNote } from "./Detachment.ts"
import type { Following } from "./Following.ts"

/** A timeline entry with its owner: 0 stands for everybody. */
export interface OwnedEntry {
  readonly id: number
  readonly account: number
  /** 0 where the entry concerns no strategy. */
  readonly strategy: number
  readonly note: TimelineNote
}

/** A closed trade with its owner. */
export interface OwnedTrade {
  readonly id: number
  readonly account: AccountId
  readonly strategy: StrategyId
  readonly trade: Trade
}

/** An order's intent, with its status. */
export interface OrderRow {
  readonly strategy: StrategyId
  readonly order: Order
  readonly status: OrderStatus
}

/**
 * Which alerts of a signal a strategy acts on: those after `from`, up to and including `until` where it has stopped.
 */
export interface FollowingRow {
  readonly strategy: StrategyId
  readonly from: number
  readonly until?: number
}

/** A response as it was sent, replayed to the letter. */
export interface StoredAnswer {
  readonly status: number
  readonly location: string | undefined
  readonly body: string
}

/** A response under an idempotency key until `expiresAt` (ms); `request` is a digest of the request. */
export interface KeptAnswer {
  readonly request: string
  readonly answer: StoredAnswer
  readonly expiresAt: number
}

/** Tables that more than one port uses. Maps iterate by creation. */
export interface State extends MemoryListing.ListingTables {
  readonly signals: Map<number, Signal>
  /** Rules by signal; signals that never had one are not in it. */
  readonly rules: Map<number, RuleHistory>
  /** Rings when a signal or its rule changes. */
  readonly ruleChanges: ChangeSignal.Changes
  readonly strategies: Map<number, Strategy>
  readonly strategyChanges: ChangeSignal.Changes
  /** By signal, sorted by start. */
  readonly followings: Map<SignalId, ReadonlyArray<FollowingRow>>
  /** The journal: ids start at 1, without gaps. */
  readonly alerts: Array<Alert>
  /** The alert up to which the engine has stored all outcomes. */
  readonly judged: { cursor: number }
  readonly timeline: Array<OwnedEntry>
  readonly timelineSignal: ChangeSignal.ChangeSignal
  /** By `outcomeKey`. */
  readonly outcomes: Map<string, Outcome>
  readonly orders: Map<OrderId, OrderRow>
  /** Sorted by closing. */
  readonly trades: Array<OwnedTrade>
  readonly fills: Array<{ readonly strategy: StrategyId; readonly fill: Fill }>
  /** Halts in force, by account; 0 is everybody's. */
  readonly halts: Map<number, Halt>
  readonly haltChanges: ChangeSignal.Changes
  /** Notification targets, without their secrets. */
  readonly targets: Map<number, Target>
  /** Responses by account and idempotency key. */
  readonly answers: Map<string, KeptAnswer>
  /** The next id of a kind of rows, never used before. */
  readonly nextId: (kind: string) => number
}

/** The key of an outcome: an alert has one for each strategy. */
export const outcomeKey = (outcome: Pick<Outcome, "alertId" | "strategyId">) =>
  `${outcome.alertId}:${outcome.strategyId}`

/** The tables as a service. */
export class MemoryState extends Context.Tag("signalbox/services/records/MemoryState")<MemoryState, State>() {
  static readonly layer = Layer.sync(MemoryState, () => {
    const last = new Map<string, number>()
    return {
      signals: new Map(),
      rules: new Map(),
      ruleChanges: ChangeSignal.ofChanges(),
      strategies: new Map(),
      strategyChanges: ChangeSignal.ofChanges(),
      followings: new Map(),
      alerts: [],
      judged: { cursor: 0 },
      timeline: [],
      timelineSignal: ChangeSignal.make(0),
      outcomes: new Map(),
      orders: new Map(),
      trades: [],
      fills: [],
      halts: new Map(),
      targets: new Map(),
      answers: new Map(),
      haltChanges: ChangeSignal.ofChanges(),
      listings: new Map(),
      signalListings: new Map(),
      publishers: new Map(),
      copies: new Map(),
      originalChanges: ChangeSignal.ofChanges(),
      nextId: (kind) => {
        const id = (last.get(kind) ?? 0) + 1
        last.set(kind, id)
        return id
      }
    }
  })
}

/** Now, in whole seconds since the epoch. */
export const nowSeconds = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 1000))

/** A strategy with other settings, changed at a time in seconds. */
export const changed = (strategy: Strategy, settings: Settings, updatedAt: number): Strategy => ({
  ...strategy,
  settings,
  updatedAt,
  revision: strategy.revision + 1
})

/** At most `limit` matching rows, from the end of the list backwards. */
export const newest = <A extends { readonly id: number }>(
  rows: ReadonlyArray<A>,
  { before = Number.MAX_SAFE_INTEGER, limit }: { readonly before?: number; readonly limit: number },
  matches: (row: A) => boolean
): ReadonlyArray<A> => {
  const found: Array<A> = []
  for (let index = rows.length - 1; index >= 0 && found.length < limit; index--) {
    const row = rows[index]
    if (row !== undefined && row.id < before && matches(row)) found.push(row)
  }
  return found
}

/** Adds an entry to a strategy's timeline. */
export const note = (state: State, account: number, strategy: number, note: TimelineNote): void => {
  const id = state.nextId("timeline")
  state.timeline.push({ id, account, strategy, note })
  state.timelineSignal.written(id)
}

/**
 * Records that a strategy follows another signal than before, or none: alerts stored by now are judged by the earlier
 * following. Followings that are fully judged are dropped.
 */
export const follow = (
  state: State,
  strategy: StrategyId,
  before: SignalId | undefined,
  after: SignalId | undefined
): void => {
  if (before === after) return
  const position = state.alerts.length
  if (before !== undefined) {
    const rows = state.followings.get(before) ?? []
    const ended = rows.map((row) =>
      row.strategy === strategy && row.until === undefined ? { ...row, until: position } : row
    )
    state.followings.set(
      before,
      ended.filter(({ until }) => until === undefined || until > state.judged.cursor)
    )
  }
  if (after !== undefined)
    state.followings.set(after, [...(state.followings.get(after) ?? []), { strategy, from: position }])
}

/** The followings of a signal by accounts of some partitions that may have alerts to judge, by creation. */
export const followingsOf = (
  state: State,
  signal: SignalId,
  some: ReadonlySet<Partition>
): ReadonlyArray<Following> =>
  (state.followings.get(signal) ?? [])
    .flatMap(({ from, strategy: id, until }): ReadonlyArray<Following> => {
      const strategy = state.strategies.get(id)
      const isJudged = until !== undefined && until <= state.judged.cursor
      if (strategy === undefined || isJudged || !some.has(partitionOf(strategy.account))) return []
      return [{ strategy, from, ...(until === undefined ? {} : { until }) }]
    })
    .sort((one, other) => one.strategy.id - other.strategy.id)

/** Detaches the strategies that the cause concerns from a signal, with a timeline entry for each. `at` in ms. */
export const detach = (
  state: State,
  signal: Signal,
  cause: DetachCause,
  at: number
): ReadonlyArray<StrategyId> => {
  const concerned = [...state.strategies.values()].filter(
    (it) => it.settings.signalId === signal.id && !(cause === "private" && it.account === signal.account)
  )
  for (const strategy of concerned) {
    const { signalId: _, ...settings } = strategy.settings
    const left = changed(strategy, settings, Math.floor(at / 1000))
    state.strategies.set(strategy.id, left)
    MemoryListing.strategyWritten(state, strategy, left, left.updatedAt)
    follow(state, left.id, signal.id, undefined)
    note(state, strategy.account, strategy.id, detachmentNote(signal.id, cause, at))
  }
  state.strategyChanges.changed()
  return concerned.map(({ id }) => id)
}

/** The settings without their signal where the account cannot reach it. */
export const reachable = (state: State, account: AccountId, settings: Settings): Settings => {
  const { signalId, ...rest } = settings
  const signal = signalId === undefined ? undefined : state.signals.get(signalId)
  return signal?.account === account || signal?.public === true ? settings : rest
}
