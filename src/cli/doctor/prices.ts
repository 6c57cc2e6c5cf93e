// Checks the prices of a running server by its own /healthz: without prices no bot decides anything.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { plain } from "../program/table.ts"
import { type Check, fail, GUIDE, ok, warn } from "./Check.ts"

const PATIENCE_MS = 3_000

/** What `/healthz` of the main port says of prices. */
const Health = Schema.Struct({
  prices: Schema.Struct({
    source: Schema.String,
    exchanges: Schema.Array(
      Schema.Struct({ exchange_name: Schema.String, state: Schema.String, reason: Schema.String })
    )
  })
})
export type Health = typeof Health.Type

/** The health of the server at an address; none where it answers otherwise. */
export const healthAt = (url: string): Effect.Effect<Option.Option<Health>> =>
  Effect.tryPromise(async (): Promise<unknown> => {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const answer = await fetch(`${url}/healthz`, { signal, tls: { rejectUnauthorized: false } })
    return answer.json()
  }).pipe(
    Effect.map(Schema.decodeUnknownOption(Health)),
    Effect.orElseSucceed(() => Option.none())
  )

/**
 * One check of where prices come from, and one for each exchange that cannot be reached. `isTrading`: strategies are
 * active, which can do nothing without prices.
 */
export const prices = (
  { prices: { exchanges, source } }: Health,
  isTrading: boolean
): ReadonlyArray<Check> => {
  if (source === "none") {
    const text = "the server runs with --prices none, so no bot buys or sells"
    return [(isTrading ? fail : warn)("prices", text, "start it with --prices live", GUIDE.prices)]
  }
  const unreachable = exchanges.filter(({ state }) => state === "unreachable")
  if (unreachable.length === 0) return [ok("prices", `${plain(source)}, no exchange is out of reach`)]
  return unreachable.map(({ exchange_name, reason }) =>
    warn(
      "prices",
      `the server has no prices of ${plain(exchange_name)}: ${plain(reason)}`,
      "its bots wait until there are some; the log has more",
      GUIDE.prices
    )
  )
}
