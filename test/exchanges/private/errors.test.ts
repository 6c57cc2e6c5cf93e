// What goes wrong, as the library tells it: the table that the reading of its errors is built on. Written anew with
// UPDATE_ERRORS=1 in the environment.
import { expect, test } from "bun:test"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fieldOf } from "../../../src/ccxt/Field.ts"
import { EXCHANGE_NAMES, type KnownExchange, Pair } from "../../../src/domain/Market.ts"
import type { StubMarket } from "../Protocol.ts"
import { protocols } from "../protocols.ts"
import { Stub } from "../Stub.ts"
import { type Flaw, ORDER_FLAWS } from "./Flaw.ts"
import { open, type TradingClient } from "./open.ts"
import type { Kind } from "./Private.ts"
import type { Trouble } from "./Trouble.ts"

const FILE = join(import.meta.dir, "errors.txt")
const SYMBOL = "BTC/USDT"
const market: StubMarket = {
  ...{ pair: Pair.make(SYMBOL), kind: "spot", priceStep: "0.01", amountStep: "0.0001" },
  ...{ minAmount: "0.0002", minCost: "5" }
}

type Ask = (exchange: TradingClient, id: string) => Promise<unknown>
const asks: Readonly<Record<"place" | "cancel" | "order" | "open" | "closed" | "trades" | "balance", Ask>> = {
  place: (exchange) => exchange.createOrder(SYMBOL, "limit", "buy", 0.001, 50_000),
  cancel: (exchange, id) => exchange.cancelOrder(id, SYMBOL),
  order: (exchange, id) => exchange.fetchOrder(id, SYMBOL, { acknowledged: true }),
  open: (exchange) => exchange.fetchOpenOrders(SYMBOL),
  closed: (exchange) => exchange.fetchClosedOrders(SYMBOL),
  trades: (exchange) => exchange.fetchMyTrades(SYMBOL),
  balance: async (exchange) => fieldOf(await exchange.fetchBalance(), "USDT")
}
type Asked = keyof typeof asks

const both = (name: string, trouble: (when: "before" | "after") => Trouble) =>
  (["before", "after"] as const).map((when) => [`${name} ${when}`, trouble(when)] as const)
const troubles: ReadonlyArray<readonly [string, Trouble]> = [
  ...both("cut", (when) => ({ how: "cut", when })),
  ...both("no answer", (when) => ({ how: "hang", when })),
  ...both("page with 500", (when) => ({ how: "status", status: 500, when })),
  ...both("page with 504", (when) => ({ how: "status", status: 504, when })),
  ["page with 418", { how: "status", status: 418, when: "before", retryAfter: 7 }],
  ["page with 429", { how: "status", status: 429, when: "before", retryAfter: 7 }],
  ["page with 403", { how: "status", status: 403, when: "before" }],
  ["truncated 200", { how: "truncated", when: "after" }],
  ["page with 200", { how: "nonsense", when: "after" }],
  ["empty 200", { how: "empty", when: "after" }]
]

/** Of what is wrong with any request, what is asked of two; the rest only of orders. */
const ANY: ReadonlySet<Flaw> = new Set<Flaw>([
  ...(["no_key", "bad_key", "bad_signature", "bad_passphrase", "clock", "no_permission"] as const),
  ...(["limited", "banned", "busy", "maintenance", "timeout"] as const)
])
const flawsOf = (kind: Asked): ReadonlyArray<Flaw> =>
  kind === "place"
    ? ORDER_FLAWS
    : kind === "cancel"
      ? [...ANY, "not_open"]
      : kind === "order"
        ? [...ANY, "unknown_order"]
        : ["bad_key", "limited"]

const SAME = /before$|^page with [45]/

class Bench {
  readonly #stub: Stub
  readonly #exchange: TradingClient

  constructor(stub: Stub, exchange: TradingClient) {
    this.#stub = stub
    this.#exchange = exchange
  }

  static readonly make = async (name: KnownExchange): Promise<Bench> => {
    const stub = await Stub.start(protocols[name], [market])
    const { funds } = stub.desk.book
    funds.set("USDT", "100000")
    stub.quote(market, { bid: 60_000, ask: 60_010, last: 60_005 })
    const exchange = await open(name, stub)
    await exchange.loadMarkets()
    await exchange.fetchBalance()
    await exchange.createOrder(SYMBOL, "limit", "buy", 0.001, 60_020)
    return new Bench(stub, exchange)
  }

