// Alerts that were accepted and are not judged yet. Each account has a lane and lanes take turns, so that one account's
// backlog delays that account alone.
import type * as Effect from "effect/Effect"
import type { AccountId } from "../../../domain/Account.ts"
import { type Alert, AlertId } from "../../../domain/Alert.ts"
import { type MarketId, marketKey } from "../../../domain/Market.ts"
import { type Partition, partitionOf } from "../../../domain/Partition.ts"
import type { Strategy } from "../../../domain/Strategy.ts"
import type { StrategyId } from "../../../domain/StrategyId.ts"
import * as ChangeSignal from "../../records/ChangeSignal.ts"
import { Room } from "../Room.ts"
import { Fifo } from "./Fifo.ts"

/** An alert that one strategy has to judge. */
export interface Task {
  readonly strategy: Strategy
  readonly alert: Alert
  readonly judging: Judging
}

/** An alert that strategies of an account have to judge; `left` of them have not yet. */
interface Judging {
  readonly id: AlertId
  left: number
}

/** One strategy's tasks, oldest first; `isInRow`: the strategy is queued for its turn within the account. */
interface Line {
  readonly tasks: Fifo<Task>
  isInRow: boolean
}

/** One account's tasks. */
export class Lane {
  readonly account: AccountId
  readonly partition: Partition
  /** The cut: alerts from this id on are only in the journal, because the lane was full. */
  cutAt: AlertId | undefined
  /**
   * Bots that have to look at these markets (by key) and at their deadlines, once they have judged their remaining
   * alerts.
   */
  readonly due = new Map<StrategyId, Map<string, MarketId>>()
  /** The last alert beyond the cut of each strategy that had one there. */
  readonly #beyond = new Map<StrategyId, AlertId>()
  readonly #lines = new Map<StrategyId, Line>()
  /** Strategies queued for their turn. One that was served ahead may have no task left when its turn comes. */
  readonly #row = new Fifo<Line>()
  readonly #judgings = new Fifo<Judging>()
  readonly #room: Room
  #size = 0

  constructor(account: AccountId, room: Room) {
    this.account = account
    this.partition = partitionOf(account)
    this.#room = room
  }

  get size(): number {
    return this.#size
  }

  get isDone(): boolean {
    return this.#size === 0 && this.cutAt === undefined && this.due.size === 0
  }

  /** Whether to refill the lane from the journal: half of its bound is free. */
  get isHungry(): boolean {
    return this.cutAt !== undefined && this.#size <= this.#room.most / 2
  }

  /** Whether there is room for so many tasks. An empty lane always has room: an alert is taken in whole. */
  hasRoomFor(tasks: number): boolean {
    return this.#size === 0 || this.#size + tasks <= this.#room.most
  }

