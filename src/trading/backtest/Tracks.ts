// The candle series of a back-test, each on its way through the run. Candles are taken by time, those of the
// same time as the strategy lists their pairs. Missing ones are not filled in: no price moves until the next. An alert
// falls due at its pair's first candle at or after its time.
import type { BotState } from "../../domain/Bot.ts"
import type { Candle } from "../../domain/Candle.ts"
import type { Columns } from "../../domain/candles/CandleFile.ts"
import { type ExchangeName, type Market, type MarketId, marketKey, type Pair } from "../../domain/Market.ts"
import { ofLast, type Ticker } from "../../domain/Ticker.ts"
import type { Fees } from "../books/Fees.ts"
import type { BotAlert, Context, Event } from "../Decision.ts"
import { type Window, windowOf } from "../Watch.ts"
import { firstAt, merged, scan } from "../watch/Scan.ts"
import * as Funding from "./Funding.ts"

/** The candles of one pair on one exchange. */
export interface Series {
  readonly exchange: ExchangeName
  readonly pair: Pair
  readonly columns: Columns
}

/** A market that the series prices, with its fees. */
export interface Listed {
  readonly id: MarketId
  readonly key: string
  readonly market: Market
  readonly fees: Fees
}

/**
 * A series under way. `at` is the first candle not done; `due` is the candle of the next due alert, or the end.
 * `watching` holds until anything happens on any track.
 */
export interface Track {
  readonly series: Series
  readonly order: number
  readonly feed: string
  spot: Listed | undefined
  swap: Listed | undefined
  readonly ids: ReadonlyArray<MarketId>
  readonly alerts: ReadonlyArray<BotAlert>
  nextAlert: number
  at: number
  due: number
  watching: Watching | undefined
  /** The funding of its perpetual, where it counts. */
  readonly funding: Funding.FundingDue | undefined
}

/** The window of a track; undefined if each candle must be walked. */
export interface Watching {
  readonly key: string
  readonly window: Window | undefined
}

/** The last price: the close of the last candle done. */
export const lastSeen = (track: Track): Ticker | undefined => {
  const close = track.series.columns.close[track.at - 1]
  return close === undefined ? undefined : ofLast(close, track.series.columns.at[track.at - 1] ?? 0)
}

/** Whether something is open or armed on one of its markets. */
export const isActive = ({ spot, swap }: Track, { slots }: BotState): boolean =>
  (spot !== undefined && slots[spot.key] !== undefined) ||
  (swap !== undefined && slots[swap.key] !== undefined)

/** The time (ms) of the track's next candle if it is active, else of its next due alert. */
export const nextTime = (track: Track, state: BotState): number => {
  const index = isActive(track, state) ? track.at : track.due
  return track.series.columns.at[index] ?? Number.POSITIVE_INFINITY
}

/** The next track: by time, then in the strategy's sequence of pairs. */
export const earliest = (tracks: ReadonlyArray<Track>, state: BotState): Track | undefined => {
  let chosen: Track | undefined
  let time = Number.POSITIVE_INFINITY
  for (const track of tracks) {
    const own = nextTime(track, state)
    if (own < time) {
      chosen = track
      time = own
    }
  }
  return chosen
}

/**
 * The end of an undisturbed scan: the first candle at or after which another track acts, an alert falls due, or the
 * window's time (ms) ends.
 */
export const boundary = (
  track: Track,
  tracks: ReadonlyArray<Track>,
  state: BotState,
  until: number
): number => {
  let end = Math.min(track.due, firstAt(track.series.columns.at, until, track.at))
  for (const other of tracks) {
    if (other === track) continue
    const time = nextTime(other, state)
    if (time === Number.POSITIVE_INFINITY) continue
    // At one timestamp the pair listed first comes first.
    const first = track.order < other.order ? time + 1 : time
    end = Math.min(end, firstAt(track.series.columns.at, first, track.at))
  }
  return end
}

/** The window of a track, and the key of its slot if it has exactly one. */
export const watchingOf = (track: Track, context: Context, state: BotState): Watching => {
  const windows: Array<Window> = []
  let key = ""
  for (const listed of [track.spot, track.swap]) {
    const slot = listed && state.slots[listed.key]
    if (listed === undefined || slot === undefined) continue
    key = listed.key
    windows.push(windowOf(context, state, slot))
  }
  const window = merged(windows)
  const next = track.funding?.rates[track.funding.next]?.at
  // The window ends with the next funding, which changes what a balance rule waits for.
  return next === undefined || window === undefined || !(next < window.at)
    ? { key, window }
    : { key, window: { ...window, at: next } }
}

/** Whether a candle lies inside the track's window, so that its prices and time change nothing. */
export const isCalm = ({ series: { columns }, watching }: Track, index: number): boolean => {
  const window = watching?.window
  if (window === undefined || window.trail !== undefined) return false
  return (columns.at[index] ?? 0) < window.at && scan(columns, index, index + 1, window).index > index
}

/** A candle of a series, without its volume. */
export const candleAt = ({ at, close, high, low, open }: Columns, index: number): Candle => ({
  at: at[index] ?? 0,
  open: open[index] ?? 0,
  high: high[index] ?? 0,
  low: low[index] ?? 0,
  close: close[index] ?? 0,
  volume: 0
})

/** Takes the funding that falls due at a candle, at its open: events of the bot, if its perpetual holds anything. */
export const takeFunding = (
  { funding, swap }: Track,
  { slots }: BotState,
  { at, open }: Candle
): ReadonlyArray<Event> => {
  if (funding === undefined || swap === undefined) return []
  const due = Funding.takeDue(funding, at)
  return slots[swap.key]?.position === undefined
    ? []
    : due.map(({ rate }) => ({ _tag: "Funding", market: swap.id, rate, price: open }))
}

/** Takes the alerts that fall due at a candle. */
export const takeDue = (track: Track, index: number): ReadonlyArray<BotAlert> => {
  const time = track.series.columns.at[index] ?? 0
  const first = track.nextAlert
  while ((track.alerts[track.nextAlert]?.at ?? Number.POSITIVE_INFINITY) <= time) track.nextAlert++
  return track.alerts.slice(first, track.nextAlert)
}

/** The index of the candle at which the next alert falls due, or the end of the series. */
export const findDue = (track: Track): number => {
  const alert = track.alerts[track.nextAlert]
  const { columns } = track.series
  return alert === undefined ? columns.length : firstAt(columns.at, alert.at, track.at)
}

/** The feed of a pair: its spot market, for the perpetual too. */
export const feedOf = (exchange: ExchangeName, pair: Pair): string =>
  marketKey({ exchange, pair, kind: "spot" })

/** Sorts series by the strategy's sequence of pairs. */
export const ranked = (series: ReadonlyArray<Series>, rank: Context["rank"]): ReadonlyArray<Series> => {
  const placeOf = ({ exchange, pair }: Series) => rank({ exchange, pair, kind: "spot" })
  return series.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** Sorts alerts by time, then line, and numbers them as they would arrive. */
export const numbered = (alerts: ReadonlyArray<Omit<BotAlert, "id">>): ReadonlyArray<BotAlert> =>
  alerts
    .map((alert, line) => ({ alert, line }))
    .sort((left, right) => left.alert.at - right.alert.at || left.line - right.line)
    .map(({ alert }, index) => ({ ...alert, id: index + 1 }))
