// `bun run sim orders [--lives N] [--seed S]`: lives of orders through the real engine and the real adapter, at stubs
// of all seven exchanges, with everything going wrong that can, in time that goes by ten times as fast.
import { Effect } from "effect"
import { ExchangeAccountId } from "../../../src/domain/Arming.ts"
import * as Decimal from "../../../src/domain/Decimal.ts"
import { EXCHANGE_NAMES, type MarketId } from "../../../src/domain/Market.ts"
import { StrategyId } from "../../../src/domain/StrategyId.ts"
import { StreamingFeed } from "../../../src/services/feeds/StreamingFeed.ts"
import { Portfolio } from "../../../src/services/Portfolio.ts"
import { MemoryState } from "../../../src/services/records/MemoryState.ts"
import { Signals } from "../../../src/services/Signals.ts"
import { Strategies } from "../../../src/services/Strategies.ts"
import { SeededRandom } from "../../../src/testing/SeededRandom.ts"
import * as Bot from "../../../src/trading/Bot.ts"
import * as Arming from "../../../src/trading/LiveSwitch.ts"
import * as Performance from "../../../src/trading/Performance.ts"
import { clientIdOf } from "../../reliability/orders/Records.ts"
import { COINS, Venue } from "../../reliability/orders/Venue.ts"
import { hurry, passes } from "./haste.ts"
import { Life } from "./Life.ts"
import { Server } from "./Server.ts"
import { weather } from "./Trouble.ts"

const CAPITAL = Decimal.unsafeFromText("100000")
const QUOTE_MS = 2_000

const USAGE = "usage: bun run sim orders [--lives N] [--seed S]"
const LIVES = 1000

/** Whether all was well; prints what was tried and what was found. */
export const lives = (args: ReadonlyArray<string>): Promise<boolean> => {
  const wanted = new Map<string, number>()
  for (let place = 0; place < args.length; place += 2) wanted.set(args[place] ?? "", Number(args[place + 1]))
  const isKnown = [...wanted].every(([name, value]) => /^--(lives|seed)$/.test(name) && value > 0)
  if (!isKnown) {
    console.error(USAGE)
    return Promise.resolve(false)
  }
  return live(wanted.get("--lives") ?? LIVES, wanted.get("--seed") ?? Math.floor(Date.now() / 1000))
}

const live = async (lives: number, seed: number): Promise<boolean> => {
  hurry()
  const began = performance.now()
  const dice = new SeededRandom(seed)
  const venues = await Promise.all(EXCHANGE_NAMES.map((name) => Venue.start(name)))
  const server = await Server.make(venues)
  await server.begin()
  const all: Array<Life> = []
  for (const [place, venue] of venues.entries())
    for (const coin of venue.name === "kraken" ? COINS.slice(0, 3) : COINS) {
      const market = { exchange: venue.name, ...venue.slot(coin) }
      const ids = await server.ask(made(server, market, place + 1))
      all.push(new Life(server, venue, market, ids, new SeededRandom(dice.below(2 ** 31))))
    }
  // Bots come to be at a start: they are put there armed.
  await server.end()
  await server.begin()
  let isOver = false
  let isQuiet = false
  const over = () => isOver
  const early = watch(venues, server)
  const quoting = quote(server, all, () => isQuiet)
  const skies = venues.map((venue) => weather(venue, new SeededRandom(dice.below(2 ** 31)), over))
  const count = () => all.reduce((sum, { lived }) => sum + lived, 0)
  const lived = all.map((life) => life.goOn(over))
  let restarts = 0
  const isVerbose = process.env["SIGNALBOX_VERBOSE"] !== undefined
  while (count() < lives) {
    const until = Date.now() + dice.whole(150_000, 400_000)
    while (count() < lives && Date.now() < until) {
      await passes(10_000)
      if (isVerbose)
        console.error(
          `${((performance.now() - began) / 1000).toFixed(0)} s: ${count()} lives, ${all.filter((l) => !l.isIdle).length} in doubt`
        )
    }
    if (count() >= lives) break
    await server.end()
    await passes(dice.whole(100, 3_000))
    await server.begin()
    restarts++
    if (process.env["SIGNALBOX_VERBOSE"] !== undefined)
      console.error(`${count()} lives, ${restarts} restarts`)
  }
  isOver = true
  const telling = setInterval(() => {
    const doubted = all.filter(({ isIdle }) => !isIdle)
    for (const life of isVerbose ? doubted.slice(0, 3) : []) console.error(life.doubt())
  }, 5_000)
  await Promise.all([...skies, ...lived])
  for (const { desk } of venues) desk.troubles.clear()
  await Promise.all(all.map((life) => life.end()))
  clearInterval(telling)
  await passes(5_000)
  const found = [
    ...early,
    ...all.flatMap((life) => life.flaws().map((flaw) => `${life.venue.name} ${life.market.pair}: ${flaw}`)),
    ...venues.flatMap((venue) => twice(venue).map((id) => `${venue.name} has order ${id} twice`))
  ]
  isQuiet = true
  await quoting
  await server.end()
  const taken = venues.reduce((sum, { desk }) => sum + desk.book.orders.length, 0)
  const asked = venues.reduce((sum, { desk }) => sum + desk.calls.length, 0)
  await Promise.all(venues.map((venue) => venue.stop()))
  for (const flaw of found.slice(0, 20)) console.log(`FAILED ${flaw}`)
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  console.log(
    `${count()} lives of orders from seed ${seed} in ${seconds} s: ${taken} taken by the exchanges, ` +
      `${asked} requests, ${restarts} restarts`
  )
  console.log(`${found.length === 0 ? 1 : 0} passed, ${found.length === 0 ? 0 : 1} failed`)
  return found.length === 0
}

