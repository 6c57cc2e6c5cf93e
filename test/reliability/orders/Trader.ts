// A strategy on one market with a signal of its own: sends alerts and waits for their results.
import * as Schema from "effect/Schema"
import { type MarketKind, quoteOf } from "../../../src/domain/Market.ts"
import type { Trade } from "../../../src/domain/Trade.ts"
import { slotKey } from "../../exchanges/Protocol.ts"
import { middleOf } from "../Chart.ts"
import { must, until } from "../prices/until.ts"
import { type Facts, Records } from "./Records.ts"
import type { Coin } from "./Venue.ts"
import { Accounts, Figures, Mode, type OrderView, OrderViews, Outcomes, Timeline } from "./Views.ts"
import { ACCOUNT, type Owned, type World } from "./World.ts"

/** The stubs' fee (percent), which paper uses too. */
const FEE = 0.1
const MOST_TRIES = 30
/** How far a quote may be from its price: one step of the market. */
const NEAR = 1e-3
/** Longer than a batch of prices is under way to the bots on a busy machine (ms). */
const BATCH_MS = 1_000
/** How long an order may take from the alert to the books without a fault. */
export const SOON_MS = 20_000

/** The usual terms of an arming. */
export interface Terms {
  readonly capital: number
  readonly maxOrder: number
  readonly maxDailyLoss: number
  readonly isProtected: boolean
}
export const TERMS: Terms = { capital: 10_000, maxOrder: 5_000, maxDailyLoss: 2_000, isProtected: false }

export interface Wanted {
  readonly settings?: object
  readonly terms?: Partial<Terms>
  readonly kind?: MarketKind
  /** Whether the case arms by itself. */
  readonly isArmed?: boolean
  /** Whether others trade on its market too. */
  readonly isShared?: boolean
}

/** Creates the strategy, and arms it unless its owner trades on paper. */
export class Trader extends Records {
  readonly #signal: number

  private constructor(facts: Facts, signal: number) {
    super(facts)
    this.#signal = signal
  }

  static async make(world: World, owner: Owned, coin: Coin, wanted: Wanted = {}): Promise<Trader> {
    const { venue } = owner
    const slot = venue.slot(coin, wanted.kind)
    venue.move(slot, 100)
    const own = world.ownerOf(owner)
    const signal = await own.signal(`${owner.name} ${slotKey(slot)}`)
    const strategy = await own.strategy(signal, [slot.pair], {
      default_exchange_name: venue.name,
      default_quote_currency: quoteOf(slot.pair),
      exchanges: [{ exchange_name: venue.name, coin_pairs: [slot.pair] }],
      // The capital suffices for each exchange's smallest order, also after a loss.
      ...{ maker_fee: FEE, taker_fee: FEE, buy_percentage: 20 },
      ...wanted.settings
    })
    const trader = new Trader({ world, owner, slot, strategy, isShared: wanted.isShared === true }, signal)
    if (!owner.isPaper && wanted.isArmed !== false) await trader.#armed(wanted.terms)
    return trader
  }

  /** Arms in two requests, as the dashboard does. */
  async arm(terms: Partial<Terms> = {}): Promise<Mode> {
    const { capital, isProtected, maxDailyLoss, maxOrder } = { ...TERMS, ...terms }
    const account = await this.#account()
    const draft = {
      ...{ account, capital, max_order: maxOrder, max_daily_loss: maxDailyLoss },
      protective_stop: isProtected
    }
    const asked = await this.#arming(draft)
    must(asked.confirmation !== null && asked.mode === "paper", "arming was not asked to be confirmed")
    const mode = await this.#arming({ ...draft, confirmation: asked.confirmation?.token })
    must(mode.mode === "live", `armed, it is ${mode.mode}`)
    return mode
  }

