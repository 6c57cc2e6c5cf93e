// Pairs indexed by the ways in which a symbol may name them: `BTCUSDT`, `USDTBTC`, or the coin alone.
import { baseOf, type Pair, quoteOf } from "../Market.ts"

/** Pairs by the text of a symbol. */
export interface Shelf {
  /** By `BTCUSDT`. */
  readonly joined: ReadonlyMap<string, ReadonlyArray<Pair>>
  /** By `USDTBTC`. */
  readonly flipped: ReadonlyMap<string, ReadonlyArray<Pair>>
  /** By `BTC`. */
  readonly coins: ReadonlyMap<string, ReadonlyArray<Pair>>
}

/**
 * The pairs that an alert's symbol may mean: `own` are those of the strategies that follow its signal, `all` those of
 * the catalogue, absent while not loaded.
 */
export interface Pairs {
  readonly own: Shelf
  readonly all?: Shelf
}

/** Indexes pairs. Only `traded` pairs may be named by their coin alone. */
export const shelve = (pairs: Iterable<Pair>, traded: Iterable<Pair> = pairs): Shelf => {
  const joined = new Map<string, Array<Pair>>()
  const flipped = new Map<string, Array<Pair>>()
  const coins = new Map<string, Array<Pair>>()
  for (const pair of new Set(pairs)) {
    const [coin, quote] = [baseOf(pair), quoteOf(pair)]
    put(joined, coin + quote, pair)
    put(flipped, quote + coin, pair)
  }
  for (const pair of new Set(traded)) put(coins, baseOf(pair), pair)
  return { joined, flipped, coins }
}

const put = (map: Map<string, Array<Pair>>, key: string, pair: Pair): void => {
  const there = map.get(key)
  if (there === undefined) map.set(key, [pair])
  else there.push(pair)
}
