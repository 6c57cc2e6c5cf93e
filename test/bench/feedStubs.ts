// Runs all seven stub exchanges in one process: `bun feedStubs.ts MARKETS QUOTES_A_SECOND`. Prints their addresses,
// then quotes every market that often, until it is ended.
import * as Catalogue from "../../src/domain/catalogue/Catalogue.ts"
import { EXCHANGE_NAMES } from "../../src/domain/Market.ts"
import { protocols } from "../exchanges/protocols.ts"
import { Stub } from "../exchanges/Stub.ts"

const [markets = 500, rate = 20] = process.argv.slice(2).map(Number)
/** The number of turns over which quotes are spread, so that few are sent at one moment. */
const TURNS_A_SECOND = 200

const stubs = await Promise.all(
  EXCHANGE_NAMES.map(async (name) => {
    const listed = Catalogue.markets(name).map((market) => ({
      pair: market.pair,
      kind: market.kind,
      priceStep: "0.01",
      amountStep: "0.00001",
      minAmount: "0.00001",
      minCost: "5"
    }))
    return { name, listed, stub: await Stub.start(protocols[name], listed, { door: false }) }
  })
)
console.log(JSON.stringify(Object.fromEntries(stubs.map(({ name, stub }) => [name, stub.url]))))

let told = 0
let due = 0
let round = 0
let before = performance.now()
setInterval(() => {
  const now = performance.now()
  due += ((now - before) / 1000) * markets * rate
  before = now
  const wanted = stubs.flatMap(({ listed, stub }) => {
    const subscribed = stub.subscriptions()
    return listed
      .filter(({ kind, pair }) => subscribed.has(`${pair}:${kind}`))
      .map((market) => ({ market, stub }))
  })
  for (; due >= 1 && wanted.length > 0; due--, told++) {
    const at = wanted[told % wanted.length]
    if (told % wanted.length === 0) round++
    if (at === undefined) continue
    // The price moves up and down within one percent.
    const price = 100 + Math.sin(round / 50)
    at.stub.quote(at.market, { bid: price, ask: price + 0.01, last: price })
  }
}, 1000 / TURNS_A_SECOND)
