// Scripts of prices and alerts over time, written as text or step by step, or made from candles or random walks.
import { ALERT_TYPES, type AlertType, type Extras, hasExtras } from "../domain/Alert.ts"
import * as Candle from "../domain/Candle.ts"
import {
  EXCHANGE_NAMES,
  type ExchangeName,
  isKnownExchange,
  isPair,
  type MarketKind,
  Pair
} from "../domain/Market.ts"
import { PriceEvent } from "../services/Tickers.ts"
import { extraIn } from "./ScriptExtras.ts"
import * as Steps from "./ScriptSteps.ts"
import { SeededRandom } from "./SeededRandom.ts"

/** One event of a script: a market's price, or an alert for a pair. */
export type Act = Steps.Act

/** One line of a script. `at` is in ms since the epoch. */
export type Moment = Steps.Moment

/** Prices and alerts sorted by time. */
export type Script = ReadonlyArray<Moment>

/** Defaults for what a line leaves out. */
export interface ScriptDefaults {
  /** The time that `t=0` means (ms since the epoch); by default 0. */
  readonly startsAt?: number
  readonly exchange?: ExchangeName
  /** By default BTC/USDT. */
  readonly pair?: string
  readonly kind?: MarketKind
}

/** An invalid line: its number (from 1), and what is wrong. */
export class ScriptError extends Error {
  override readonly name = "ScriptError"
}

const DAY = 86_400_000
const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: DAY,
  w: 7 * DAY
}

/** The ms of a span like `45m`, `1h30m`, `2d` or `0`; undefined if it is not a span. */
export const spanOf = (text: string): number | undefined => {
  if (text === "0") return 0
  if (!/^(?:\d+(?:ms|[smhdw]))+$/.test(text)) return undefined
  const parts = text.matchAll(/(\d+)(ms|[smhdw])/g)
  return [...parts].reduce((sum, [, count, unit = ""]) => sum + Number(count) * (UNITS[unit] ?? 0), 0)
}

/**
 * Reads a script from text. A line is a time and what happens then; markets are named after it where they are not the
 * usual one. Empty lines and lines that begin with `#` say nothing.
 *
 * ```
 * t=0      60000                        the price of BTC/USDT
 * t=0      3000 ETH/USDT swap           of another market
 * t=45m    buy                          an alert of the first signal
 * t=46m    sell ETH/USDT tp=70 sl=50    with targets
 * t=50m    sell close_percent=40        a part of the position
 * t=55m    short swap reverse=true      a turn; tps=70@50,75@50 is a ladder, buy_percentage=10 a size
 * t=1h     60000 60500 59800 60100      a candle: open, high, low, close
 * ```
 *
 * Throws a `ScriptError` that names the line.
 */
export const parse = (text: string, ground: ScriptDefaults = {}): Script => {
  const script = text.split("\n").flatMap((line, index) => {
    const words = line.trim().split(/\s+/)
    const [first = ""] = words
    return first === "" || first.startsWith("#") ? [] : [momentOf(words, index + 1, ground)]
  })
  return inOrder(script)
}

/** Times must not decrease. */
const inOrder = (script: Script): Script => {
  for (const [index, { at }] of script.entries())
    if (at < (script[index - 1]?.at ?? at))
      throw new ScriptError(`moment ${index + 1} is before the one above it`)
  return script
}

const momentOf = (words: ReadonlyArray<string>, line: number, ground: ScriptDefaults): Moment => {
  const [time = "", ...rest] = words
  const scriptError = (why: string) => new ScriptError(`line ${line}: ${why}`)
  const span = time.startsWith("t=") ? spanOf(time.slice(2)) : undefined
  if (span === undefined) throw scriptError(`begin with a time such as t=0, t=45m or t=1h30m, not ${time}`)
  const at = (ground.startsAt ?? 0) + span
  const event = eventOf(rest, ground)
  if (event.strange.length > 0) throw scriptError(`${event.strange.join(" ")} says nothing here`)
  const { alert, exchange, kind, numbers, pair, targets } = event
  const extras = hasExtras(event.extras) ? { extras: event.extras } : {}
  if (alert !== undefined) {
    if (numbers.length > 0) throw scriptError("an alert comes without a price")
    return { at, act: { _tag: "Alert", type: alert, pair, ...targets, ...extras } }
  }
  const [open, high, low, close] = numbers
  if (open === undefined) throw scriptError("say a price, a candle's open, high, low and close, or an alert")
  if (numbers.length === 1) return Steps.quoteAt(at, open, { exchange, pair, kind })
  if (numbers.length !== 4 || high === undefined || low === undefined || close === undefined)
    throw scriptError("a candle is four prices: open, high, low and close")
  const candle = { at, open, high, low, close, volume: 0 }
  if (!Candle.isSound(candle))
    throw scriptError("the high and the low of a candle hold its open and its close")
  return { at, act: { _tag: "Price", event: PriceEvent.Barred({ exchange, pair, candle }) } }
}

const placeOf = ({
  exchange = EXCHANGE_NAMES[0],
  kind = "spot",
  pair = "BTC/USDT"
}: ScriptDefaults): Steps.Place => ({
  exchange,
  kind,
  pair: Pair.make(pair)
})

const isAlert = (word: string): word is AlertType => ALERT_TYPES.some((type) => type === word)

