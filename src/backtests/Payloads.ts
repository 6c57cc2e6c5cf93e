// What the server says to a back-test's process, and how it reads the responses.
import * as Effect from "effect/Effect"
import * as Decimal from "../domain/Decimal.ts"
import type { MarketId } from "../domain/Market.ts"
import { Violations } from "../domain/requests/Violations.ts"
import { BacktestFailed, BacktestUnreadable } from "../services/backtest/Failures.ts"
import type { factsOf } from "../services/feeds/MarketFacts.ts"
import * as BacktestMarkets from "../trading/backtest/BacktestMarkets.ts"
import type * as Child from "./Child.ts"
import type { Frame, Kind } from "./Frames.ts"
import * as Job from "./Job.ts"

/** Pairs of exchanges whose markets are sent in one frame, so that writing one never holds the event loop for long. */
const MAX_PLACES = 25

/** The places of each frame. */
export const chunksOf = <A>(places: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(places.length / MAX_PLACES) }, (_, chunk) =>
    places.slice(chunk * MAX_PLACES, (chunk + 1) * MAX_PLACES)
  )

/** Sends the markets of one frame. */
export const sendMarkets = (
  child: Child.Child,
  facts: ReturnType<typeof factsOf>,
  places: ReadonlyArray<Pick<MarketId, "exchange" | "pair">>
) => {
  const encoded = BacktestMarkets.encodeMarkets({ balance: Decimal.zero, ...facts }, places)
  return child.send("Markets", Job.bytesOf(JSON.stringify(encoded)))
}

const refused = Job.json(Job.Refused)

/** Decodes a frame of the wanted kind. `Refused` and `Unreadable` become their errors; any other kind is a failure. */
export const payloadOf = <A>({ kind, payload }: Frame, wanted: Kind, read: (payload: Uint8Array) => A) => {
  if (kind === wanted) return attempt(() => read(payload))
  if (kind === "Refused")
    return Effect.flatMap(
      attempt(() => refused.read(payload)),
      Violations.of
    )
  if (kind === "Unreadable")
    return Effect.flatMap(
      attempt(() => Job.textOf(payload)),
      (message) => new BacktestUnreadable({ message })
    )
  return childEnded
}

/** A child that says something else than it was asked for. */
export const childEnded = new BacktestFailed({ reason: "ended" })
/** Reads a payload; one that cannot be read ends the use of the child. */
export const attempt = <A>(read: () => A) => Effect.try({ try: read, catch: () => childEnded })
