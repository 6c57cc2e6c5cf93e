// Past funding rates from the exchanges that serve them, page by page over ccxt, at half the rate that an exchange allows.
import * as Effect from "effect/Effect"
import type { Ccxt } from "../../ccxt/Ccxt.ts"
import type { Descriptor } from "../../ccxt/Descriptor.ts"
import { descriptors } from "../../ccxt/descriptors.ts"
import { failureOf } from "../../ccxt/Failure.ts"
import { ratesIn } from "../../domain/fills/FundingPage.ts"
import type { FundingRate } from "../../domain/fills/FundingRate.ts"
import type { KnownExchange, Pair } from "../../domain/Market.ts"
import { PageFailed } from "../../services/feeds/CandlePages.ts"
import { type Heard, pageAsker } from "../../services/feeds/PageRetry.ts"
import { symbolOf } from "../streaming/symbols.ts"

/** The part of ccxt used here. */
export type FundingClient = Pick<
  Ccxt,
  "timeout" | "markets" | "loadMarkets" | "fetchFundingRateHistory" | "last_response_headers" | "close"
>

/** A stretch of time from `from` on and before `until` (ms). */
export interface Stretch {
  readonly from: number
  readonly until: number
}

/** The rates of a perpetual in these stretches, which stand in sequence. */
export interface FundingRequest {
  readonly exchange: KnownExchange
  readonly pair: Pair
  readonly stretches: ReadonlyArray<Stretch>
}

/** The time limits of one request, and of all that a page takes (ms). */
const REQUEST_MS = 20_000
const PAGE_MS = 60_000
/** The share of an exchange's rate that downloads take. */
const SHARE = 0.5
/** Some perpetuals pay funding each hour. */
const SHORTEST_MS = 3_600_000
/** The most pages of an exchange that counts them back from the newest: over a hundred years of three rates a day. */
const MOST_PAGES = 1200

/** Why an exchange has no funding rates; undefined if it has. */
export const refusalOf = (exchange: KnownExchange): string | undefined =>
  descriptors[exchange].funding === undefined
    ? `${exchange} serves no past funding rates of linear perpetuals; ${SERVING.join(", ")} do`
    : undefined

const SERVING = Object.entries(descriptors).flatMap(([name, { funding }]) =>
  funding === undefined ? [] : [name]
)

/** Downloads rates page by page, and gives each page to `keep` as it comes. */
export const download = Effect.fn("FundingPages.download")(function* <E>(
  open: (exchange: KnownExchange) => Promise<FundingClient>,
  request: FundingRequest,
  keep: (rates: ReadonlyArray<FundingRate>) => Effect.Effect<void, E>,
  heard: Heard
) {
  const { exchange, pair } = request
  const descriptor = descriptors[exchange]
  const client = yield* Effect.acquireRelease(
    Effect.promise(() => open(exchange)),
    (opened) => Effect.ignore(Effect.tryPromise(() => opened.close()))
  )
  client.timeout = REQUEST_MS
  const series = { exchange, pair, kind: "swap", timeframe: "1h" } as const
  let count = 0
  for (const page of pagesOf(descriptor, request)) {
    const ask = pageAsker({ page: () => fetched(client, descriptor, request, page) }, heard)
    const rates: ReadonlyArray<FundingRate> = yield* ask(series, page)
    const wanted = rates.filter(({ at }) =>
      request.stretches.some(({ from, until }) => at >= from && at < until)
    )
    yield* keep(wanted)
    count += wanted.length
    heard({ _tag: "Progress", done: page.done, total: lengthOf(request.stretches) })
    // Pages that are counted back end with the first that reaches further than what is wanted.
    const first = request.stretches[0]?.from ?? 0
    if (page.number !== undefined && (rates.length === 0 || (rates[0]?.at ?? 0) <= first)) break
    yield* Effect.sleep(1000 / (descriptor.rate.perSecond * SHARE))
  }
  return count
}, Effect.scoped)

/** One request: its time (ms), its number where pages are counted, and how much of all is done after it (ms). */
interface Page {
  readonly from: number
  readonly until: number
  readonly number: number | undefined
  readonly done: number
}

function* pagesOf({ funding }: Descriptor, { stretches }: FundingRequest): Generator<Page> {
  if (funding === undefined) return
  if (funding.ends === "pageNo") {
    for (let number = 1; number <= MOST_PAGES; number++) yield { ...EVER, number, done: 0 }
    return
  }
  const width = funding.rows * SHORTEST_MS
  let done = 0
  for (const { from, until } of stretches)
    for (let start = from; start < until; start += width) {
      const end = Math.min(start + width, until)
      done += end - start
      yield { from: start, until: end, number: undefined, done }
    }
}

const EVER: Stretch = { from: 0, until: Number.MAX_SAFE_INTEGER }

const lengthOf = (stretches: ReadonlyArray<Stretch>): number =>
  stretches.reduce((sum, { from, until }) => sum + until - from, 0)

const fetched = (
  client: FundingClient,
  { funding }: Descriptor,
  { exchange, pair }: FundingRequest,
  { from, number, until }: Page
): Effect.Effect<ReadonlyArray<FundingRate>, PageFailed> =>
  Effect.tryPromise({
    try: async () => {
      if (client.markets === undefined) await client.loadMarkets()
      const symbol = symbolOf({ pair, kind: "swap" })
      if (client.markets?.[symbol] === undefined) return NOT_LISTED
      const ends = funding?.ends ?? "until"
      const params =
        number === undefined ? { [ends]: ends === "after" ? until : until - 1 } : { pageNo: number }
      const since = number === undefined ? from : undefined
      const page = await client.fetchFundingRateHistory(symbol, since, funding?.rows, params)
      return ratesIn(page, { from, until }) ?? NOT_UNDERSTOOD
    },
    catch: (cause) => {
      const { isLimit, pauseMs, reason } = failureOf(exchange, cause, client.last_response_headers)
      return new PageFailed({ reason, pauseMs, kind: isLimit ? "limit" : "passing" })
    }
  }).pipe(
    Effect.timeoutFail({ duration: PAGE_MS, onTimeout: () => passing("it does not answer") }),
    Effect.flatMap((answer) => {
      if (answer === NOT_LISTED)
        return new PageFailed({
          reason: `${exchange} does not list the perpetual of ${pair}`,
          pauseMs: 0,
          kind: "lasting"
        })
      return answer === NOT_UNDERSTOOD ? passing("its answer is not understood") : Effect.succeed(answer)
    })
  )

const NOT_LISTED = "not listed"
const NOT_UNDERSTOOD = "not understood"
const passing = (reason: string) => new PageFailed({ reason, pauseMs: 0, kind: "passing" })
