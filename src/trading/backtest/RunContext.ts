// What a back-test reads of its markets: the series as tracks with their fees, and the context of each decision.
import { type Market, type MarketId, marketKey } from "../../domain/Market.ts"
import { OrderId } from "../../domain/Order.ts"
import type { Settings } from "../../domain/Strategy.ts"
import { type Fees, feesOf } from "../books/Fees.ts"
import type { MarketFills } from "../books/FillPrice.ts"
import type { BotAlert, Context } from "../Decision.ts"
import type { BacktestMarkets } from "./BacktestMarkets.ts"
import * as Funding from "./Funding.ts"
import * as Spreads from "./Spreads.ts"
import * as Tracks from "./Tracks.ts"

/** The parts of a back-test that its decisions read. */
export interface RunInput extends Omit<BacktestMarkets, "balance"> {
  readonly settings: Settings
  /** An embedder's own decisions, as the server that trades has them. */
  readonly own?: Context["own"]
}

/** What changes on the way: the time (ms), the settings, and whether entries are halted. */
export interface Moving {
  readonly now: number
  readonly settings: Settings
  readonly halted: boolean
}

const ORDER = OrderId.make("backtest")

/** A series on its way: its markets with their fees, and the alerts of its pair. */
export const trackOf = (
  run: RunInput,
  series: Tracks.Series,
  order: number,
  alerts: ReadonlyArray<BotAlert>
): Tracks.Track => {
  const { spot, swap } = listedOf(run, series)
  const track: Tracks.Track = {
    series,
    order,
    feed: Tracks.feedOf(series.exchange, series.pair),
    spot,
    swap,
    ids: [spot, swap].flatMap((each) => (each === undefined ? [] : [each.id])),
    alerts: alerts.filter((alert) => alert.pair === series.pair),
    nextAlert: 0,
    at: 0,
    due: 0,
    watching: undefined,
    funding: swap && run.funding && Funding.of(run.funding(swap.id))
  }
  track.due = Tracks.findDue(track)
  return track
}

/** The markets that a series prices, with the fees of the run's settings. */
export const listedOf = (
  run: RunInput,
  { exchange, pair }: Pick<Tracks.Series, "exchange" | "pair">
): Pick<Tracks.Track, "spot" | "swap"> => {
  const listed = (kind: MarketId["kind"]): Tracks.Listed | undefined => {
    const id = { exchange, pair, kind }
    const market = run.market(id)
    return (
      market && {
        id,
        key: marketKey(id),
        market,
        fees: feesOf(run.settings, run.fees(id), fillsOf(run, market))
      }
    )
  }
  return { spot: listed("spot"), swap: listed("swap") }
}

/** The fill model on a market, where one is on. */
const fillsOf = ({ fillModel }: RunInput, market: Market): MarketFills | undefined =>
  fillModel && { model: fillModel, market }

/** The fees of a market at a time (ms): with the recorded spread of then, where the fill model has it. */
const feesAt = (
  { spreads }: RunInput,
  id: MarketId,
  listed: Tracks.Listed | undefined,
  now: number
): Fees | undefined => {
  const fills = listed?.fees.fills
  // Contexts are asked often: fees that do not change with the time are not made anew.
  if (listed === undefined || fills?.model.spread === undefined) return listed?.fees
  return { ...listed.fees, fills: { ...fills, model: Spreads.modelAt(fills.model, spreads?.(id), now) } }
}

/** The context of all decisions: what is moving is read anew for each. */
export const contextOf = (
  run: RunInput,
  known: ReadonlyMap<string, Tracks.Track>,
  rank: Context["rank"],
  moving: () => Moving
): Context => {
  const entryOf = (id: MarketId) => {
    const track = known.get(id.pair)
    if (track === undefined || track.series.exchange !== id.exchange) return undefined
    return id.kind === "spot" ? track.spot : track.swap
  }
  return {
    get now() {
      return moving().now
    },
    get settings() {
      return moving().settings
    },
    get halted() {
      return moving().halted
    },
    market: (id) => entryOf(id)?.market ?? (known.has(id.pair) ? undefined : run.market(id)),
    fees: (id) => feesAt(run, id, entryOf(id), moving().now) ?? feesOf(moving().settings, run.fees(id)),
    quote: (id) => {
      const track = known.get(id.pair)
      return track === undefined ? undefined : Tracks.lastSeen(track)
    },
    feed: (id) => known.get(id.pair)?.feed ?? marketKey(id),
    rank,
    orderId: () => ORDER,
    own: run.own
  }
}
