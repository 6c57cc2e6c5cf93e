import { expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import { isSound, type Ticker } from "../../src/domain/Ticker.ts"
import * as PriceBand from "../../src/trading/watch/PriceBand.ts"

/** A ticker by its prices; a second apart from each other in the order in which they are made. */
let clock = 0
const tick = (bid: number, ask = bid): Ticker => {
  clock += 1_000
  return { bid, ask, last: bid, at: clock }
}

const judged = (tickers: ReadonlyArray<Ticker>): ReadonlyArray<PriceBand.Verdict> => {
  let track = PriceBand.UNTRACKED
  return tickers.map((ticker) => {
    const verdict = PriceBand.judge(track, ticker)
    track = PriceBand.follow(track, ticker, verdict)
    return verdict
  })
}

const passed = (tickers: ReadonlyArray<Ticker>): ReadonlyArray<Ticker> => {
  const verdicts = judged(tickers)
  return tickers.filter((_, place) => verdicts[place] === "accepted")
}

const cases: Record<string, readonly [ReadonlyArray<Ticker>, string]> = {
  "a change up to five percent is accepted": [[tick(100), tick(105), tick(100), tick(95.1)], "aaaa"],
  "a spike is held, and normal prices after it are accepted": [[tick(100), tick(160), tick(101)], "aha"],
  "two different spikes do not confirm each other": [[tick(100), tick(160), tick(50), tick(100)], "ahha"],
  "a spike followed by a normal price is forgotten": [
    [tick(100), tick(160), tick(100), tick(160), tick(160.5)],
    "ahaha"
  ],
  "a jump is accepted with its second tick": [[tick(100), tick(80), tick(79), tick(80)], "ahaa"],
  "after a jump the old price needs confirmation too": [
    [tick(100), tick(80), tick(80), tick(100), tick(100)],
    "ahaha"
  ],
  "one wild side is enough to hold a ticker": [
    [tick(100, 100.1), tick(100, 110), tick(80, 100), tick(100, 100)],
    "ahha"
  ],
  "an unsound ticker neither clears nor confirms a suspect": [
    [tick(100), tick(150), tick(0), tick(Number.NaN), tick(150, 149), tick(150)],
    "ahddda"
  ],
  "a first ticker with a wide spread needs confirmation": [[tick(90, 110), tick(90, 110)], "ha"],
  "a first ticker with a wide spread may be replaced by a narrow one": [
    [tick(1, 110), tick(100, 101), tick(1, 110)],
    "hah"
  ],
  "silence proves nothing": [[tick(100), { ...tick(200), at: 1e12 }, { ...tick(200), at: 1e12 + 1 }], "aha"]
}
for (const [name, [tickers, told]] of Object.entries(cases)) {
  test(name, () =>
    expect(
      judged(tickers)
        .map((verdict) => verdict[0])
        .join("")
    ).toBe(told)
  )
}

test("a repeated ticker confirms nothing", () => {
  const spike = tick(160)
  expect(judged([tick(100), spike, { ...spike }, { ...spike, at: spike.at + 1 }])).toEqual([
    "accepted",
    "held",
    "held",
    "accepted"
  ])
})

const factor = (min: number, max: number) => FastCheck.double({ min, max, noNaN: true })
/** Around 100, near enough to each other to be believed in any order. */
const sane = FastCheck.tuple(factor(98.5, 100.5), factor(0, 1.5)).map(([bid, gap]) => tick(bid, bid + gap))
const outside = FastCheck.oneof(factor(0.01, 0.88), factor(1.12, 50))
/** Wild in bid, ask or both, but a price. */
const wild = FastCheck.oneof(
  FastCheck.tuple(sane, outside).map(([{ bid, ask }, by]) => tick(bid * by, ask * by)),
  FastCheck.tuple(sane, factor(1.12, 50)).map(([{ bid, ask }, by]) => tick(bid, ask * by)),
  FastCheck.tuple(sane, factor(0.01, 0.88)).map(([{ bid, ask }, by]) => tick(bid * by, ask))
)
const anything = FastCheck.oneof(
  sane,
  wild,
  FastCheck.record({
    // Not where five percent more is no number any more.
    bid: FastCheck.double({ max: 1e300 }),
    ask: FastCheck.double({ max: 1e300 }),
    last: FastCheck.double(),
    at: FastCheck.nat()
  })
)

test("a single wild tick among normal ones is never accepted, and all normal ones are", () => {
  const stretch = FastCheck.array(sane, { minLength: 1, maxLength: 5 })
  FastCheck.assert(
    FastCheck.property(
      stretch,
      FastCheck.array(FastCheck.tuple(wild, stretch), { maxLength: 8 }),
      (first, rest) => {
        const spikes = new Set(rest.map(([spike]) => spike))
        const all = [...first, ...rest.flatMap(([spike, after]) => [spike, ...after])]
        expect(passed(all)).toEqual(all.filter((ticker) => !spikes.has(ticker)))
      }
    ),
    { numRuns: 300 }
  )
})

test("a real jump is accepted with its second tick, whatever came before", () => {
  FastCheck.assert(
    FastCheck.property(
      FastCheck.array(anything, { maxLength: 20 }),
      outside,
      sane,
      sane,
      (before, by, one, two) => {
        const moved = ({ ask, bid }: Ticker) => tick(bid * by, ask * by)
        const [first, second] = [moved(one), moved(two)]
        expect(passed([...before, first, second])).toContain(second)
      }
    ),
    { numRuns: 300 }
  )
})

test("a ticker is accepted only if it is sound and near the last accepted or the suspect one", () => {
  const isNear = (one: Ticker, other: Ticker) =>
    Math.abs(one.bid - other.bid) <= 0.05 * one.bid && Math.abs(one.ask - other.ask) <= 0.05 * one.ask
  FastCheck.assert(
    FastCheck.property(FastCheck.array(anything, { maxLength: 40 }), (all) => {
      let out: Ticker | undefined
      let before: Ticker | undefined
      const through = new Set(passed(all))
      for (const ticker of all) {
        if (through.has(ticker)) {
          expect(isSound(ticker)).toBe(true)
          const near = [out, before].some((other) => other !== undefined && isNear(other, ticker))
          expect(near || (out === undefined && ticker.ask <= 1.05 * ticker.bid)).toBe(true)
          out = ticker
        }
        if (isSound(ticker)) before = ticker
      }
    }),
    { numRuns: 500 }
  )
})
