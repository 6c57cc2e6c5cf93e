// A market of a mean exchange, in virtual time: streams that are cut, candles that come late, trades that a stream has
// otherwise, and an exchange that is away. What the exchange itself has in the end is `columns`.
import { Clock, Effect, Runtime } from "effect"
import type { Columns } from "../../src/domain/candles/CandleFile.ts"
import { between } from "../../src/domain/candles/CandleRange.ts"
import { millisOf, type Timeframe } from "../../src/domain/candles/Timeframe.ts"
import type { MarketId } from "../../src/domain/Market.ts"
import type { LiveCandles } from "../../src/prices/closed/LiveCandles.ts"
import { CANDLE_ROW, type PageAnswer, type PageQuestion } from "../../src/prices/streaming/Wire.ts"
import type { SeededRandom } from "../../src/testing/SeededRandom.ts"
import * as VirtualClock from "../../src/testing/VirtualClock.ts"
import { joined } from "../../src/trading/candles/Bars.ts"
import { type Bar, barAt } from "../../src/trading/indicators/Plan.ts"
import { barsOf } from "../trading/ruleWorld.ts"

const MINUTE = 60_000
/** The share of minutes without a trade, and of candles during which a stream is cut or the exchange is away. */
const EMPTY = 0.06
const SHARES = { cut: 0.04, away: 0.02 }
/** The shares of last minutes of a candle that a stream has otherwise, and at whose end the exchange is late. */
const LAST = { otherwise: 0.15, late: 0.3 }
/** The longest cut of a stream and the longest absence of the exchange, in minutes. */
const LONGEST = 7
/** How long the exchange takes to answer (ms), and how long where it is late: a rule looks within 5 s of the close. */
const USUAL_MS = 100
const LATE_MS = [3_000, 12_000] as const
/** How far from the last price a stream has it that has it otherwise. */
const OTHERWISE = 1.003

/** A walk of so many minutes with volumes, on whole cents. */
export const walk = (dice: SeededRandom, begin: number, count: number): Columns => {
  const rows: Array<Bar> = []
  let last = 1_000
  for (let minute = 0; minute < count; minute++) {
    const open = last
    last = cents(Math.max(10, open * (1 + dice.between(-0.004, 0.004))))
    const high = cents(Math.max(open, last) * (1 + dice.between(0, 0.001)))
    const low = cents(Math.min(open, last) * (1 - dice.between(0, 0.001)))
    if (dice.chance(EMPTY)) continue
    rows.push({ at: begin + minute * MINUTE, open, high, low, close: last, volume: 4 * dice.whole(1, 20) })
  }
  const column = (name: keyof Bar) => Float64Array.from(rows, (row) => row[name])
  return {
    ...{ at: column("at"), open: column("open"), high: column("high"), low: column("low") },
    ...{ close: column("close"), volume: column("volume"), length: rows.length }
  }
}

const cents = (price: number): number => Math.round(price * 100) / 100

/** What went wrong in a minute. */
interface Minute {
  readonly isOtherwise: boolean
  readonly isLate: boolean
}

/** What a mean market needs. The timeframe is the one that a rule looks at. */
interface MeanWorld {
  readonly dice: SeededRandom
  readonly live: LiveCandles
  readonly timeframe: Timeframe
}

/** The exchange and its stream, as a server's closed candles hear them. */
export class MeanMarket {
  readonly market: MarketId
  readonly columns: Columns
  readonly #dice: SeededRandom
  readonly #live: LiveCandles
  readonly #joined = new Map<Timeframe, Columns>()
  /** Minutes in which something went wrong, by their opening time (ms). */
  readonly #minutes = new Map<number, Minute>()
  readonly #span: number
  #cutUntil: number | undefined
  #awayUntil = 0
  /** Until when the exchange is asked for a candle that the stream has otherwise (ms): it is not away before. */
  #checkedUntil = 0
  #delayMs = USUAL_MS

  constructor(market: MarketId, columns: Columns, { dice, live, timeframe }: MeanWorld) {
    this.market = market
    this.columns = columns
    this.#dice = dice
    this.#live = live
    this.#span = millisOf(timeframe)
  }

