// Recorded candles compared with the trades that were published.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { baseOf, quoteOf } from "../../../src/domain/Market.ts"
import { SeededRandom } from "../../../src/testing/SeededRandom.ts"
import { type Print, type Slot, slotKey } from "../../exchanges/Protocol.ts"
import { Bot } from "./Bot.ts"
import { type Result, result } from "./Case.ts"
import { must } from "./until.ts"
import type { Venue } from "./Venue.ts"
import type { World } from "./World.ts"

const MINUTE_MS = 60_000
/** How long a minute is held back before it is written, with a margin. */
const WRITTEN_MS = 20_000

type Printed = ReadonlyMap<string, ReadonlyArray<Print>>

/** Publishes trades of three whole minutes with a cut in the middle one: two candles for each market, and a hole. */
export const recorded = async (world: World, folder: string): Promise<ReadonlyArray<Result>> => {
  for (const venue of world.venues) await Bot.make(world, venue, venue.spot("BTC"))
  await Promise.all(world.venues.map((venue) => world.well(venue, Date.now(), 15_000)))
  const first = Math.ceil((Date.now() + 5000) / MINUTE_MS) * MINUTE_MS
  const printing = world.venues.map((venue, index) => new Printing(venue, new SeededRandom(index + 1)))
  await Bun.sleep(first + 1.5 * MINUTE_MS - Date.now())
  for (const venue of world.venues) venue.stub.cut()
  await Bun.sleep(first + 3 * MINUTE_MS + WRITTEN_MS - Date.now())
  for (const one of printing) one.end()
  const minutes = [first, first + 2 * MINUTE_MS]
  return Promise.all(
    printing.map(({ printed, venue }) =>
      result(venue.name, async () => {
        for (const slot of watched(venue))
          compare(
            join(folder, "candles", venue.name, folderOf(slot)),
            printed.get(slotKey(slot)) ?? [],
            minutes
          )
        return undefined
      })
    )
  )
}

const watched = (venue: Venue): ReadonlyArray<Slot> =>
  venue.hasSwaps ? [venue.spot("BTC"), venue.swap("BTC")] : [venue.spot("BTC")]

const folderOf = ({ kind, pair }: Slot) => `${baseOf(pair)}-${quoteOf(pair)}-${kind}`

/** Publishes random trades, and keeps them. */
class Printing {
  readonly venue: Venue
  readonly #printed = new Map<string, Array<Print>>()
  readonly #timer: Timer
  #id = 1000

  constructor(venue: Venue, dice: SeededRandom) {
    this.venue = venue
    this.#timer = setInterval(() => {
      for (const slot of watched(venue)) this.#print(slot, dice)
    }, 150)
  }

  get printed(): Printed {
    return this.#printed
  }

  end(): void {
    clearInterval(this.#timer)
  }

  #print(slot: Slot, dice: SeededRandom): void {
    const print: Print = {
      price: dice.whole(9900, 10_100) / 100,
      amount: dice.whole(1, 500) / 100,
      side: dice.chance(0.5) ? "buy" : "sell",
      at: Date.now(),
      id: String(this.#id++)
    }
    this.#printed.set(slotKey(slot), [...(this.#printed.get(slotKey(slot)) ?? []), print])
    this.venue.stub.print(slot, print)
  }
}

/** Checks that the recorded candles are exactly those of the published trades. */
const compare = (folder: string, prints: ReadonlyArray<Print>, minutes: ReadonlyArray<number>): void => {
  const rows = minutes
    .flatMap((minute) => new Date(minute).toISOString().slice(0, 7))
    .filter((month, index, all) => all.indexOf(month) === index)
    .map((month) => join(folder, `${month}.csv.gz`))
    .flatMap((path) => (existsSync(path) ? gunzipSync(readFileSync(path)).toString().trim().split("\n") : []))
    .map((line) => line.split(",").map(Number))
  const wanted = minutes.map((minute) => candleOf(minute, prints))
  must(
    rows.length === wanted.length,
    `${folder}: ${rows.length} candles at ${rows.map(([at = 0]) => new Date(at).toISOString().slice(11, 16))}, not ` +
      `${wanted.length} at ${minutes.map((at) => new Date(at).toISOString().slice(11, 16))}`
  )
  const isOff = rows.some((row, index) =>
    row.some((value, column) => Math.abs(value - (wanted[index]?.[column] ?? Number.NaN)) > 1e-9)
  )
  must(!isOff, `${folder}: recorded ${JSON.stringify(rows)}, told ${JSON.stringify(wanted)}`)
}

const candleOf = (minute: number, prints: ReadonlyArray<Print>): ReadonlyArray<number> => {
  const own = prints.filter(({ at }) => at >= minute && at < minute + MINUTE_MS)
  const prices = own.map(({ price }) => price)
  const hundredths = own.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
  return [
    minute,
    prices.at(0) ?? Number.NaN,
    Math.max(...prices),
    Math.min(...prices),
    prices.at(-1) ?? Number.NaN,
    hundredths / 100
  ]
}
