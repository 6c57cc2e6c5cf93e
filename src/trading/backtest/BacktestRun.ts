// One requested back-test, from request to result: collects the candles and alerts that the request names, reports all
// violations together, runs, and adds warnings.
import * as Either from "effect/Either"
import * as CandleFile from "../../domain/candles/CandleFile.ts"
import { between } from "../../domain/candles/CandleRange.ts"
import * as CandleTime from "../../domain/candles/CandleTime.ts"
import type { FillModel } from "../../domain/fills/FillModel.ts"
import type { ExchangeName, Pair } from "../../domain/Market.ts"
import { type BacktestRequest, type Candles, MAX_ALERTS } from "../../domain/requests/BacktestRequest.ts"
import { type Violation, violation } from "../../domain/requests/Violations.ts"
import * as Backtest from "../Backtest.ts"
import { overrunText } from "../Overrun.ts"
import type { OwnDecisions } from "../OwnDecisions.ts"
import { exchangeFor } from "../Routing.ts"
import * as AlertsFile from "./AlertsFile.ts"
import type { BacktestMarkets } from "./BacktestMarkets.ts"
import { type BacktestView, type Filled, type NamedOutcome, viewOf } from "./BacktestView.ts"
import * as FillsView from "./FillsView.ts"
import * as RuleRun from "./RuleRun.ts"
import { warningsOf } from "./RunWarnings.ts"
import type { Series } from "./Tracks.ts"

/** The sources of the data that a request names. A source that cannot deliver returns the reason as a text. */
export interface Sources {
  readonly ground: Omit<BacktestMarkets, "balance">
  /** The most candles of all pairs together. */
  readonly most: number
  /** Recorded candles sorted by time, at most `most` of them. */
  readonly candles: (
    candles: Extract<Candles, { _tag: "Recorded" }>,
    most: number
  ) => Either.Either<CandleFile.Columns, string>
  /** The requested alerts on record, at most one more than a back-test takes. */
  readonly alerts: () => Either.Either<ReadonlyArray<Backtest.TimedAlert>, string>
  /** The stored funding rates of a perpetual; absent where none are stored. */
  readonly funding?: BacktestMarkets["funding"]
  /** The recorded spreads of a market; absent where none are recorded. */
  readonly spreads?: BacktestMarkets["spreads"]
  /** An embedder's own decisions; `lacksOwn` where the server has some that this run cannot call. */
  readonly own?: OwnDecisions | undefined
  readonly lacksOwn?: boolean
  /** The wall-clock time (ms since the epoch); times in files may not lie far after it. */
  readonly now: number
  /** The elapsed time so far, in ms. */
  readonly elapsed: () => number
}

/** Runs a requested back-test, or returns all its violations. */
export const run = (
  request: BacktestRequest,
  sources: Sources
): Either.Either<BacktestView, ReadonlyArray<Violation>> => {
  const violations: Array<Violation> = []
  const series = seriesOf(request, sources, violations)
  const { alerts, rule, skipped } = sentOf(request, series, sources, violations)
  if (violations.length > 0) return Either.left(violations)
  const fills: Array<Filled> = []
  const { balance, fillModel, settings } = request
  const ground =
    fillModel === undefined ? sources.ground : { ...sources.ground, ...modelOf(fillModel, sources) }
  const result = Backtest.run({
    ...ground,
    settings,
    balance,
    series,
    alerts,
    own: sources.own,
    filled: (order, fill) => void fills.push({ order, fill })
  })
  if (result.overrunAt !== undefined)
    return Either.left([violation("strategy", overrunText(`time ${result.overrunAt} (ms)`))])
  const warnings = [
    ...(sources.lacksOwn === true ? [LACKS_OWN] : []),
    ...warningsOf({ settings, series, alerts, ...sources.ground })
  ]
  const elapsedMs = sources.elapsed()
  const nearer = FillsView.viewOf({ ...ground, series, alerts }, result)
  return Either.right(
    viewOf({
      ...{ settings, series, result, fills, alerts: alerts.length, skipped, warnings, elapsedMs },
      ...(rule === undefined ? {} : { rule }),
      ...(nearer === undefined ? {} : { nearer })
    })
  )
}

/** The fill model, with funding rates and recorded spreads where it wants them. */
const modelOf = (
  fillModel: FillModel,
  { funding, spreads }: Sources
): Pick<BacktestMarkets, "fillModel" | "funding" | "spreads"> => ({
  fillModel,
  ...(fillModel.funding === true ? { funding } : {}),
  ...(fillModel.spread === undefined ? {} : { spreads })
})

