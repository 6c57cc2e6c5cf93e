// The alerts of one account that its strategies have to judge, each strategy's own in sequence; the strategies take turns.
import type { AccountId } from "../../../domain/Account.ts"
import { type Alert, AlertId } from "../../../domain/Alert.ts"
import type { MarketId } from "../../../domain/Market.ts"
import { type Partition, partitionOf } from "../../../domain/Partition.ts"
import type { Strategy } from "../../../domain/Strategy.ts"
import type { StrategyId } from "../../../domain/StrategyId.ts"
import type { Room } from "../Room.ts"
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
    // What was cut is in the journal: a read without it says nothing of what is left.
    const last = alerts.at(-1)?.id
    if (last === undefined) return
    this.cutAt = last >= upTo ? undefined : AlertId.make(last + 1)
    if (this.cutAt === undefined) this.#beyond.clear()
  }

  /** Drops everything. */
  clear(): void {
    this.#room.used -= this.#size
    this.#size = 0
    this.#lines.clear()
    this.#beyond.clear()
    this.due.clear()
    this.cutAt = undefined
    while (this.#row.shift() !== undefined);
    while (this.#judgings.shift() !== undefined);
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
