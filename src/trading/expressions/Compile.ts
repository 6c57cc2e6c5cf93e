// Compiles checked expressions into series of one plan. Equal parts of all of them are computed once.
import type { Timeframe } from "../../domain/candles/Timeframe.ts"
import { millisOf } from "../../domain/candles/Timeframe.ts"
import type { PriceName } from "../../domain/expression/Prices.ts"
import type { Checked } from "../../domain/signalRule/Expression.ts"
import { after, choose, combine, negative, not } from "../indicators/Arithmetic.ts"
import { middle } from "../indicators/Indicators.ts"
import { enough, type Longer, latest, longer } from "../indicators/Longer.ts"
import * as Plan from "../indicators/Plan.ts"
import type { Series } from "../indicators/Series.ts"
import { CALLS, earlier } from "./Calls.ts"

/** How many candles of a timeframe must have come before a value is that of a chart which began long before. */
export interface Warmup {
  readonly timeframe: Timeframe
  readonly candles: number
  /** Whether something never forgets, and so depends on the candle it began with. */
  readonly anchored: boolean
}

/** A plan for expressions over candles of one timeframe. */
export interface Compiler {
  readonly plan: Plan.Plan
  /** Adds an expression. */
  readonly add: (checked: Checked) => Series
  /** True from the candle on at which everything that was added is warmed up. Nothing is added afterwards. */
  readonly ready: () => Series
  readonly warmups: () => ReadonlyArray<Warmup>
  /** Gives all rings their sizes, for blocks of at most so many rows. Nothing is added afterwards. */
  readonly allocate: (block: number) => void
}

interface Stage {
  readonly timeframe: Timeframe
  readonly plan: Plan.Plan
  readonly link: Longer | undefined
  warmup: number
  anchored: boolean
}

/** An empty plan for candles of a timeframe. */
export const make = (timeframe: Timeframe): Compiler => {
  const plan = Plan.make(millisOf(timeframe))
  const base: Stage = { timeframe, plan, link: undefined, warmup: 1, anchored: false }
  const stages: Stages = new Map([[timeframe, base]])
  return {
    plan,
    add: (checked) => add(stages, base, checked),
    ready: () =>
      [...stages.values()].reduce(
        (all, { link, warmup }) =>
          link === undefined ? all : combine(plan, "and", all, enough(plan, link, warmup)),
        after(plan, base.warmup)
      ),
    warmups: () =>
      [...stages.values()].map(({ anchored, timeframe, warmup }) => ({
        timeframe,
        candles: warmup,
        anchored
      })),
    allocate: (block) => {
      for (const stage of stages.values()) stage.plan.allocate(block)
    }
  }
}

type Stages = Map<Timeframe, Stage>

const add = (stages: Stages, stage: Stage, checked: Checked): Series => {
  const series = build(stages, stage, checked)
  stage.warmup = Math.max(stage.warmup, series.warmup)
  stage.anchored ||= series.anchored
  return series
}

const build = (stages: Stages, stage: Stage, part: Checked): Series => {
  const of = (inner: Checked) => build(stages, stage, inner)
  switch (part._tag) {
    case "Constant":
      return stage.plan.constant(part.value)
    case "Price":
      return priceOf(stage.plan, part.name)
    case "Negative":
      return negative(stage.plan, of(part.of))
    case "Not":
      return not(stage.plan, of(part.of))
    case "Binary":
      return combine(stage.plan, part.operator, of(part.left), of(part.right))
    case "Conditional":
      return choose(stage.plan, of(part.condition), of(part.then), of(part.other))
    case "History":
      return earlier(stage.plan, of(part.of), part.rows, part.type === "boolean")
    case "Call":
      return callOf(stage.plan, part, of)
    case "Request":
      return requestOf(stages, stage, part)
  }
}

/** A series of the stage of a longer timeframe, which is made when it is needed first. */
const requestOf = (
  stages: Stages,
  base: Stage,
  { of, timeframe, type }: Checked & { readonly _tag: "Request" }
): Series => {
  const found = stages.get(timeframe)
  const own = found?.plan ?? Plan.make(millisOf(timeframe))
  const link = longer(base.plan, own)
  const stage = found ?? { timeframe, plan: own, link, warmup: 1, anchored: false }
  stages.set(timeframe, stage)
  return latest(base.plan, link, add(stages, stage, of), type === "boolean" ? 0 : Number.NaN)
}

const priceOf = (plan: Plan.Plan, name: PriceName): Series => {
  if (name === "hl2") return middle(plan, ["high", "low"])
  if (name === "hlc3") return middle(plan, ["high", "low", "close"])
  if (name === "ohlc4") return middle(plan, ["open", "high", "low", "close"])
  return plan.field(name)
}

const callOf = (
  plan: Plan.Plan,
  { function: name, inputs, output }: Checked & { readonly _tag: "Call" },
  of: (inner: Checked) => Series
): Series => {
  const all = inputs.map(of)
  return CALLS[name]({
    plan,
    all,
    series: (index) => all[index] ?? impossible(name, index),
    number: (index) => {
      const input = inputs[index]
      return input?._tag === "Constant" ? input.value : impossible(name, index)
    },
    output: (outputs) => outputs[output ?? ""] ?? impossible(name, output)
  })
}

/** The check has seen to it. */
const impossible = (name: string, place: number | string | undefined): never => {
  throw new Error(`${name} was checked without ${place}`)
}
