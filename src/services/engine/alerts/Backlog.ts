// Alerts that were accepted and are not judged yet. Each account has a lane and lanes take turns, so that one account's
// backlog delays that account alone.
import * as Effect from "effect/Effect"
import type { AccountId } from "../../../domain/Account.ts"
import type { Alert } from "../../../domain/Alert.ts"
import { type MarketId, marketKey } from "../../../domain/Market.ts"
import type { Partition } from "../../../domain/Partition.ts"
import type { Strategy } from "../../../domain/Strategy.ts"
import * as ChangeSignal from "../../records/ChangeSignal.ts"
import { Room } from "../Room.ts"
import { Fifo } from "./Fifo.ts"
import { Lane } from "./Lane.ts"

/** The lanes of all accounts with something to judge. */
export class Backlog {
  readonly #lanes = new Map<AccountId, Lane>()
  readonly #row = new Fifo<Lane>()
  /** Every alert up to this id is in a lane, judged, or behind the cut of a lane. */
  front: number
  /** The same for each partition: some were read further than `front`, before others began that were not. */
  readonly #read = new Map<Partition, number>()

  readonly #bell = ChangeSignal.ofChanges()
  readonly #room: Room

  constructor(front: number, room: Room = new Room()) {
    this.front = front
    this.#room = room
  }

  /** Ends when partitions or alerts were added, or a bot was deferred, since the last call of `hear`. */
  get rings(): Effect.Effect<void> {
    return this.#bell.rings
  }

  /** Takes note of all that has rung, which the lanes hold by now; whether they hold anything. */
  hear(): boolean {
    this.#bell.reading()
    return !this.isEmpty
  }

  /** Rings where something is left: a turn of prices may have judged some, while the loop of alerts waits for the bell. */
  readonly remind = Effect.sync(() => {
    if (!this.isEmpty) this.#bell.changed()
  })

  get isEmpty(): boolean {
    return this.#lanes.size === 0
  }

  /** Whether every alert up to this id is judged, and no bot is left that has to look at prices. */
  isDoneUpTo(id: number): boolean {
    if (this.front < id) return false
    for (const { due, oldest } of this.#lanes.values())
      if (due.size > 0 || (oldest ?? Number.POSITIVE_INFINITY) <= id) return false
    return true
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

  /** The same for a partition alone. */
  frontOf(partition: Partition): number {
    return Math.max(this.front, this.#read.get(partition) ?? 0)
  }

  /**
   * Adds partitions that are judged up to their cursors. Reading begins anew at the lowest of them, and passes what was
   * read already for the others.
   */
  begin(cursors: ReadonlyMap<Partition, number>): void {
    const isFirst = this.#read.size === 0
    for (const partition of this.#read.keys()) this.#read.set(partition, this.frontOf(partition))
    for (const [partition, cursor] of cursors) this.#read.set(partition, cursor)
    this.front = Math.min(isFirst ? Number.POSITIVE_INFINITY : this.front, ...cursors.values())
    // Their alerts are in the journal already, and its bell rings for new ones only.
    this.#bell.changed()
  }

  /** Drops partitions, with all that they have left to judge. */
  end(some: ReadonlySet<Partition>): void {
    for (const partition of some) this.#read.delete(partition)
    for (const lane of [...this.#lanes.values()]) {
      if (!some.has(lane.partition)) continue
      lane.clear()
      this.#forget(lane)
    }
  }

  /** Adds an alert for the strategies of one account. */
  add(account: AccountId, alert: Alert, strategies: ReadonlyArray<Strategy>): void {
    if (strategies.length === 0) return
    const lane = this.#laneOf(account)
    if (lane.cutAt === undefined && lane.hasRoomFor(strategies.length)) lane.add(alert, strategies)
    else lane.cut(alert, strategies)
    // Reading the journal silences its bell, also when it was a request or the prices that read.
    this.#bell.changed()
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
      behind.set(partition, Math.min(behind.get(partition) ?? this.frontOf(partition), oldest - 1))
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

  #forget(lane: Lane): void {
    // One that was dropped may still have its turn, while the account has another by now.
    if (this.#lanes.get(lane.account) !== lane) return
    this.#lanes.delete(lane.account)
    this.#room.lanes = this.#lanes.size
  }
}
