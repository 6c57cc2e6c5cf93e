import { baseOf, type Pair, quoteOf } from "../Market.ts"

/** Pairs by how a symbol may name them. */
export interface Shelf {
  /** By `BTCUSDT`. */
  readonly joined: ReadonlyMap<string, ReadonlyArray<Pair>>
  /** By `USDTBTC`. */
  readonly flipped: ReadonlyMap<string, ReadonlyArray<Pair>>
  /** By `BTC`. */
  readonly coins: ReadonlyMap<string, ReadonlyArray<Pair>>
}

/**
 * The pairs that the symbol of an alert may mean: those of the strategies that follow its signal, then all that the
 * exchanges have. `all` is left out where it would have to be waited for.
 */
export interface Pairs {
  readonly own: Shelf
  readonly all?: Shelf
}

/** `traded` are those among them that a coin alone may stand for. */
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
