// `signalbox candles funding`: downloads the past funding rates of a perpetual, for back-tests with `--fills funding=on`.
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import type { FundingRate } from "../../domain/fills/FundingRate.ts"
import { isPair, type KnownExchange, MarketNotFound, type Pair } from "../../domain/Market.ts"
import * as FundingFiles from "../../prices/FundingFiles.ts"
import * as FundingPages from "../../prices/history/FundingPages.ts"
import * as Place from "../../prices/tape/Place.ts"
import { holesOf } from "../../trading/backtest/Funding.ts"
import { FileError } from "../backtest/files.ts"
import * as Progress from "../program/progress.ts"
import { moment } from "../program/table.ts"
import { usage } from "../program/usage.ts"

/** What is wanted: days as milliseconds, and how to reach the exchange. */
export interface FundingOptions {
  readonly exchange: KnownExchange
  readonly pair: string
  readonly from: number
  readonly until: number
  readonly db: string
  readonly json: boolean
  readonly open: (exchange: KnownExchange) => Promise<FundingPages.FundingClient>
}

/** Downloads the rates, stores each page as it comes, and prints what is stored of the stretch then. */
export const funding = ({ db, exchange, from, json, open, pair: written, until }: FundingOptions) =>
  Effect.gen(function* () {
    const pair = written.toUpperCase()
    if (!isPair(pair)) return yield* new MarketNotFound({ exchange, pair: written, kind: "swap" })
    const refusal = FundingPages.refusalOf(exchange)
    if (refusal !== undefined) return yield* usage(refusal)
    const candles = Place.candlesIn(Place.dataFolderOf(db))
    const id = { exchange, pair }
    const file = FundingFiles.pathOf(candles, id)
    const keep = (rates: ReadonlyArray<FundingRate>) =>
      Effect.tryPromise({
        try: () => FundingFiles.add(candles, id, rates),
        catch: () => new FileError({ file, text: "cannot be written" })
      })
    const within = () => FundingFiles.read(candles, id).filter(({ at }) => at >= from && at < until)
    const stretches = missingIn(within(), { from, until })
    const state = { done: 0 }
    const fetched = yield* FundingPages.download(open, { ...id, stretches }, keep, (news) => {
      if (news._tag === "Progress") state.done = news.done / HOUR_MS
    }).pipe(Progress.during({ json, unit: "hours", total: (until - from) / HOUR_MS }, () => state.done))
    const stored = within()
    const holes = holesOf(stored, { from, to: until })
    yield* Console.log(
      json
        ? JSON.stringify({
            ...{ exchange, pair, kind: "swap", fetched, stored: stored.length, file },
            holes: holes.map((hole) => ({ from: seconds(hole.from), to: seconds(hole.to) }))
          })
        : textOf(pair, exchange, { fetched, stored: stored.length, holes })
    )
  })

/** What is still to fetch: the holes between stored rates, and all after the last. */
const missingIn = (
  stored: ReadonlyArray<FundingRate>,
  { from, until }: FundingPages.Stretch
): ReadonlyArray<FundingPages.Stretch> => {
  const last = stored.at(-1)?.at
  if (last === undefined) return [{ from, until }]
  const holes = holesOf(stored, { from, to: last }).map((hole) => ({ from: hole.from, until: hole.to }))
  return [...holes, { from: last + 1, until }]
}

const HOUR_MS = 3_600_000
const seconds = (ms: number): number => Math.floor(ms / 1000)

/** The most holes that are listed. */
const MOST_LINES = 10

interface Kept {
  readonly fetched: number
  readonly stored: number
  readonly holes: ReturnType<typeof holesOf>
}

const textOf = (pair: Pair, exchange: KnownExchange, { fetched, holes, stored }: Kept): string =>
  [
    `${fetched} funding rates of ${pair} on ${exchange} came; ${stored} are stored of that time.`,
    ...(holes.length === 0 ? ["None is missing."] : ["There are none:"]),
    ...holes
      .slice(0, MOST_LINES)
      .map(({ from, to }) => `  ${moment(seconds(from))} to ${moment(seconds(to))} (UTC)`),
    ...(holes.length > MOST_LINES ? [`  and ${holes.length - MOST_LINES} more times`] : [])
  ].join("\n")