interface ScriptEvent extends Steps.Place {
  readonly numbers: ReadonlyArray<number>
  readonly alert: AlertType | undefined
  readonly targets: { readonly tp?: number; readonly sl?: number }
  readonly extras: Extras
  readonly strange: ReadonlyArray<string>
}

const eventOf = (words: ReadonlyArray<string>, ground: ScriptDefaults): ScriptEvent => {
  let { exchange, kind, pair } = placeOf(ground)
  let alert: AlertType | undefined
  const targets: { tp?: number; sl?: number } = {}
  let extras: Extras = {}
  const numbers: Array<number> = []
  const strange: Array<string> = []
  for (const word of words) {
    const [, target, price] = /^(tp|sl)=(\d+(?:\.\d+)?)$/.exec(word) ?? []
    const extra = extraIn(word)
    if (target === "tp") targets.tp = Number(price)
    else if (target === "sl") targets.sl = Number(price)
    else if (extra !== undefined) extras = { ...extras, ...extra }
    else if (isAlert(word)) alert = word
    else if (word === "spot" || word === "swap") kind = word
    else if (isKnownExchange(word)) exchange = word
    else if (isPair(word)) pair = word
    else if (isPrice(Number(word))) numbers.push(Number(word))
    else strange.push(word)
  }
  return { exchange, kind, pair, numbers, alert, targets, extras, strange }
}

const isPrice = (value: number): boolean => value > 0 && value < Number.POSITIVE_INFINITY

/**
 * Begins a script at a price, to be continued step by step. Scripts of several markets are put together by `merge`.
 *
 * @example
 * ```ts
 * import { PriceScript } from "signalbox/testing"
 *
 * const script = PriceScript.start(100)
 *   .alert({ type: "buy", sl: 95 })
 *   .to(110, "1 hour")
 *   .wait("5 minutes")
 *   .alert("sell")
 *   .to(90, "30 minutes")
 * ```
 */
export const start = (price: number, ground: ScriptDefaults = {}): Steps.ScriptSteps => {
  const [at, market] = [ground.startsAt ?? 0, placeOf(ground)]
  return new Steps.ScriptSteps([Steps.quoteAt(at, price, market)], { at, price, market })
}

/** A script from arrays `[ms after the start, price]` of one market. */
export const ofPrices = (
  rows: ReadonlyArray<readonly [number, number]>,
  ground: ScriptDefaults = {}
): Script =>
  inOrder(rows.map(([at, price]) => Steps.quoteAt((ground.startsAt ?? 0) + at, price, placeOf(ground))))

/** A script from candles of one market; `at` is their opening time (ms since the epoch). */
export const ofCandles = (candles: ReadonlyArray<Candle.Candle>, ground: ScriptDefaults = {}): Script => {
  const { exchange, pair } = placeOf(ground)
  return inOrder(
    candles.map((candle) => ({
      at: candle.at,
      act: { _tag: "Price", event: PriceEvent.Barred({ exchange, pair, candle }) }
    }))
  )
}

/** Merges scripts, sorted by time; at equal times the first script comes first. */
export const merge = (...scripts: ReadonlyArray<Script>): Script =>
  scripts.flat().sort((one, other) => one.at - other.at)

/** Moments that are played together. */
export interface Stride {
  readonly at: number
  readonly isBarred: boolean
  readonly act:
    | Extract<Act, { readonly _tag: "Alert" }>
    | { readonly _tag: "Prices"; readonly events: ReadonlyArray<PriceEvent> }
}

/** Groups a script: all prices of one time, and all candles that begin within `strideMs` of the first. */
export const inStrides = (script: Script, strideMs: number): ReadonlyArray<Stride> => {
  const strides: Array<Stride> = []
  let open:
    | { readonly at: number; readonly isBarred: boolean; readonly events: Array<PriceEvent> }
    | undefined
  for (const { act, at } of script) {
    if (act._tag === "Alert") {
      open = undefined
      strides.push({ at, isBarred: false, act })
      continue
    }
    const isBarred = act.event._tag === "Barred"
    const isNext =
      open !== undefined &&
      open.isBarred === isBarred &&
      (at === open.at || (isBarred && at - open.at < strideMs))
    if (open !== undefined && isNext) open.events.push(act.event)
    else {
      open = { at, isBarred, events: [act.event] }
      strides.push({ at, isBarred, act: { _tag: "Prices", events: open.events } })
    }
  }
  return strides
}

/** Options of a random walk. */
export interface Walk {
  readonly candles: number
  /** The time between candles; by default an hour. */
  readonly everyMs?: number
  /** The first price; by default 100. */
  readonly price?: number
  /** The largest move of a candle as a share of its open; by default 0.01. */
  readonly swing?: number
  readonly seed?: number
  readonly startsAt?: number
}

/** Candles of a random walk; the same seed gives the same candles. */
export const walk = ({
  candles,
  everyMs = 3_600_000,
  price = 100,
  seed = 1,
  startsAt = 0,
  swing = 0.01
}: Walk): ReadonlyArray<Candle.Candle> => {
  const dice = new SeededRandom(seed)
  let open = price
  return Array.from({ length: candles }, (_, index) => {
    const close = open * (1 + dice.between(-swing, swing))
    const high = Math.max(open, close) * (1 + dice.between(0, swing / 2))
    const low = Math.min(open, close) * (1 - dice.between(0, swing / 2))
    const candle = { at: startsAt + index * everyMs, open, high, low, close, volume: 1 }
    open = close
    return candle
  })
}
