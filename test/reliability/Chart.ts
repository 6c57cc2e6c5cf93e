// Reads a market's last price from the server's chart.
import * as Schema from "effect/Schema"
import type { ExchangeName } from "../../src/domain/Market.ts"
import type { Slot } from "../exchanges/Protocol.ts"

/** Candles are [time, open, high, low, close]. */
const Chart = Schema.Struct({ candles: Schema.Array(Schema.Array(Schema.Number)) })
const decode = Schema.decodeUnknownSync(Schema.parseJson(Chart))

/** The middle of bid and ask of the last price that the server accepted. */
export const middleOf = async (
  fetch: (path: string) => Promise<Response>,
  strategy: number,
  exchange: ExchangeName,
  { kind, pair }: Slot
): Promise<number | undefined> => {
  const market = new URLSearchParams({ exchange, pair, kind })
  const answer = await fetch(`/v1/dashboard/strategies/${strategy}/chart?${market}`)
  return decode(await answer.text()).candles.at(-1)?.[4]
}
