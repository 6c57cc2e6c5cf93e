// The filter of outliers: only quotes within a market's price band (trading/watch/PriceBand.ts) reach the bots, and
// every verdict is counted.
import type { ExchangeName, MarketId } from "../../../domain/Market.ts"
import { keyOf } from "../../../trading/bot/Keys.ts"
import * as PriceBand from "../../../trading/watch/PriceBand.ts"
import type { Quote, QuoteCounts } from "../../Tickers.ts"

type Counts = Record<keyof QuoteCounts, number>

/** The filter, with the accepted and suspect prices of each market. */
export class OutlierFilter {
  /** By market key; as large as the number of markets ever watched. */
  readonly #tracks = new Map<string, PriceBand.Track>()
  readonly #counts = new Map<ExchangeName, Counts>()

  /** Whether bots may decide on the quote. */
  passes({ market, ticker }: Quote): boolean {
    const key = keyOf(market)
    const track = this.#tracks.get(key) ?? PriceBand.UNTRACKED
    const verdict = PriceBand.judge(track, ticker)
    this.#tracks.set(key, PriceBand.follow(track, ticker, verdict))
    const counts = this.#counts.get(market.exchange)
    if (counts !== undefined) counts[verdict]++
    else this.#counts.set(market.exchange, { accepted: 0, held: 0, dropped: 0, [verdict]: 1 })
    return verdict === "accepted"
  }

  /** The time of a market's last accepted quote (ms). */
  lastAt(market: MarketId): number | undefined {
    return this.#tracks.get(keyOf(market))?.accepted?.at
  }

  /** The counts of an exchange's verdicts since the start. */
  countsOf(exchange: ExchangeName): QuoteCounts {
    return { accepted: 0, held: 0, dropped: 0, ...this.#counts.get(exchange) }
  }
}
