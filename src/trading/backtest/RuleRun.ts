// The rule of a requested back-test: how far back candles are read for it, and the alerts that it raises over them.
import * as Either from "effect/Either"
import { millisOf } from "../../domain/candles/Timeframe.ts"
import { MAX_ALERTS, type Span } from "../../domain/requests/BacktestRequest.ts"
import type { ReadRule } from "../../domain/signalRule/RuleReading.ts"
import type { TimedAlert } from "../Backtest.ts"
import { warmupsOf } from "../signalRule/RuleAlerts.ts"
import { anchorOf } from "../signalRule/RuleHistory.ts"
import { groundOf, runsOf, timedAlerts } from "../signalRule/RuleRecording.ts"
import type { NamedOutcome } from "./BacktestView.ts"
import type { Series } from "./Tracks.ts"

/** Candles are missing where nothing was traded: so much more time is read than they would take without a hole. */
const SPARE = 1.5

/** A span of recorded candles with what a rule needs before it. */
export const withWarmup = <S extends Span>(rule: ReadRule | undefined, span: S): S => {
  if (rule === undefined || span.from <= 0) return span
  const needs = warmupsOf(rule.checked)
  const earlier = needs.map(({ candles, timeframe }) => candles * millisOf(timeframe) * SPARE)
  const from = Math.floor(span.from - Math.max(...earlier))
  const anchor = needs.some(({ anchored }) => anchored) ? anchorOf(span.from) : from
  return { ...span, from: Math.max(0, Math.min(from, anchor)) }
}

/** A series with all candles that were read of it. */
interface WholeSeries extends Series {
  readonly whole: Series["columns"]
}

/** The alerts that a rule raises within the spans that are tested, or what is wrong. */
export const raised = (
  rule: ReadRule,
  series: ReadonlyArray<WholeSeries>,
  spans: ReadonlyArray<Span>
): Either.Either<{ readonly alerts: ReadonlyArray<TimedAlert>; readonly rule: NamedOutcome }, string> => {
  const tested = {
    from: Math.min(...spans.map(({ from }) => from)),
    until: Math.max(...spans.map(({ until }) => until))
  }
  const whole = series.map(({ exchange, pair, whole }) => ({ exchange, pair, columns: whole }))
  const ground = groundOf(rule.rule, whole, tested)
  if (Either.isLeft(ground)) return Either.left(`cannot be run: the candles of a market ${ground.left.text}`)
  if (ground.right.markets.length === 0) return Either.left("looks at no pair that has candles here")
  const [run] = runsOf([rule], ground.right)
  const alerts = run === undefined ? [] : timedAlerts(run)
  if (run === undefined || run.isCut || alerts.length > MAX_ALERTS)
    return Either.left(`raises more than ${MAX_ALERTS} alerts: choose a shorter time`)
  return Either.right({ alerts, rule: { name: NAME, tested: rule, ground: ground.right, run } })
}

/** A request has one rule. */
const NAME = "of the request"
