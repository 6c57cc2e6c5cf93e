// A year of one-minute candles through a whole server in memory, as a unit test plays it, beside a bare loop that looks
// at the same candles and trades by the same alerts and stop.
import * as Effect from "effect/Effect"
import type { Candle } from "../../src/domain/Candle.ts"
import { Pair } from "../../src/domain/Market.ts"
import * as PriceScript from "../../src/testing/PriceScript.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import { compare } from "./compare.ts"
import type { Line } from "./line.ts"

const MINUTES = 525_600
const STOP_PERCENT = 3
/** Minutes between two alerts, which buy and sell in turns. */
const EVERY = 3 * 24 * 60
const MOST_MS = 2_000
const ROUNDS = 3

const strategies = [{ buy_percentage: 50, stop_loss: true, stop_loss_percentage: STOP_PERCENT }]

export default async (): Promise<ReadonlyArray<Line>> => {
  const candles = PriceScript.walk({
    candles: MINUTES,
    everyMs: 60_000,
    price: 60_000,
    swing: 0.0012,
    seed: 7
  })
  const served: Array<number> = []
  const bare: Array<number> = []
  const { left, ratio, right } = await compare(
    async () => served.push(await serve(candles)),
    () => bare.push(loop(candles)),
    ROUNDS
  )
  const trades = served[0] ?? 0
  return [
    {
      name: "year",
      text:
        `${MINUTES} candles of a minute and ${Math.ceil(MINUTES / EVERY)} alerts through a server in memory with one bot: ` +
        `${left.toFixed(0)} ms with its script (goal ${MOST_MS}), ${trades} trades; a bare loop ${right.toFixed(1)} ms, ` +
        `${bare[0]} trades; ${(1 / ratio).toFixed(0)} times as long`,
      ok: left <= MOST_MS && trades === bare[0]
    }
  ]
}

/** Plays the year on a server of its own, from the script to the trades. */
const serve = (candles: ReadonlyArray<Candle>): Promise<number> => {
  const alerts: PriceScript.Script = candles.flatMap(({ at }, index) =>
    index % EVERY === 0
      ? [{ at, act: { _tag: "Alert", type: typeAt(index), pair: Pair.make("BTC/USDT") } }]
      : []
  )
  const prices = PriceScript.merge(alerts, PriceScript.ofCandles(candles))
  return TestServer.run({ strategies, prices }, (server) =>
    Effect.zipRight(
      server.play(),
      Effect.map(server.strategy.trades, ({ length }) => length)
    )
  )
}

const typeAt = (index: number) => ((index / EVERY) % 2 === 0 ? "buy" : "sell")

/** One position at most, bought and sold at the open of an alert's candle, or sold at the stop. */
const loop = (candles: ReadonlyArray<Candle>): number => {
  let trades = 0
  let stop = 0
  for (const [index, { low, open }] of candles.entries()) {
    if (stop > 0 && low <= stop) {
      trades++
      stop = 0
    }
    if (index % EVERY !== 0) continue
    if (typeAt(index) === "buy") stop ||= open * (1 - STOP_PERCENT / 100)
    else if (stop > 0) {
      trades++
      stop = 0
    }
  }
  return trades
}
