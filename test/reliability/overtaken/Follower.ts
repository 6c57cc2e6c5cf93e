// One chart and the strategy that follows it: sends the chart's messages until they are answered, and compares the
// position with the chart's.

import * as Schema from "effect/Schema"
import { BotState } from "../../../src/domain/Bot.ts"
import * as Decimal from "../../../src/domain/Decimal.ts"
import type { SeededRandom } from "../../../src/testing/SeededRandom.ts"
import type { Fill } from "../../lib/pine/Broker.ts"
import { messageOf } from "../../lib/pine/Message.ts"
import type { World } from "../orders/World.ts"
import type { Rows } from "../Rows.ts"

/** A message as its sender knows it. */
interface Message {
  readonly name: string
  readonly body: object
  /** The path of its alert, once it was answered. */
  location?: string
}

/** What the chart holds, in contracts: negative for a short. */
const SIZES = [-3, -2, -1, 0, 1, 2, 3] as const
/** How many amount steps a position may be from the chart's ratio: each change may round by one. */
const STEPS_APART = 4
/** How much earlier than its deadline a message has to have come to count as one in time (ms). */
const IN_TIME_MS = 1_500

const StateRow = Schema.Struct({ state: Schema.parseJson(BotState) })
const NoteRow = Schema.Struct({
  at: Schema.Int,
  rule: Schema.String,
  alert: Schema.NullOr(Schema.Int),
  reason: Schema.NullOr(Schema.String)
})
const TimeRow = Schema.Struct({ received: Schema.Int })

export class Follower {
  readonly signal: number
  readonly strategy: number
  readonly coin: string
  readonly #step: number
  /** What the chart holds now. */
  size = 0
  /** All alerts, for the outcomes. */
  readonly locations: Array<string> = []
  readonly #key: string
  readonly #dice: SeededRandom
  #count = 0
  #early: Message | undefined
  #late: Message | undefined
  /** What the chart held before the two orders of one bar, and between them. */
  #before = 0
  #middle = 0
  /** What the bot held for one contract before the messages that overtake each other. */
  #perContract = 0

  /** `step` is the amount step of the coin's perpetual. */
  constructor(
    key: string,
    { coin, step }: { readonly coin: string; readonly step: number },
    ids: { readonly signal: number; readonly strategy: number },
    dice: SeededRandom
  ) {
    this.#key = key
    this.coin = coin
    this.#step = step
    this.signal = ids.signal
    this.strategy = ids.strategy
    this.#dice = dice
  }