/** The exchange whose candles price a pair: the one that its alerts go to. */
export const placeOf = ({ settings }: BacktestRequest, pair: Pair): ExchangeName =>
  exchangeFor(settings, pair) ?? settings.defaultExchange

/** The candles of a pair that are tested, and all that were read: a rule looks at earlier ones too. */
interface ReadSeries extends Series {
  readonly whole: CandleFile.Columns
}

const seriesOf = (
  request: BacktestRequest,
  { candles, ground, most, now }: Sources,
  violations: Array<Violation>
): ReadonlyArray<ReadSeries> => {
  let room = most
  return request.candles.flatMap((one, index) => {
    const { pair } = one
    const exchange = placeOf(request, pair)
    const field = `candles[${index}]`
    if (ground.market({ exchange, pair, kind: "spot" }) === undefined) {
      violations.push(violation(`${field}.pair`, `is no market on ${exchange}`))
      return []
    }
    const read =
      one._tag === "Uploaded"
        ? parsed(one.csv, timesOf(request, now))
        : candles(RuleRun.withWarmup(request.rule, one), room)
    if (Either.isLeft(read)) {
      violations.push(violation(one._tag === "Uploaded" ? `${field}.csv` : field, read.left))
      return []
    }
    room -= read.right.length
    if (room < 0) {
      violations.push(violation(field, `makes more than ${most} candles in all: choose a shorter time`))
      return []
    }
    const whole = read.right
    const columns = one._tag === "Uploaded" ? whole : between(whole, one.from, one.until)
    if (columns.length > 0) return [{ exchange, pair, columns, whole }]
    violations.push(violation(field, "has no recorded prices of that time"))
    return []
  })
}

const encoder = new TextEncoder()

/** The times that the files of a request may hold. */
const timesOf = ({ anyTime }: BacktestRequest, now: number): CandleTime.FileTimes =>
  anyTime ? CandleTime.MADE_UP : CandleTime.real(now)

const parsed = (csv: string, times: CandleTime.FileTimes): Either.Either<CandleFile.Columns, string> => {
  const columns = Either.mapLeft(CandleFile.parse(encoder.encode(csv), times), CandleFile.explainError)
  return Either.isRight(columns) && columns.right.length === 0 ? Either.left("holds no candles") : columns
}

/** The alerts of a run, and the rule that raised them if one did. */
interface SentAlerts {
  readonly alerts: ReadonlyArray<Backtest.TimedAlert>
  readonly skipped: ReadonlyArray<string>
  readonly rule?: NamedOutcome
}

const sentOf = (
  request: BacktestRequest,
  series: ReadonlyArray<ReadSeries>,
  sources: Sources,
  violations: Array<Violation>
): SentAlerts => {
  if (request.rule === undefined || violations.length > 0) return alertsOf(request, sources, violations)
  const spans = request.candles.map((one) => (one._tag === "Uploaded" ? WHOLE : one))
  const found = RuleRun.raised(request.rule, series, spans)
  if (Either.isRight(found)) return { ...found.right, skipped: [] }
  violations.push(violation("rule", found.left))
  return { alerts: [], skipped: [] }
}

/** A file is tested from its first candle to its last. */
const WHOLE = { from: 0, until: Number.POSITIVE_INFINITY }

const NONE: AlertsFile.Reading = { alerts: [], skipped: [] }

const alertsOf = (
  request: BacktestRequest,
  sources: Sources,
  violations: Array<Violation>
): { readonly alerts: ReadonlyArray<Backtest.TimedAlert>; readonly skipped: ReadonlyArray<string> } => {
  const { alerts } = request
  const refuse = (field: string, text: string) => {
    violations.push(violation(field, text))
    return NONE
  }
  const read = () => {
    if (alerts._tag === "None") return NONE
    if (alerts._tag === "OnRecord")
      return Either.match(sources.alerts(), {
        onLeft: (text) => refuse("alerts", text),
        onRight: (found) => ({ alerts: found, skipped: [] })
      })
    return Either.match(
      AlertsFile.read(encoder.encode(alerts.text), alerts.pair, timesOf(request, sources.now)),
      {
        onLeft: ({ line, text }) => refuse("alerts.text", `line ${line}: ${text}`),
        onRight: (found) => found
      }
    )
  }
  const found = read()
  if (found.alerts.length > MAX_ALERTS) refuse("alerts", `are more than ${MAX_ALERTS}: choose a shorter time`)
  return {
    alerts: found.alerts,
    skipped: found.skipped.map(({ line, text }) => `line ${line}: ${text}`)
  }
}

const LACKS_OWN = {
  code: "own_decisions",
  text: "this server has own decisions in its bots (vetoes, sizes or exits), which this back-test does not have"
}
