// The guide's page on real money, command by command: connect, arm, alert, order, fills, trade, halt.
import { mkdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import * as Schema from "effect/Schema"
import * as Decimal from "../../../src/domain/Decimal.ts"
import type { Market } from "../first/Market.ts"
import type { Newcomer } from "../first/Newcomer.ts"
import type { Receiver } from "../first/Receiver.ts"
import { inWords, type Steps } from "../first/Steps.ts"
import { must, until } from "../prices/until.ts"
import type { Screen } from "./Screen.ts"

interface Scene {
  readonly newcomer: Newcomer
  readonly market: Market
  readonly receiver: Receiver
  readonly screen: Screen
}

const STRATEGY = {
  ...{ name: "First steps", description: "", active: true, public: false, signal_id: 1 },
  ...{ default_quote_currency: "USDT", default_exchange_name: "binance", buy_percentage: 25 },
  exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT"] }],
  ...{ sell_minprofitpercent: 2, stop_loss: true, stop_loss_percentage: 4 }
}
const HIGHER = { bid: 62_000, ask: 62_010, last: 62_005 }
const SOON_MS = 15_000

const Trades = Schema.parseJson(
  Schema.Struct({
    data: Schema.Array(Schema.Struct({ pnl: Schema.Number, live: Schema.optional(Schema.Boolean) }))
  })
)

export const way = async (steps: Steps, scene: Scene): Promise<void> => {
  const { market, newcomer, receiver, screen } = scene
  const { desk } = market.stub
  desk.book.funds.set("USDT", "2000")

  await steps.take("a server has a signal, a strategy and a notification target", async () => {
    const folder = join(newcomer.home, ".config/signalbox")
    mkdirSync(folder, { recursive: true })
    const file = join(folder, "signalbox.toml")
    await Bun.write(file, `port = ${newcomer.port}\nexchange-urls = "binance=${market.stub.url}"\n`)
    await newcomer.serve()
    const [token = ""] = (await newcomer.said(["token", "create", "--account", "me"])).split("\n")
    newcomer.keep(token)
    const form = { name: "My signal", description: "", active: "1", public: "0" }
    await newcomer.ask("/v1/signals", { method: "POST", body: new URLSearchParams(form) }, 201)
    const headers = { "content-type": "application/json" }
    await newcomer.ask("/v1/strategies", { method: "POST", headers, body: JSON.stringify(STRATEGY) }, 201)
    const add = ["notify", "add", "webhook", "--account", "me", "--allow-private-targets"]
    const added = await newcomer.said(add, `${receiver.address}\n`)
    receiver.keep(added.split("\n")[0] ?? "")
    const streams = async () => /"state":"streaming"/.test(await newcomer.ask("/healthz"))
    await until("prices that stream", streams, SOON_MS)
    return undefined
  })

  await steps.take("account connect reads keys from standard input", async () => {
    const { apiKey, secret } = desk.credentials
    desk.permissions.withdraw = true
    const greedy = await screen.tries("account connect binance --name main", `${apiKey}\n${secret}\n`)
    must(greedy.exitCode !== 0, "keys that may withdraw were taken")
    desk.permissions.withdraw = false
    await screen.types("account connect binance --name main", `${apiKey}\n${secret}\n`)
    const listed = await screen.types("account list")
    must(listed.includes("main") && !screen.seen.includes(secret), "keys are shown")
    const key = join(newcomer.home, ".config/signalbox/master.key")
    must((statSync(key).mode & 0o777) === 0o600, "others may read the master key")
    must(readFileSync(key).length >= 32, "the master key is short")
    return undefined
  })

  await steps.take("strategy arm sets its limits", async () => {
    const terms = "--account main --capital 1000 --max-order 300 --max-daily-loss 50"
    const hasty = await screen.tries(`strategy arm 1 ${terms}`)
    must(hasty.exitCode !== 0 && desk.count("place") === 0, "it was armed without --yes")
    const rich = await screen.tries(`strategy arm 1 ${terms.replace("1000", "100000")} --yes`)
    must(rich.exitCode !== 0, "it was armed with more than there is")
    await screen.types(`strategy arm 1 ${terms} --yes`)
    return undefined
  })

  await steps.take("an alert becomes an order with its fills", async () => {
    const began = performance.now()
    await paste(newcomer, "buy")
    await until("order at the exchange", () => desk.book.orders.length > 0, SOON_MS, 5)
    const ordered = performance.now() - began
    const filled = async () => /filled/.test(await newcomer.said(["strategy", "orders", "1"]))
    await until("fill", filled, SOON_MS)
    const shown = await screen.types("strategy orders 1")
    const [order] = desk.book.orders
    must(shown.includes("buy") && /BTC/.test(shown), shown)
    must(order?.ticket.clientId !== undefined, "the order bears no id of ours")
    await screen.asks("/v1/strategies/1/orders")
    return `at the exchange after ${inWords(ordered)}`
  })

  await steps.take("the profit is taken, and trade, summary and notification agree", async () => {
    const began = performance.now()
    market.move(HIGHER)
    await until("notification", () => receiver.of("take_profit").length > 0, SOON_MS, 5)
    const took = performance.now() - began
    screen.notes(`told: ${receiver.of("take_profit")[0]?.text}`)
    await screen.types("explain 1")
    await screen.types("strategy orders 1")
    const { data } = Schema.decodeUnknownSync(Trades)(await screen.asks("/v1/dashboard/strategies/1/trades"))
    const summary = await screen.asks("/v1/strategies/1")
    const made = Decimal.toNumber(desk.book.funds.total("USDT")) - 2000
    const net = Number(/"net_pnl": ?(-?[\d.]+)/.exec(summary)?.[1])
    const pnl = data[0]?.pnl ?? 0
    must(data.length === 1 && Math.abs(pnl - made) < 1e-6, `the trade made ${pnl}, the account ${made}`)
    must(Math.abs(net - pnl) < 1e-6, `the summary says ${net}`)
    return `told ${inWords(took)} after the price`
  })

  await steps.take("halt, resume and disarm take effect", async () => {
    await screen.types("halt")
    const orders = desk.book.orders.length
    const told = await paste(newcomer, "buy")
    const halted = async () => /"halted"/.test(await newcomer.ask(told))
    await until("outcome", halted, SOON_MS)
    screen.notes("an alert that would buy, meanwhile:")
    await screen.asks(told)
    must(desk.book.orders.length === orders, "an order was sent")
    await screen.asks("/v1/halt")
    await screen.types("resume")
    await screen.types("strategy disarm 1 --yes")
    await screen.asks("/v1/strategies/1/arming")
    return undefined
  })

  await steps.take("no notification is forged or sent twice", async () => {
    must(receiver.forged.length === 0, receiver.forged.join("; "))
    for (const { text } of receiver.told) screen.notes(`told: ${text}`)
    const ids = receiver.told.map(({ id }) => id)
    must(new Set(ids).size === ids.length, "something was told twice")
    return `${ids.length} notifications`
  })
}

/** Sends an alert as a charting platform would; returns the path of its record. */
const paste = async (newcomer: Newcomer, type: string): Promise<string> => {
  const token = newcomer.headers.authorization.slice("Bearer ".length)
  const body = JSON.stringify({ signal_id: 1, type, symbol: "BTCUSDT", time: new Date().toISOString() })
  const url = `${newcomer.address}/v1/signals/charting?key=${token}`
  const { headers, status } = await fetch(url, { method: "POST", body, keepalive: false })
  must(status === 200, `an alert was answered ${status}`)
  return headers.get("location") ?? ""
}