/** A strategy on one market, armed, with a signal of its own. */
const made = ({ owner }: Server, market: MarketId, account: number) =>
  Effect.gen(function* () {
    const { exchange, pair } = market
    const quote = pair.endsWith("/USD") ? "USD" : "USDT"
    const draft = { name: "Lives", description: "", active: true, public: false }
    const signal = (yield* (yield* Signals).create(owner.account, draft)).id
    const made = yield* (yield* Strategies).create(owner.account, {
      ...{ name: "Lives", description: "", active: true, public: false, signal_id: signal },
      ...{ default_quote_currency: quote, default_exchange_name: exchange, buy_percentage: 3 },
      ...{
        maker_fee: 0.1,
        taker_fee: 0.1,
        max_entries: 3,
        exchanges: [{ exchange_name: exchange, coin_pairs: [pair] }]
      }
    })
    const strategy = StrategyId.make(made.strategy_id)
    const terms = {
      ...{ account: ExchangeAccountId.make(account), capital: CAPITAL, maxOrder: CAPITAL },
      ...{ maxDailyLoss: CAPITAL, protect: false }
    }
    const now = Date.now()
    const state = Arming.armed(Bot.start(quote, CAPITAL), terms, now, { tag: tagOf(market) })
    const tally = Performance.begin(CAPITAL, now)
    const none = {
      orders: [],
      statuses: [],
      fills: [],
      postings: [],
      trades: [],
      notes: [],
      outcomes: [],
      waits: []
    }
    const step = { account: owner.account, at: now, bot: { strategy, state, tally, step: 0 }, ...none }
    yield* (yield* Portfolio).commit([step])
    return { strategy, signal }
  })

const tagOf = (market: MarketId): string =>
  Bun.hash(`${market.exchange} ${market.pair}`).toString(16).padStart(16, "0")

/** Whatever reaches an exchange to be placed has to be on record by then. */
const watch = (venues: ReadonlyArray<Venue>, server: Server): ReadonlyArray<string> => {
  const found: Array<string> = []
  const known = new Set<string>()
  const ids = new Set<string>()
  const isIntended = (text: string) => {
    for (const { order } of server.read(MemoryState).orders.values()) {
      if (known.has(order.id)) continue
      known.add(order.id)
      ids.add(clientIdOf(order))
    }
    return [...text.matchAll(/[0-9a-f]{32}/g)].some(([id]) => ids.has(id))
  }
  for (const { desk, name } of venues)
    desk.watch = ({ kind, request: { body, target } }, when) => {
      if (kind === "place" && when === "before" && !isIntended(`${target} ${body}`))
        found.push(`${name} was sent an order that nobody had intended: ${body.slice(0, 200)}`)
    }
  return found
}

const quote = async (server: Server, all: ReadonlyArray<Life>, isOver: () => boolean): Promise<void> => {
  const told = () =>
    all.map(({ market, venue }) => {
      const { ask, bid, last } = venue.quoteOf(market)
      return { market, ticker: { ask, bid, last, at: Date.now() } }
    })
  while (!isOver()) {
    if (server.isUp)
      await server.ask(Effect.map(StreamingFeed, ({ publish }) => publish(told()))).catch(() => {})
    await passes(QUOTE_MS)
  }
}

const twice = ({ desk }: Venue): ReadonlyArray<string> => {
  const ids = desk.book.orders.map(({ ticket }) => ticket.clientId ?? "none")
  return ids.filter((id, place) => ids.indexOf(id) !== place)
}