  /** The chart opens or changes a position; where a message came too late before, it closes the old one first. */
  async settle(base: () => string | undefined, world: World, judged: () => Promise<void>): Promise<void> {
    const held = () => world.rows((rows) => this.heldBy(rows))
    if (this.size !== 0 && Math.sign(this.size) !== Math.sign(held())) {
      await this.send(base, this.#message(0))
      await judged()
    }
    const other = this.#other(this.size)
    await this.send(base, this.#message(other === 0 ? -this.size : other))
    await judged()
    this.#perContract = held() / this.size
  }

  /** Two orders of one bar: the message of the second comes first. */
  draw(): void {
    this.#before = this.size
    this.#middle = this.#other(this.size)
    this.#early = this.#message(this.#middle)
    this.#late = this.#message(this.#other(this.#middle))
  }

  /** Sends the message that comes too early, or the one that belongs before it. */
  async overtake(base: () => string | undefined): Promise<void> {
    if (this.#late !== undefined) await this.send(base, this.#late)
  }
  async follow(base: () => string | undefined): Promise<void> {
    if (this.#early !== undefined) await this.send(base, this.#early)
  }

  /** Whether the message that belongs before came in time. */
  isInTime(rows: Rows): boolean {
    if (this.#early === undefined || this.#late === undefined) return false
    return this.#received(rows, this.#early) - this.#received(rows, this.#late) < IN_TIME_MS
  }

  /** What is wrong with the position, if anything. */
  flaw(rows: Rows): string | undefined {
    const held = this.heldBy(rows)
    const way = `chart ${this.signal}: ${this.#middle} then ${this.size} (${this.#history(rows)})`
    if (Math.sign(held) !== Math.sign(this.size)) return `${way}, and the bot holds ${held}`
    const sides = [this.#before, this.#middle, this.size].map(Math.sign)
    if (sides.some((side) => side !== sides[0]) || this.size === 0) return undefined
    const apart = Math.abs(held - this.size * this.#perContract) / this.#step
    return apart <= STEPS_APART ? undefined : `${way}, and the bot holds ${held}, ${apart} steps apart`
  }

  /** What its timeline says since the message that came too early, in ms from then on. */
  #history(rows: Rows): string {
    const from = this.#late === undefined ? 0 : this.#received(rows, this.#late)
    const notes = rows.all(
      NoteRow,
      `SELECT at, rule, alert_id AS alert, reason FROM timeline
        WHERE strategy_id = ${this.strategy} AND at >= ${from - 100} ORDER BY id LIMIT 8`
    )
    const came = this.#early === undefined ? 0 : this.#received(rows, this.#early) - from
    const shown = notes.map(({ alert, at, reason, rule }) =>
      [`${at - from}`, rule, alert ?? "", reason ?? ""].filter((word) => word !== "").join(" ")
    )
    return `the other came after ${came}; ${shown.join(", ")}`
  }

  #received(rows: Rows, { location = "" }: Message): number {
    const sql = `SELECT received_at AS received FROM alerts WHERE id = ${idOf(location)}`
    return rows.all(TimeRow, sql)[0]?.received ?? 0
  }

  /** Whether no order is under way, and no second leg of a turn waits. */
  isIdle(rows: Rows): boolean {
    const { order, turn } = this.#slot(rows) ?? {}
    return (order ?? turn) === undefined
  }

  /** The signed quantity of its perpetual. */
  heldBy(rows: Rows): number {
    const position = this.#slot(rows)?.position
    if (position === undefined) return 0
    return Decimal.toNumber(position.quantity) * (position.side === "long" ? 1 : -1)
  }

  #slot(rows: Rows) {
    const [bot] = rows.all(StateRow, `SELECT state FROM bots WHERE strategy_id = ${this.strategy}`)
    return Object.values(bot?.state.slots ?? {}).find(({ kind }) => kind === "swap")
  }

  #other(size: number): number {
    return this.#dice.pick(SIZES.filter((one) => one !== size))
  }

  #message(after: number): Message {
    const before = this.size
    this.size = after
    const fill: Fill = {
      id: `order ${this.#count}`,
      action: after > before ? "buy" : "sell",
      ...{ contracts: Math.abs(after - before), time: 0, price: 0, before, after }
    }
    return {
      name: `chart-${this.signal}-${this.#count++}`,
      body: { ...messageOf(fill, `${this.coin}USDT.P`), signal_id: `${this.signal}` }
    }
  }

  /** Sends a message until it is answered, as a relay does that keeps what it could not deliver. */
  async send(base: () => string | undefined, message: Message): Promise<void> {
    while (message.location === undefined) {
      const server = base()
      const answer =
        server === undefined
          ? undefined
          : await fetch(`${server}/v1/signals/charting?key=${this.#key}`, {
              method: "POST",
              headers: { "content-type": "application/json", "idempotency-key": message.name },
              body: JSON.stringify(message.body),
              signal: AbortSignal.timeout(5_000)
            }).catch(() => undefined)
      await answer?.arrayBuffer().catch(() => {})
      if (answer !== undefined && answer.status !== 200)
        throw new Error(`a chart's message was answered ${answer.status}`)
      if (answer === undefined) await Bun.sleep(5)
      else message.location = answer.headers.get("location") ?? ""
    }
    this.locations.push(message.location)
  }
}

const idOf = (location: string): number => Number(location.split("/").at(-1))