  /** The oldest alert of this account that is not judged by all of its strategies. */
  get oldest(): AlertId | undefined {
    while (this.#judgings.first?.left === 0) this.#judgings.shift()
    return this.#judgings.first?.id ?? this.cutAt
  }

  /** Leaves an alert for these strategies in the journal. Costs as much as there are strategies. */
  cut(alert: Alert, strategies: ReadonlyArray<Strategy>): void {
    this.cutAt ??= alert.id
    for (const { id } of strategies) this.#beyond.set(id, alert.id)
  }

  /** Whether a strategy has alerts to judge: in memory, or beyond the cut. */
  isBehind(strategy: StrategyId): boolean {
    if (this.#lines.has(strategy)) return true
    return this.cutAt !== undefined && (this.#beyond.get(strategy) ?? 0) >= this.cutAt
  }

  /** Adds an alert for these strategies. Costs as much as there are strategies. */
  add(alert: Alert, strategies: ReadonlyArray<Strategy>): void {
    if (strategies.length === 0) return
    const judging = { id: alert.id, left: strategies.length }
    this.#judgings.push(judging)
    this.#size += strategies.length
    this.#room.used += strategies.length
    for (const strategy of strategies) {
      const line = this.#lineOf(strategy.id)
      line.tasks.push({ alert, strategy, judging })
      if (line.isInRow) continue
      line.isInRow = true
      this.#row.push(line)
    }
  }

  /**
   * Adds alerts from the cut on while there is room. `upTo` is the last alert read for all lanes: the cut ends there.
   */
  refill(
    alerts: ReadonlyArray<Alert>,
    upTo: number,
    strategiesOf: (alert: Alert) => ReadonlyArray<Strategy>
  ): void {
    for (const alert of alerts) {
      if (alert.id > upTo) break
      const strategies = strategiesOf(alert)
      this.cutAt = alert.id
      if (!this.hasRoomFor(strategies.length)) return
      this.add(alert, strategies)
    }
    const last = alerts.at(-1)?.id ?? upTo
    this.cutAt = last >= upTo ? undefined : AlertId.make(last + 1)
    if (this.cutAt === undefined) this.#beyond.clear()
  }

  /** The oldest task of a strategy; without one, the oldest task of the strategy whose turn it is. */
  peek(strategy?: StrategyId): Task | undefined {
    if (strategy !== undefined) return this.#lines.get(strategy)?.tasks.first
    while (this.#row.first !== undefined && this.#row.first.tasks.size === 0) this.#leave()
    return this.#row.first?.tasks.first
  }

  /**
   * Removes a strategy's oldest task, as returned by `peek`; where it was that strategy's turn, it is queued again at
   * the end.
   */
  take({ judging, strategy }: Task): void {
    const line = this.#lines.get(strategy.id)
    if (line?.tasks.shift() === undefined) return
    judging.left--
    this.#size--
    this.#room.used--
    if (line.tasks.size === 0) this.#lines.delete(strategy.id)
    if (this.#row.first !== line) return
    this.#leave()
    if (line.tasks.size === 0) return
    line.isInRow = true
    this.#row.push(line)
  }

  #leave(): void {
    const line = this.#row.shift()
    if (line !== undefined) line.isInRow = false
  }

  #lineOf(strategy: StrategyId): Line {
    const known = this.#lines.get(strategy)
    if (known !== undefined) return known
    const made = { tasks: new Fifo<Task>(), isInRow: false }
    this.#lines.set(strategy, made)
    return made
  }
}

/** The lanes of all accounts with something to judge. */
export class Backlog {
  readonly #lanes = new Map<AccountId, Lane>()
  readonly #row = new Fifo<Lane>()
  /** Every alert up to this id is in a lane, judged, or behind the cut of a lane. */
  front: number

  readonly #bell = ChangeSignal.ofChanges()
  readonly #room: Room

  constructor(front: number, room: Room = new Room()) {
    this.front = front
    this.#room = room
  }

  /** Ends when a bot has been deferred since the last call of `turn`. */
  get rings(): Effect.Effect<void> {
    return this.#bell.rings
  }

  get isEmpty(): boolean {
    return this.#lanes.size === 0
  }

  /** How many accounts have something to judge. */
  get lanes(): number {
    return this.#lanes.size
  }

  /** How many tasks are in memory. */
  get size(): number {
    return this.#room.used
  }

  laneOf(account: AccountId): Lane | undefined {
    return this.#lanes.get(account)
  }

  /** Adds an alert for the strategies of one account. */
  add(account: AccountId, alert: Alert, strategies: ReadonlyArray<Strategy>): void {
    if (strategies.length === 0) return
    const lane = this.#laneOf(account)
    if (lane.cutAt === undefined && lane.hasRoomFor(strategies.length)) lane.add(alert, strategies)
    else lane.cut(alert, strategies)
  }

  /** Whether the strategy has alerts to judge before it may get another event. */
  isBehind({ account, id }: Pick<Strategy, "account" | "id">): boolean {
    return this.#lanes.get(account)?.peek(id) !== undefined
  }

  /** Queues a bot to look at a market, or at its deadlines alone, at its account's turn. */
  defer({ account, id }: Pick<Strategy, "account" | "id">, market?: MarketId): void {
    const { due } = this.#laneOf(account)
    const markets = due.get(id) ?? new Map<string, MarketId>()
    due.set(id, markets)
    if (market !== undefined) markets.set(marketKey(market), market)
    this.#bell.changed()
  }

  /** The lane whose turn it is; it is queued again at the end. Lanes that are done are removed. */
  turn(): Lane | undefined {
    this.#bell.reading()
    for (let lane = this.#row.shift(); lane !== undefined; lane = this.#row.shift()) {
      if (lane.isDone) this.#forget(lane)
      else {
        this.#row.push(lane)
        return lane
      }
    }
    return undefined
  }

  /** The last alert that is judged in full, for each partition that is behind `front`. */
  behind(): ReadonlyMap<Partition, number> {
    const behind = new Map<Partition, number>()
    for (const { oldest, partition } of this.#lanes.values()) {
      if (oldest === undefined) continue
      behind.set(partition, Math.min(behind.get(partition) ?? this.front, oldest - 1))
    }
    return behind
  }

  #laneOf(account: AccountId): Lane {
    const known = this.#lanes.get(account)
    if (known !== undefined) return known
    const made = new Lane(account, this.#room)
    this.#lanes.set(account, made)
    this.#room.lanes = this.#lanes.size
    this.#row.push(made)
    return made
  }

  #forget({ account }: Lane): void {
    this.#lanes.delete(account)
    this.#room.lanes = this.#lanes.size
  }
}
