// Begins lives: a strategy on one market, armed, with a signal of its own.
import { Effect } from "effect"
import { ExchangeAccountId } from "../../../src/domain/Arming.ts"
import * as Decimal from "../../../src/domain/Decimal.ts"
import type { MarketId } from "../../../src/domain/Market.ts"
import { StrategyId } from "../../../src/domain/StrategyId.ts"
import { Portfolio } from "../../../src/services/Portfolio.ts"
import { Signals } from "../../../src/services/Signals.ts"
import { Strategies } from "../../../src/services/Strategies.ts"
import { SeededRandom } from "../../../src/testing/SeededRandom.ts"
import * as Bot from "../../../src/trading/Bot.ts"
import * as Ledger from "../../../src/trading/books/Ledger.ts"
import * as Arming from "../../../src/trading/LiveSwitch.ts"
import * as Performance from "../../../src/trading/Performance.ts"
import type { Slot } from "../../exchanges/Protocol.ts"
import { COINS, type Venue } from "../../reliability/orders/Venue.ts"
import { type Character, characterOf } from "./character.ts"
import { Life } from "./Life.ts"
import type { Server } from "./Server.ts"

const CAPITAL = Decimal.unsafeFromText("100000")
/** How many perpetuals and spot markets of an exchange are traded; each life has a coin of its own. */
const SWAPS = 4
const SPOTS = 3

/** Lives on perpetuals and spot markets of each exchange. */
export const begun = async (
  server: Server,
  venues: ReadonlyArray<Venue>,
  dice: SeededRandom
): Promise<ReadonlyArray<Life>> => {
  const all: Array<Life> = []
  for (const [place, venue] of venues.entries())
    for (const slot of slotsOf(venue)) {
      const market = { exchange: venue.name, ...slot }
      const own = new SeededRandom(dice.below(2 ** 31))
      const character = characterOf(market.kind, own)
      const ids = await server.ask(made(server, market, place + 1, character))
      all.push(new Life(server, { venue, market, ...ids }, character, own))
    }
  return all
}

const slotsOf = (venue: Venue): ReadonlyArray<Slot> => {
  const swaps = COINS.map((coin) => venue.slot(coin, "swap"))
    .filter(({ pair }) => venue.markets.some((one) => one.pair === pair && one.kind === "swap"))
    .slice(0, SWAPS)
  const spots = COINS.map((coin) => venue.slot(coin)).filter(
    ({ pair }) => !swaps.some((swap) => swap.pair === pair)
  )
  return [...swaps, ...spots.slice(0, SPOTS)]
}

const made = ({ owner }: Server, market: MarketId, account: number, { isProtected, settings }: Character) =>
  Effect.gen(function* () {
    const { exchange, pair } = market
    const quote = pair.endsWith("/USD") ? "USD" : "USDT"
    const draft = { name: "Lives", description: "", active: true, public: false }
    const signal = (yield* (yield* Signals).create(owner.account, draft)).id
    const made = yield* (yield* Strategies).create(owner.account, {
      ...{ ...draft, signal_id: signal, default_quote_currency: quote, default_exchange_name: exchange },
      ...{ buy_percentage: 3, maker_fee: 0.1, taker_fee: 0.1 },
      exchanges: [{ exchange_name: exchange, coin_pairs: [pair] }],
      ...settings
    })
    const strategy = StrategyId.make(made.strategy_id)
    const terms = {
      ...{ account: ExchangeAccountId.make(account), capital: CAPITAL, maxOrder: CAPITAL },
      ...{ maxDailyLoss: CAPITAL, protect: isProtected }
    }
    const now = Date.now()
    const state = Arming.armed(Bot.start(quote, CAPITAL), terms, now, { tag: tagOf(market) })
    const tally = Performance.begin(CAPITAL, now)
    const none = {
      ...{ orders: [], statuses: [], fills: [], trades: [], postings: [Ledger.opening(CAPITAL, now)] },
      ...{ notes: [], outcomes: [], waits: [] }
    }
    const step = { account: owner.account, at: now, bot: { strategy, state, tally, step: 0 }, ...none }
    yield* (yield* Portfolio).commit([step])
    return { strategy, signal }
  })

const tagOf = (market: MarketId): string =>
  Bun.hash(`${market.exchange} ${market.pair} ${market.kind}`).toString(16).padStart(16, "0")
