// The worker thread of a back-test's process; the main thread listens to the server (see main.ts). The build bundles it
// as a separate file (scripts/build.ts).
import * as Clock from "effect/Clock"
import * as Either from "effect/Either"
import { type BacktestRequest, MAX_CANDLES } from "../domain/requests/BacktestRequest.ts"
import { MAX_VIOLATIONS, type Violation } from "../domain/requests/Violations.ts"
import * as FundingFiles from "../prices/FundingFiles.ts"
import * as SpreadFiles from "../prices/SpreadFiles.ts"
import * as Place from "../prices/tape/Place.ts"
import * as Comparing from "../services/compare/Comparing.ts"
import * as GatheredMessage from "../services/compare/GatheredMessage.ts"
import * as Trying from "../services/whatIf/Trying.ts"
import { read } from "../trading/backtest/BacktestBody.ts"
import * as BacktestMarkets from "../trading/backtest/BacktestMarkets.ts"
import * as BacktestRun from "../trading/backtest/BacktestRun.ts"
import type { Frame, Kind } from "./Frames.ts"
import * as Job from "./Job.ts"
import * as Recorded from "./Recorded.ts"

declare const self: Worker

let request: BacktestRequest | undefined
let venues: typeof Job.Venues.Type | undefined
let startedAt = 0
const markets: Array<(typeof BacktestMarkets.MarketsMessage.Encoded)["markets"][number]> = []
const rows: Array<string> = []
const files = {
  compare: Job.json(Job.Compare),
  whatIf: Job.json(Job.WhatIf),
  tries: Job.json(Job.Tries),
  outcome: Job.json(Job.Outcome),
  venues: Job.json(Job.Venues),
  asks: Job.json(Job.Asks),
  markets: Job.json(Job.Markets),
  run: Job.json(Job.Run)
}

self.onmessage = ({ data: { kind, payload } }: MessageEvent<Frame>) => {
  if (kind === "Venues") venues = files.venues.read(payload)
  else if (kind === "Read") take(payload)
  else if (kind === "Markets") markets.push(...files.markets.read(payload).markets)
  else if (kind === "Run" && request !== undefined) void run(request, files.run.read(payload))
  else if (kind === "Rows") rows.push(Job.textOf(payload))
  else if (kind === "Compare") compare(files.compare.read(payload))
  else if (kind === "WhatIf") whatIf(files.whatIf.read(payload))
  else if (kind === "Tries") answerTried?.(files.tries.read(payload))
}

const answer = (kind: Kind, payload: Uint8Array<ArrayBuffer>): void =>
  self.postMessage({ kind, payload } satisfies Frame, [payload.buffer])

/** Reports at most `MAX_VIOLATIONS`, as every request does. */
const refuse = (violations: ReadonlyArray<Violation>): void =>
  answer("Refused", Job.bytesOf(JSON.stringify(violations.slice(0, MAX_VIOLATIONS))))

const take = (body: Uint8Array): void => {
  startedAt = Bun.nanoseconds()
  const found = read(body, venues)
  if (Either.isLeft(found))
    return typeof found.left === "string" ? answer("Unreadable", Job.bytesOf(found.left)) : refuse(found.left)
  const backtest = found.right
  request = backtest
  const { alerts, candles, settings } = backtest
  const listed = settings.exchanges.flatMap(({ exchange, pairs }) =>
    pairs.map((pair) => ({ exchange, pair }))
  )
  const priced = candles.map(({ pair }) => ({ exchange: BacktestRun.placeOf(backtest, pair), pair }))
  const places = new Map([...listed, ...priced].map((place) => [`${place.exchange} ${place.pair}`, place]))
  answer(
    "Asks",
    files.asks.write({
      places: [...places.values()] satisfies ReturnType<typeof Job.placesOf>["Type"],
      alerts: alerts._tag === "OnRecord" ? alerts : undefined
    })
  )
}

const compare = ({ database, terms }: typeof Job.Compare.Type): void => {
  const { fillModel, gathered } = GatheredMessage.read(terms, rows)
  const folder = Place.candlesIn(Place.dataFolderOf(database))
  const view = Either.map(
    Recorded.seriesOf(folder, Comparing.placesOf(gathered), gathered, MAX_CANDLES),
    (series) =>
      Comparing.compared(gathered, {
        ...BacktestMarkets.decodeMarkets({ balance: "0", markets }),
        fillModel,
        series
      })
  )
  const found = Either.merge(view)
  if (typeof found === "string") answer("Unreadable", Job.bytesOf(found))
  else answer("Done", Job.bytesOf(JSON.stringify(found)))
}

/** Answers a what-if that was tried, once all tries on its stretch are known. */
let answerTried: ((tries: typeof Job.Tries.Type) => void) | undefined

const whatIf = ({ database, notices, settings, terms }: typeof Job.WhatIf.Type): void => {
  const { fillModel, gathered } = GatheredMessage.read(terms, rows)
  const folder = Place.candlesIn(Place.dataFolderOf(database))
  const tried = { gathered, settings }
  const result = Either.merge(
    Either.map(Recorded.seriesOf(folder, Trying.candlePlaces(tried), gathered, MAX_CANDLES), (series) =>
      Trying.tried(tried, {
        ...BacktestMarkets.decodeMarkets({ balance: "0", markets }),
        fillModel,
        series
      })
    )
  )
  if (typeof result === "string") return answer("Unreadable", Job.bytesOf(result))
  answerTried = (tries) =>
    answer("Done", Job.bytesOf(JSON.stringify(Trying.answerOf(tried, result, { tries, notices }))))
  answer("Tried", files.outcome.write(Trying.outcomeOf(result)))
}

const run = async (backtest: BacktestRequest, job: typeof Job.Run.Type): Promise<void> => {
  const { alerts, database, lacksOwn } = job
  const recorded = alerts === undefined ? Either.right([]) : await Recorded.alerts(job, alerts)
  const view = BacktestRun.run(backtest, {
    // The balance is of the request.
    ground: BacktestMarkets.decodeMarkets({ balance: "0", markets }),
    most: MAX_CANDLES,
    candles: (wanted, most) => Recorded.candles(Place.candlesIn(Place.dataFolderOf(database)), wanted, most),
    alerts: () => recorded,
    funding: (id) => FundingFiles.read(Place.candlesIn(Place.dataFolderOf(database)), id),
    spreads: SpreadFiles.reader(Place.candlesIn(Place.dataFolderOf(database))),
    // Real time, even where a replay has a clock of its own.
    now: Clock.make().unsafeCurrentTimeMillis(),
    lacksOwn,
    elapsed: () => (Bun.nanoseconds() - startedAt) / 1e6
  })
  if (Either.isLeft(view)) refuse(view.left)
  else answer("Done", Job.bytesOf(JSON.stringify(view.right)))
}
