// A strategy on one market of one exchange with a signal of its own, for the cases about prices.
import * as Schema from "effect/Schema"
import { BotState } from "../../../src/domain/Bot.ts"
import { Fill } from "../../../src/domain/Fill.ts"
import { baseOf, quoteOf } from "../../../src/domain/Market.ts"
import type { Position } from "../../../src/domain/Position.ts"
import { Trade } from "../../../src/domain/Trade.ts"
import { type Slot, slotKey } from "../../exchanges/Protocol.ts"
import { middleOf } from "../Chart.ts"
import { must, until } from "./until.ts"
import type { Venue } from "./Venue.ts"
import type { World } from "./World.ts"

/** The fees (percent) that the server gets and that are computed here again. */
export const FEES = { maker: 0.1, taker: 0.2 }
const OPEN_MS = 12_000

const Outcomes = Schema.Struct({
  outcomes: Schema.Array(Schema.Struct({ strategy_id: Schema.Int, reason: Schema.String }))
})

export class Bot {
  readonly strategy: number
  readonly slot: Slot
  readonly #world: World
  readonly #at: Pick<Venue, "name">
  readonly #signal: number

  private constructor(world: World, at: Pick<Venue, "name">, slot: Slot, signal: number, strategy: number) {
    this.#world = world
    this.#at = at
    this.slot = slot
    this.#signal = signal
    this.strategy = strategy
  }

  static async make(world: World, at: Pick<Venue, "name">, slot: Slot, settings: object = {}): Promise<Bot> {
    const signal = await world.owner.signal(`${at.name} ${slotKey(slot)}`)
    const strategy = await world.owner.strategy(signal, [slot.pair], {
      default_exchange_name: at.name,
      default_quote_currency: quoteOf(slot.pair),
      exchanges: [{ exchange_name: at.name, coin_pairs: [slot.pair] }],
      maker_fee: FEES.maker,
      taker_fee: FEES.taker,
      ...settings
    })
    return new Bot(world, at, slot, signal, strategy)
  }

  /** The middle of its market's last price that the server accepted. */
  middle(): Promise<number | undefined> {
    return middleOf((path) => this.#world.fetch(path), this.strategy, this.#at.name, this.slot)
  }

  /** Sends an alert; returns a function that reads its outcome. */
  async alert(type: string): Promise<() => Promise<string | undefined>> {
    const sent = await this.#world.fetch("/v1/signals/alert", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        signal_id: this.#signal,
        coin: baseOf(this.slot.pair),
        quote_currency: quoteOf(this.slot.pair),
        type
      })
    })
    await sent.arrayBuffer()
    must(sent.status === 200, `an alert was answered ${sent.status}`)
    const path = sent.headers.get("location") ?? ""
    return async () => {
      const answer = await this.#world.fetch(path)
      const { outcomes } = Schema.decodeUnknownSync(Outcomes)(await answer.json())
      return outcomes.find(({ strategy_id }) => strategy_id === this.strategy)?.reason
    }
  }

  /** Sends an alert and waits for its outcome. */
  async told(type: string, withinMs: number): Promise<string> {
    const read = await this.alert(type)
    let reason: string | undefined
    await until(
      `outcome of ${type}`,
      async () => {
        reason = await read()
        return reason !== undefined
      },
      withinMs
    )
    return reason ?? ""
  }

  /** Opens a position, long by default. */
  async open(type = this.slot.kind === "spot" ? "buy" : "long"): Promise<Position> {
    const reason = await this.told(type, OPEN_MS)
    must(reason === "opened", `${type} was recorded as ${reason}`)
    await until("position", () => this.position !== undefined, OPEN_MS)
    const { position } = this
    if (position === undefined) throw new Error("the position is gone at once")
    return position
  }

  /** Waits until so many trades are complete; returns the last one. */
  async closed(count: number, withinMs: number): Promise<Trade> {
    await until("exit", () => this.trades.length >= count, withinMs)
    const last = this.trades.at(-1)
    if (last === undefined) throw new Error("there is no trade")
    return last
  }

  get position(): Position | undefined {
    const [bot] = this.#world.rows((rows) =>
      rows.all(StateRow, `SELECT state FROM bots WHERE strategy_id = ${this.strategy}`)
    )
    return Object.values(bot?.state.slots ?? {}).find(({ kind }) => kind === this.slot.kind)?.position
  }

  get trades(): ReadonlyArray<Trade> {
    return this.#world
      .rows((rows) =>
        rows.all(TradeRow, `SELECT trade FROM trades WHERE strategy_id = ${this.strategy} ORDER BY id`)
      )
      .map(({ trade }) => trade)
  }

  get fills(): ReadonlyArray<Fill> {
    return this.#world
      .rows((rows) =>
        rows.all(FillRow, `SELECT fill FROM fills WHERE strategy_id = ${this.strategy} ORDER BY id`)
      )
      .map(({ fill }) => fill)
  }

  /** Deletes the strategy. */
  async end(): Promise<void> {
    const answer = await this.#world.fetch(`/v1/strategies/${this.strategy}`, {
      method: "DELETE"
    })
    must(answer.status === 200, `deleting a strategy was answered ${answer.status}`)
  }
}

const StateRow = Schema.Struct({ state: Schema.parseJson(BotState) })
const TradeRow = Schema.Struct({ trade: Schema.parseJson(Trade) })
const FillRow = Schema.Struct({ fill: Schema.parseJson(Fill) })