  /** Answers questions for candles from now on, and streams. */
  readonly open: Effect.Effect<void> = Effect.gen(this, function* () {
    const run = Runtime.runFork(yield* Effect.runtime<never>())
    this.#live.questions.through((question) => run(this.#answer(question)))
    this.#live.whole([this.market])
  })

  /** Lets the minute of the clock pass, with its trades; nothing goes wrong in it if it `isCalm`. */
  readonly minute = (isCalm = false): Effect.Effect<void, never, VirtualClock.VirtualClock> =>
    Effect.gen(this, function* () {
      const at = Math.floor((yield* Clock.currentTimeMillis) / MINUTE) * MINUTE
      const dice = this.#dice
      const is = (share: number) => !isCalm && dice.chance(share)
      const perCandle = MINUTE / this.#span
      const isLast = (at + MINUTE) % this.#span === 0
      this.#stream(at, is(SHARES.cut * perCandle))
      if (at >= this.#checkedUntil && is(SHARES.away * perCandle))
        this.#awayUntil = at + dice.whole(1, LONGEST) * MINUTE
      const what = {
        isOtherwise: isLast && at >= this.#awayUntil && is(LAST.otherwise),
        isLate: isLast && is(LAST.late)
      }
      if (what.isOtherwise) this.#checkedUntil = at + 2 * MINUTE
      this.#minutes.set(at, what)
      yield* VirtualClock.passTo(at + 55_000, { leap: 0 })
      this.#trade(at, what)
      this.#delayMs = what.isLate ? dice.whole(...LATE_MS) : USUAL_MS
      yield* VirtualClock.passTo(at + MINUTE, { leap: 0 })
    })

  /** Whether a rule may have looked at another candle than the exchange's own, which closed at a time (ms). */
  isDisputed(close: number): boolean {
    const { isLate = false, isOtherwise = false } = this.#minutes.get(close - MINUTE) ?? {}
    return isLate && isOtherwise
  }

  /** Cuts the stream for some minutes, or ends the cut. */
  #stream(at: number, isCut: boolean): void {
    if (this.#cutUntil !== undefined && at >= this.#cutUntil) {
      this.#cutUntil = undefined
      this.#live.whole([this.market])
    } else if (isCut && this.#cutUntil === undefined) {
      this.#cutUntil = at + this.#dice.whole(1, LONGEST) * MINUTE
      this.#live.broken([this.market])
    }
  }

  /** The trades of a minute: they make its candle, unless the stream has the last one otherwise. */
  #trade(at: number, { isOtherwise }: Minute): void {
    const bars = barsOf(between(this.columns, at, at + MINUTE))
    if (bars.length === 0 || this.#cutUntil !== undefined) return
    const { close, high, low, open, volume } = barAt(bars, 0)
    const prices = [open, high, low, isOtherwise ? cents(close * OTHERWISE) : close]
    for (const [index, price] of prices.entries())
      this.#live.traded(this.market, { price, amount: volume / 4, at: at + 10_000 * (index + 1) })
  }

  #answer(question: PageQuestion): Effect.Effect<void> {
    const reply = Effect.map(Clock.currentTimeMillis, (now) =>
      this.#live.questions.answered(this.#page(question, now))
    )
    return Effect.delay(reply, this.#delayMs)
  }

  #page({ from, question, series: { timeframe }, until }: PageQuestion, now: number): PageAnswer {
    if (now < this.#awayUntil)
      return { _tag: "Page", question, failure: { reason: "it is away", pauseMs: 0, kind: "passing" } }
    const span = millisOf(timeframe)
    const all = this.#joined.get(timeframe) ?? joined(this.columns, span)
    this.#joined.set(timeframe, all)
    const closed = Math.floor(now / span) * span
    const bars = barsOf(between(all, from, Math.min(until, closed)))
    const rows = new Float64Array(bars.length * CANDLE_ROW)
    for (let row = 0; row < bars.length; row++) {
      const { at, close, high, low, open, volume } = barAt(bars, row)
      rows.set([at, open, high, low, close, volume], row * CANDLE_ROW)
    }
    return { _tag: "Page", question, rows }
  }
}
