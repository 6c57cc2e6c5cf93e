// Reads the inputs of a sweep: strategy, grid, candles and alerts. It bounds the number of combinations.
import type * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Pair } from "../../domain/Market.ts"
import type { MarketFile } from "../../domain/market/MarketFile.ts"
import type { Settings } from "../../domain/Strategy.ts"
import { factsOf } from "../../services/feeds/MarketFacts.ts"
import type { BacktestMarkets } from "../../trading/backtest/BacktestMarkets.ts"
import type { Family } from "../../trading/Sweep.ts"
import type { RuleGround } from "../../trading/signalRule/RuleRecording.ts"
import { count, type Grid, sample } from "../../trading/sweep/SweepGrid.ts"
import * as SweepGridFile from "../../trading/sweep/SweepGridFile.ts"
import { type Recording, splitTime } from "../../trading/sweep/SweepSplit.ts"
import * as Database from "../backtest/database.ts"
import { FileError, readJsonText, readMarket, readRequest, warnOfUnknown } from "../backtest/files.ts"
import * as Fills from "../backtest/fills.ts"
import type * as Range from "../backtest/range.ts"
import * as Rule from "../backtest/rule.ts"
import * as Series from "../backtest/series.ts"
import { alertsOf, balanceOf } from "../backtest.ts"
import { usage } from "../program/usage.ts"
import { repeatedField } from "./repeatedField.ts"

/** The most combinations of one sweep. */
export const MAX_TRIED = 1_000_000

/** The strategy as its file has it, the rule, and the grid over both. */
export const readFamily = (strategy: string, grid: string, rule: Rule.NamedRule | undefined) =>
  Effect.gen(function* () {
    const body = yield* readRequest(strategy)
    yield* warnOfUnknown(strategy, body)
    const { text, value } = yield* readJsonText(grid)
    const axes = SweepGridFile.parse(value, rule?.rule.params)
    if (Either.isLeft(axes)) return yield* new FileError({ file: grid, text: axes.left })
    const repeated = repeatedField(text)
    if (repeated !== undefined) return yield* new FileError({ file: grid, text: `names ${repeated} twice` })
    const family: Family = { body, grid: axes.right, rule: rule?.document }
    return { ...family, body }
  })

/** The combinations to try: all, or a random sample. */
export const chosen = (grid: Grid, size: Option.Option<number>, seed: number) => {
  const total = count(grid)
  const wanted = Option.getOrElse(size, () => total)
  if (total > Number.MAX_SAFE_INTEGER) return usage("the grid has too many combinations to count")
  if (Option.isSome(size) && (wanted < 1 || wanted > MAX_TRIED))
    return usage(`--sample takes a number from 1 to ${MAX_TRIED}`)
  if (!(seed >= 0 && seed < 2 ** 32)) return usage("--seed takes a number from 0 to 4294967295")
  if (wanted > MAX_TRIED)
    return usage(`the grid has ${total} combinations, more than ${MAX_TRIED}: use --sample N`)
  return Effect.succeed(
    wanted < total ? sample(total, wanted, seed) : Array.from({ length: total }, (_, index) => index)
  )
}

/** Options shared with `backtest`. */
export interface Sources extends Database.Named {
  readonly candles: Arr.NonEmptyReadonlyArray<Series.Source>
  readonly range: Range.Range
  readonly markets: ReadonlyArray<{ readonly pair: Pair; readonly file: string }>
  readonly alerts: Option.Option<string>
  readonly balance: Option.Option<string>
  readonly anyTime: boolean
  readonly fills: Option.Option<string>
}

/** What all combinations share. */
export interface Setup {
  readonly ground: BacktestMarkets
  readonly recording: Recording
  /** The candles of the rule that raises the alerts, where one does. */
  readonly rule: RuleGround | undefined
}

/** Reads what all combinations share. Markets and currency are the same in all of them. */
export const readRecording = (sources: Sources, settings: Settings, rule: Rule.NamedRule | undefined) =>
  Effect.gen(function* () {
    const balance = yield* balanceOf(sources.balance, settings)
    const fillModel = yield* Fills.modelOf(sources.fills)
    const overrides = new Map<Pair, MarketFile>()
    for (const { file, pair } of sources.markets) overrides.set(pair, yield* readMarket(file))
    const facts = factsOf(yield* Database.catalogue(sources), overrides)
    const looksBack = rule !== undefined
    const series = yield* Series.read(sources.candles, settings, facts.market, { ...sources, looksBack })
    const { alerts } = yield* alertsOf(sources.candles, sources)
    const fills = yield* Fills.groundOf(fillModel, series, sources.db)
    const ground: BacktestMarkets = { balance, ...facts, ...fills }
    const rules = rule === undefined ? undefined : yield* Rule.ground(rule, series, sources.range)
    const setup: Setup = { ground, recording: { series, alerts }, rule: rules }
    return setup
  })

/** When the held-out part begins (ms); none for 0 percent. */
export const heldFrom = ({ series }: Recording, percent: number) => {
  const time = splitTime(series, percent)
  return percent > 0 && time === undefined
    ? usage("all candles have the same time, so none can be held out: use --holdout 0")
    : Effect.succeed(time)
}
