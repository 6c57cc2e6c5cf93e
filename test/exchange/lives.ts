// Lives of orders on a stub that are drawn from a seed, with all that goes wrong on the way; and what is left of them.
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Pauses from "../../src/ccxt/Pauses.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { baseOf, isKnownExchange, type KnownExchange } from "../../src/domain/Market.ts"
import { type Order, OrderId } from "../../src/domain/Order.ts"
import { clientIdOf } from "../../src/exchange/orders/ClientId.ts"
import { Exchange, type Report, type Ticket } from "../../src/services/Exchange.ts"
import { fees } from "../../src/testing/Fixtures.ts"
import type { StubMarket } from "../exchanges/Protocol.ts"
import type { Order as StubOrder } from "../exchanges/private/Order.ts"
import type { Kind } from "../exchanges/private/Private.ts"
import type { Trouble } from "../exchanges/private/Trouble.ts"
import type { Stub } from "../exchanges/Stub.ts"
import { ACCOUNT, isSwapper, liveOn, SPOT, SWAP, seal, stubOf } from "./lib.ts"

/** What must not be: two orders of one id, orders that nobody knows of, and fills that are told otherwise. */
export interface Left {
  readonly doubles: number
  readonly orphans: number
  readonly differing: number
  /** How often each end was met. */
  readonly ends: Readonly<Record<string, number>>
  /** The first of each, in words. */
  readonly words: ReadonlyArray<string>
}

const TAG = "0123456789abcdef"
/** A request is given up that soon; what hangs costs so much. */
const REQUEST_MS = 60
/** So often in a row an order has to be found nowhere, once all is calm, until it is given up. */
const MISSING_TIMES = 3
const MOST_LOOKS = 400

/** Draws that are the same for the same seed. */
class Dice {
  #state: number
  constructor(seed: number) {
    this.#state = (seed * 2_654_435_761) >>> 0
  }
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  chance(of: number): boolean {
    return this.next() < of
  }
  pick<A>(all: ReadonlyArray<A>): A {
    const one = all[Math.floor(this.next() * all.length)]
    if (one === undefined) throw new Error("nothing to draw from")
    return one
  }
}

const troubleOf = (dice: Dice): Trouble => {
  const when = dice.pick(["before", "after"] as const)
  const how = dice.pick([
    "cut",
    "status",
    "truncated",
    "nonsense",
    "empty",
    "delay",
    "refuse",
    "hang"
  ] as const)
  switch (how) {
    case "status":
      return { how, when, status: dice.pick([500, 502, 503, 504, 403]) }
    case "delay":
      return { how, when, ms: dice.pick([5, 20, REQUEST_MS * 2]) }
    case "refuse":
      return {
        how,
        flaw: dice.pick(["busy", "maintenance", "timeout", "clock", "insufficient", "bad_request"])
      }
    default:
      return { how, when }
  }
}
const KINDS: ReadonlyArray<Kind> = ["place", "place", "cancel", "order", "open", "closed", "trades"]

/** One order, from its decision to its end. */
class Life {
  readonly #dice: Dice
  readonly #stub: Stub
  readonly #ask: Asking
  readonly #market: StubMarket
  readonly ticket: Ticket
  heard: Report | undefined

  constructor(dice: Dice, stub: Stub, ask: Asking, order: Order, market: StubMarket) {
    this.#dice = dice
    this.#stub = stub
    this.#ask = ask
    this.#market = market
    this.ticket = { order: seal(order), fees: fees(), at: order.at }
  }

