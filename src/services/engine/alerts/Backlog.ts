// Alerts that were answered and not judged yet. Each account has a lane, and lanes take turns: a backlog of one account
// delays that account alone.
import type * as Effect from "effect/Effect"
import type { AccountId } from "../../../domain/Account.ts"
import { type Alert, AlertId } from "../../../domain/Alert.ts"
import { type MarketId, marketKey } from "../../../domain/Market.ts"
import { type Partition, partitionOf } from "../../../domain/Partition.ts"
import type { Strategy } from "../../../domain/Strategy.ts"
import type { StrategyId } from "../../../domain/StrategyId.ts"
import * as Bell from "../../records/Bell.ts"
import { Room } from "../Room.ts"
import { Fifo } from "./Fifo.ts"

/** An alert that a strategy has to judge. */
export interface Task {
  readonly strategy: Strategy
  readonly alert: Alert
  readonly judging: Judging
}

/** An alert that strategies of an account have to judge: `left` of them have not yet. */
interface Judging {
  readonly id: AlertId
  left: number
}

/** What a strategy has to judge, oldest first; `isInRow`: it waits for its turn among those of its account. */
interface Line {
  readonly tasks: Fifo<Task>
  isInRow: boolean
}

/** What one account has yet to judge. */
export class Lane {
  readonly account: AccountId
  readonly partition: Partition
  /** The alert from which on this account's are still in the journal alone. */
  cutAt: AlertId | undefined
  /** Bots that are to look at these markets, by their keys, and at the time, once they have judged what they have left. */
  readonly due = new Map<StrategyId, Map<string, MarketId>>()
  readonly #lines = new Map<StrategyId, Line>()
  /** Strategies take turns. One that went ahead may have nothing left when its turn comes. */
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

  /** Whether it is worth reading on from the cut: half of what it may hold is judged. */
  get isHungry(): boolean {
    return this.cutAt !== undefined && this.#size <= this.#room.most / 2
  }

  /** Whether there is room for so many tasks. An empty lane has it always: an alert is taken in whole. */
  hasRoomFor(tasks: number): boolean {
    return this.#size === 0 || this.#size + tasks <= this.#room.most
  }

  /** The oldest alert that somebody has yet to judge. */
  get oldest(): AlertId | undefined {
    while (this.#judgings.first?.left === 0) this.#judgings.shift()
    return this.#judgings.first?.id ?? this.cutAt
  }

  /** Takes an alert in for these strategies. Costs the number of them. */
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
   * Takes in alerts from the cut on, for as long as there is room. `upTo` is the last alert that was read for all lanes:
   * there the cut ends.
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
  }

  /** The oldest task of a strategy; of none in particular, that of the strategy whose turn it is. */
  peek(strategy?: StrategyId): Task | undefined {
    if (strategy !== undefined) return this.#lines.get(strategy)?.tasks.first
    while (this.#row.first !== undefined && this.#row.first.tasks.size === 0) this.#leave()
    return this.#row.first?.tasks.first
  }

  /** Takes away a strategy's oldest task, which was looked at before; a strategy whose turn it was goes to the end. */
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

/** The lanes of all accounts that have something to judge. */
export class Backlog {
  readonly #lanes = new Map<AccountId, Lane>()
  readonly #row = new Fifo<Lane>()
  /** Every alert up to this one is in a lane, judged, or behind the cut of a lane. */
  front: number

  readonly #bell = Bell.ofChanges()
  readonly #room: Room

  constructor(front: number, room: Room = new Room()) {
    this.front = front
    this.#room = room
  }

  /** Ends when a bot has been deferred since the last turn of a lane. */
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

  /** Takes in an alert for the strategies of one account. */
  add(account: AccountId, alert: Alert, strategies: ReadonlyArray<Strategy>): void {
    if (strategies.length === 0) return
    const lane = this.#laneOf(account)
    if (lane.cutAt !== undefined) return
    if (lane.hasRoomFor(strategies.length)) lane.add(alert, strategies)
    else lane.cutAt = alert.id
  }

  /** Whether a strategy has alerts to judge before anything else may happen to it. */
  isBehind({ account, id }: Pick<Strategy, "account" | "id">): boolean {
    return this.#lanes.get(account)?.peek(id) !== undefined
  }

  /** A bot is to look at a market, or at the time alone, when its account's turn comes. */
  defer({ account, id }: Pick<Strategy, "account" | "id">, market?: MarketId): void {
    const { due } = this.#laneOf(account)
    const markets = due.get(id) ?? new Map<string, MarketId>()
    due.set(id, markets)
    if (market !== undefined) markets.set(marketKey(market), market)
    this.#bell.changed()
  }

  /** The lane whose turn it is; it goes to the end of the row. Lanes that are done leave. */
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

  /** Up to which alert a partition has judged all: of each partition that is not at the front. */
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