  /** Repeats a request, because an exchange may refuse too many at once, and a busy server asks for it. */
  async #armed(terms: Partial<Terms> = {}): Promise<void> {
    for (let tries = 1; ; tries++) {
      const failure = await this.arm(terms).then(
        () => undefined,
        (error) => error
      )
      if (failure === undefined) return
      // A request that was answered too late may have armed it.
      if (tries > 1 && `${failure}`.includes("armed_already")) return
      if (tries === MOST_TRIES || !`${failure}`.includes("unavailable")) throw failure
      await Bun.sleep(3000)
    }
  }

  /** Disarms by the command, which leaves the work to the server. */
  armByCommand(terms: Partial<Terms> = {}, yes = true) {
    const { capital, isProtected, maxDailyLoss, maxOrder } = { ...TERMS, ...terms }
    return this.world.command([
      ...["strategy", "arm", `${this.strategy}`, "--account", ACCOUNT, "--capital", `${capital}`],
      ...["--max-order", `${maxOrder}`, "--max-daily-loss", `${maxDailyLoss}`],
      ...(isProtected ? ["--protective-stop"] : []),
      ...(yes ? ["--yes"] : [])
    ])
  }

  async disarm(how: "" | "close=1" | "forget=1" = ""): Promise<Mode> {
    const path = `/v1/strategies/${this.strategy}/arming${how === "" ? "" : `?${how}`}`
    return Schema.decodeUnknownSync(Mode)(await this.world.ask(this.owner, path, { method: "DELETE" }))
  }

  async mode(): Promise<Mode> {
    return Schema.decodeUnknownSync(Mode)(
      await this.world.ask(this.owner, `/v1/strategies/${this.strategy}/arming`)
    )
  }

  async orderViews(): Promise<ReadonlyArray<OrderView>> {
    const answer = await this.world.ask(this.owner, `/v1/strategies/${this.strategy}/orders`)
    return Schema.decodeUnknownSync(OrderViews)(answer).data
  }

  /** The orders as the command prints them. */
  async orderViewsByCommand(): Promise<ReadonlyArray<OrderView>> {
    const printed: unknown = JSON.parse(
      await this.world.said(["strategy", "orders", `${this.strategy}`, "--json"])
    )
    return Schema.decodeUnknownSync(OrderViews)(Array.isArray(printed) ? { data: printed } : printed).data
  }

  async summary() {
    const answer = await this.world.ask(this.owner, `/v1/strategies/${this.strategy}`)
    return Schema.decodeUnknownSync(Figures)(answer).performance.summary
  }

  /** The texts of its timeline, newest first. */
  async told(): Promise<ReadonlyArray<string>> {
    const answer = await this.world.ask(this.owner, `/v1/strategies/${this.strategy}/timeline`)
    return Schema.decodeUnknownSync(Timeline)(answer).data.map(({ rule, text }) => `${rule}: ${text}`)
  }

  /** Moves the price, and waits until the server has it, so that later decisions use it. */
  async moved(price: number): Promise<void> {
    // The chart comes after the bots: one that shows the price of before may be older than the price that stopped them.
    await this.#charted(this.owner.venue.quoteOf(this.slot).last)
    this.move(price)
    await this.#charted(price)
    // The bots get prices in batches, and decide at the price that they have.
    await Bun.sleep(BATCH_MS)
  }

  async #charted(price: number): Promise<void> {
    const { owner, slot, strategy, world } = this
    const isThere = async () => {
      const middle = await middleOf((path) => world.fetch(owner, path), strategy, owner.venue.name, slot)
      return middle !== undefined && Math.abs(middle / price - 1) < NEAR
    }
    await until(`price of ${price} in the chart`, isThere, SOON_MS)
  }

  /** Sends an alert by the webhook; returns a function that reads its outcome. */
  async alert(type: string, targets: object = {}): Promise<() => Promise<string | undefined>> {
    const sent = await this.world.server.fetch(`/v1/signals/charting?key=${this.owner.key}`, {
      method: "POST",
      body: JSON.stringify({
        ...{ signal_id: this.#signal, coin: this.base, quote_currency: quoteOf(this.slot.pair), type },
        ...targets
      })
    })
    await sent.arrayBuffer()
    must(sent.status === 200, `an alert was answered ${sent.status}`)
    const path = sent.headers.get("location") ?? ""
    return async () => {
      const { outcomes } = Schema.decodeUnknownSync(Outcomes)(await this.world.ask(this.owner, path))
      return outcomes.find(({ strategy_id }) => strategy_id === this.strategy)?.reason
    }
  }

  /** Sends an alert and waits for its outcome. */
  async judged(type: string, targets: object = {}): Promise<string> {
    const read = await this.alert(type, targets)
    let reason: string | undefined
    const isJudged = async () => {
      reason = await read()
      return reason !== undefined
    }
    await until(`outcome of ${type}`, isJudged, SOON_MS)
    return reason ?? ""
  }

  /** Sends an alert that must have this outcome. */
  async expect(type: string, reason: string, targets: object = {}): Promise<void> {
    const came = await this.judged(type, targets)
    must(came === reason, `${type} was recorded as ${came}, not as ${reason}`)
  }

  /** Enters by an alert, and waits until the position is whole. */
  async open(withinMs = SOON_MS, type = "buy"): Promise<void> {
    await this.expect(type, "opened")
    await this.explained(until("position", () => this.position !== undefined && this.isIdle, withinMs))
  }

  /** Leaves by an alert, and waits for the trade. */
  async close(withinMs = SOON_MS, type = "sell"): Promise<Trade> {
    const count = this.trades.length
    await this.expect(type, "closed")
    return this.closed(count + 1, withinMs)
  }

  /** Waits until so many trades are complete; returns the last one. */
  async closed(count: number, withinMs = SOON_MS): Promise<Trade> {
    const isThere = () => this.trades.length >= count && this.isIdle
    await this.explained(until(`trade ${count}`, isThere, withinMs))
    const last = this.trades.at(-1)
    if (last === undefined) throw new Error("there is no trade")
    return last
  }

  /** A wait whose failure says what became of the trader's orders. */
  async explained<A>(wait: Promise<A>): Promise<A> {
    return wait.catch(async (error) => {
      const told = (await this.told()).slice(0, 4).join(" / ")
      const sent = this.orders.map(({ order, status }) => `${order.side} ${status}`).slice(-3)
      throw new Error(`${error instanceof Error ? error.message : error}: ${sent.join(", ")}; ${told}`)
    })
  }

  async #arming(draft: object): Promise<Mode> {
    const answer = await this.world.ask(this.owner, `/v1/strategies/${this.strategy}/arming`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(draft)
    })
    return Schema.decodeUnknownSync(Mode)(answer)
  }

  async #account(): Promise<number> {
    const answer = await this.world.ask(this.owner, "/v1/exchange-accounts")
    const { data } = Schema.decodeUnknownSync(Accounts)(answer)
    const found = data.find(({ name }) => name === ACCOUNT)
    if (found === undefined) throw new Error("the exchange account is not connected")
    return found.id
  }
}