  /** Until all is told of it that there ever will be. */
  readonly live = async (): Promise<void> => {
    const { desk } = this.#stub
    const { book, troubles } = desk
    for (let left = Math.floor(this.#dice.next() * 4); left > 0; left--)
      troubles.plan(this.#dice.pick(KINDS), troubleOf(this.#dice), this.#dice.pick([1, 1, 2]))
    book.hideMs = this.#dice.chance(0.3) ? 30 : 0
    book.lateFillsMs = this.#dice.chance(0.3) ? 30 : 0
    book.doubleFills = this.#dice.chance(0.2)
    book.fillsBeforeCancel = this.#dice.chance(0.2)
    book.patient = this.#dice.chance(0.3)
    if (this.#dice.chance(0.4)) book.supply(this.#market, this.#dice.pick(["0", "0.003", "0.005"]))
    if (this.#dice.chance(0.5)) book.ids = this.#dice.pick(["open", "ever"])

    this.#hear(await this.#ask.submit(this.ticket))
    if (this.#dice.chance(0.2)) await this.#again()
    if (this.#dice.chance(0.2)) await this.#ask.restart()
    for (let looks = Math.floor(this.#dice.next() * 3); looks > 0; looks--) await this.#look()
    if (this.ticket.order.type === "stop" && this.#dice.chance(0.4)) this.#cross()
    const isTaken = this.ticket.order.type === "stop" || book.patient
    if (isTaken && !this.#isOver()) this.#hear(await this.#ask.cancel(this.ticket))
    if (this.#dice.chance(0.1)) await this.#again()
    await this.#calm()
  }

  /** Sent once more, as after a crash: but what was surely turned down is over for whoever sends. */
  readonly #again = async (): Promise<void> => {
    if (this.heard?._tag !== "Rejected") this.#hear(await this.#ask.submit(this.ticket))
  }

  readonly #calm = async (): Promise<void> => {
    const { book, troubles } = this.#stub.desk
    troubles.clear()
    Object.assign(book, {
      hideMs: 0,
      lateFillsMs: 0,
      patient: false,
      fillsBeforeCancel: false,
      ids: undefined
    })
    this.#ask.calm()
    let missing = 0
    for (let looks = 0; looks < MOST_LOOKS && !this.#isOver(); looks++) {
      const report = await this.#look()
      missing = report._tag === "Missing" ? missing + 1 : 0
      if (missing >= MISSING_TIMES) {
        await Bun.sleep(REQUEST_MS * 2 + 10)
        if ((await this.#look())._tag === "Missing") break
        missing = 0
      }
      if (report._tag === "Accepted" || report._tag === "Filled")
        this.#hear(await this.#ask.cancel(this.ticket))
      if (report._tag !== "Missing" && !this.#isOver()) await Bun.sleep(2)
    }
    book.supply(this.#market, undefined)
  }

  readonly #look = async (): Promise<Report> => this.#hear(await this.#ask.lookup(this.ticket))

  readonly #hear = (report: Report): Report => {
    if (!this.#isOver()) this.heard = report
    return report
  }

  readonly #isOver = (): boolean =>
    this.heard?._tag === "Rejected" || (this.heard?._tag === "Filled" && this.heard.done)

  /** The market goes beyond the stop, and comes back. */
  readonly #cross = (): void => {
    const away = this.ticket.order.side === "sell" ? 40_000 : 80_000
    this.#stub.quote(this.#market, { bid: away - 5, ask: away + 5, last: away })
    this.#stub.quote(this.#market, QUOTE)
  }
}

const QUOTE = { bid: 60_000, ask: 60_010, last: 60_005 }

/** The adapter, made anew by `restart`: it remembers nothing then. */
interface Asking {
  readonly submit: (ticket: Ticket) => Promise<Report>
  readonly lookup: (ticket: Ticket) => Promise<Report>
  readonly cancel: (ticket: Ticket) => Promise<Report>
  readonly restart: () => Promise<void>
  /** No pause holds any more. */
  readonly calm: () => void
  readonly stop: () => Promise<void>
}

const askingOf = async (name: KnownExchange, stub: Stub): Promise<Asking> => {
  const none = Pauses.make()
  const start = () =>
    ManagedRuntime.make(
      liveOn(name, stub, { requestMs: REQUEST_MS, pauses: { ...none, pause: () => undefined } })
    )
  let runtime = start()
  await runtime.runtime()
  const ask = (what: "submit" | "lookup" | "cancel") => (ticket: Ticket) =>
    runtime.runPromise(
      Effect.flatMap(Exchange, (exchange) => exchange[what]?.(ticket) ?? Effect.die("it cannot cancel"))
    )
  return {
    submit: ask("submit"),
    lookup: ask("lookup"),
    cancel: ask("cancel"),
    restart: async () => {
      await runtime.dispose()
      runtime = start()
      await runtime.runtime()
    },
    calm: () => undefined,
    stop: () => runtime.dispose()
  }
}

const orderOf = (dice: Dice, exchange: KnownExchange, market: StubMarket, number: number): Order => {
  const type = dice.pick(["market", "market", "limit", "stop"] as const)
  const side = dice.pick(["buy", "sell"] as const)
  const isSpot = market.kind === "spot"
  const isExit = type === "stop" || (isSpot ? side === "sell" : dice.chance(0.3))
  const sold = isSpot && type === "stop" ? "sell" : side
  const step = isSpot ? "0.00001" : "0.0001"
  const quantity = Decimal.product(
    Decimal.fromNumber(Math.floor(100 + dice.next() * 900) * (isSpot ? 1 : 10)),
    Decimal.unsafeFromText(step)
  )
  return {
    ...{ exchange, pair: market.pair, kind: market.kind, type, quantity },
    id: OrderId.make(`${number}-1-0`),
    position: sold === "buy" ? "long" : "short",
    side: sold,
    price: type === "stop" ? (sold === "sell" ? 50_000.05 : 70_000.05) : 60_005,
    purpose: isExit ? "exit" : "entry",
    reserved: Decimal.zero,
    live: { account: ACCOUNT, tag: TAG },
    at: Date.now()
  }
}

/** What one life left behind, in words; nothing where all is well. */
const flawsOf = (
  stub: Stub,
  { heard, ticket: { order } }: Life
): ReadonlyArray<readonly [keyof Left, string]> => {
  const clientId = clientIdOf(TAG, order.id)
  const there = stub.desk.book.orders.filter(({ ticket }) => ticket.clientId === clientId)
  const flaws: Array<readonly [keyof Left, string]> = []
  const [first] = there
  const said = `${order.kind} ${order.type} ${order.side} ${order.id}: told ${heard?._tag}`
  if (there.length > 1) flaws.push(["doubles", `${said}, of ${there.length}`])
  if (first !== undefined && !first.isDone) flaws.push(["orphans", `${said}, still ${first.status}`])
  const filled = heard?._tag === "Filled" && heard.done ? heard.fills : undefined
  if (filled === undefined) {
    if (first !== undefined && first.fills.length > 0) flaws.push(["orphans", `${said}, but it has fills`])
    if (heard?._tag !== "Rejected" && heard?._tag !== "Missing") flaws.push(["orphans", said])
    return flaws
  }
  const ours = Decimal.sum(filled.map(({ quantity }) => quantity))
  const fee = Decimal.sum(filled.map((fill) => fill.fee))
  const theirs = first === undefined ? { amount: Decimal.zero, fee: Decimal.zero } : sumOf(first)
  if (!Decimal.equals(ours, theirs.amount) || Decimal.toNumber(Decimal.subtract(fee, theirs.fee)) > 1e-12)
    flaws.push(["differing", `${said} ${Decimal.toText(ours)}, not ${Decimal.toText(theirs.amount)}`])
  return flaws
}

/** What arrived of an order, and the worth of its fees in quote. */
const sumOf = ({ fills, ticket }: StubOrder) => {
  const base = baseOf(ticket.market.pair)
  const amounts = fills.map(({ amount, fee, feeAsset }) =>
    feeAsset === base && ticket.side === "buy" ? Decimal.subtract(amount, fee) : amount
  )
  const fees = fills.map(({ fee, feeAsset, price }) =>
    feeAsset === base ? Decimal.product(fee, price) : fee
  )
  return { amount: Decimal.sum(amounts), fee: Decimal.sum(fees) }
}

/** So many lives at one exchange, one after the other. */
export const lives = async (exchange: KnownExchange, seed: number, count: number): Promise<Left> => {
  const stub = await stubOf(exchange)
  const ask = await askingOf(exchange, stub)
  const sums = { doubles: 0, orphans: 0, differing: 0 }
  const words: Array<string> = []
  const ends: Record<string, number> = {}
  for (let number = 1; number <= count; number++) {
    const dice = new Dice(seed * 1_000_003 + number)
    const market = isSwapper(exchange) && dice.chance(0.4) ? SWAP : SPOT
    stub.desk.book.funds.set("USDT", "1000000")
    stub.desk.book.funds.set("BTC", "10")
    const life = new Life(dice, stub, ask, orderOf(dice, exchange, market, number), market)
    await life.live()
    for (const [kind, said] of flawsOf(stub, life)) {
      if (kind === "doubles" || kind === "orphans" || kind === "differing") sums[kind]++
      if (words.length < 20) words.push(`${exchange} seed ${seed} life ${number}: ${kind}: ${said}`)
    }
    const end = `${life.heard?._tag ?? "nothing"}`
    ends[end] = (ends[end] ?? 0) + 1
    stub.desk.book.orders.length = 0
    stub.desk.calls.length = 0
    stub.requests.length = 0
  }
  await ask.stop()
  await stub.stop()
  return { ...sums, ends, words }
}

if (import.meta.main) {
  const [, , name = "binance", seed = "1", count = "50"] = process.argv
  const begun = Date.now()
  const left = await lives(isKnownExchange(name) ? name : "binance", Number(seed), Number(count))
  console.log(left, `${Date.now() - begun} ms`)
}