  readonly stop = async (): Promise<void> => {
    await this.#exchange.close()
    await this.#stub.stop()
  }

  /** The error's class, `answers` or `nothing`; `+` where it was done all the same, `x2` where it was sent twice. */
  readonly cell = async (
    kind: Asked,
    plan: (bench: Stub) => void,
    isQuick = false,
    isHidden = false
  ): Promise<string> => {
    const { book, troubles } = this.#stub.desk
    book.hideMs = isHidden ? 60_000 : 0
    const id = String(fieldOf(await asks.place(this.#exchange, ""), "id"))
    const target = book.orders.at(-1)
    if (target === undefined) throw new Error("no order")
    const before = { orders: book.orders.length, calls: this.#stub.desk.count(kind) }
    plan(this.#stub)
    this.#exchange.timeout = isQuick ? 80 : 10_000
    const said = await asks[kind](this.#exchange, id).then(outcome, nameOf)
    this.#exchange.timeout = 10_000
    const isDone = kind === "place" ? book.orders.length > before.orders : kind === "cancel" && target.isDone
    const sent = this.#stub.desk.count(kind) - before.calls
    troubles.clear()
    book.hideMs = 0
    cancelAll(this.#stub)
    return `${said}${isDone ? "+" : ""}${sent > 1 ? ` x${sent}` : ""}`
  }
}

const outcome = (answer: unknown): string => {
  const isThere = Array.isArray(answer)
    ? answer.length > 0
    : (fieldOf(answer, "id") ?? fieldOf(answer, "free"))
  return isThere ? "answers" : "nothing"
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.constructor.name : String(error))

const cancelAll = ({ desk: { book } }: Stub): void => {
  for (const order of book.orders) if (!order.isDone) book.cancel(order)
}

const column = async (name: KnownExchange): Promise<ReadonlyArray<readonly [string, string]>> => {
  const bench = await Bench.make(name)
  const cells: Array<readonly [string, string]> = []
  const kinds: ReadonlyArray<Asked> = ["place", "cancel", "order", "open", "closed", "trades", "balance"]
  const planned = (kind: Kind, trouble: Trouble) => (stub: Stub) => stub.desk.troubles.plan(kind, trouble)
  for (const kind of kinds) {
    for (const [label, trouble] of troubles) {
      // To readers it is all the same whether it was done, and what is said without a word to all.
      if (kind !== "place" && kind !== "cancel" && SAME.test(label)) continue
      cells.push([
        `${kind}: ${label}`,
        await bench.cell(kind, planned(kind, trouble), trouble.how === "hang")
      ])
    }
    for (const flaw of flawsOf(kind)) {
      // Whoever returns the order that has the id does not refuse.
      if (flaw === "duplicate_id" && name === "coinbase") cells.push([`${kind}: ${flaw}`, "answers"])
      else if (flaw === "unknown_order")
        cells.push([`${kind}: ${flaw}`, await bench.cell(kind, () => {}, false, true)])
      else if (flaw === "not_open") cells.push([`${kind}: ${flaw}`, await bench.cell(kind, cancelAll)])
      else cells.push([`${kind}: ${flaw}`, await bench.cell(kind, planned(kind, { how: "refuse", flaw }))])
    }
  }
  await bench.stop()
  return cells
}

test("ccxt maps each exchange's errors to these classes", async () => {
  const columns = await Promise.all(EXCHANGE_NAMES.map((name) => column(name)))
  const labels = columns[0]?.map(([label]) => label) ?? []
  const lines = labels.map((label, at) => [label, ...columns.map((cells) => cells[at]?.[1] ?? "?")])
  const table = [["what happens", ...EXCHANGE_NAMES], ...lines]
  const widths = table[0]?.map((_, at) => Math.max(...table.map((line) => line[at]?.length ?? 0))) ?? []
  const text = `${table
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd()
    )
    .join("\n")}\n`
  if (Bun.env["UPDATE_ERRORS"] === "1" || !existsSync(FILE)) writeFileSync(FILE, text)
  expect(text).toBe(readFileSync(FILE, "utf8"))
}, 60_000)
