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

/** Expressions that are warmed up together, such as those of one rule. */
export interface Group {
  /** Adds an expression. */
  readonly add: (checked: Checked) => Series
  /** True from the candle on at which everything in the group is warmed up. Nothing is added to it afterwards. */
  readonly ready: () => Series
  readonly warmups: () => ReadonlyArray<Warmup>
}

/** A plan for expressions over candles of one timeframe; what is added to it directly is a group too. */
export interface Compiler extends Group {
  readonly plan: Plan.Plan
  /** A further group, which shares what is equal in both, and is warmed up by itself. */
  readonly group: () => Group
  /** Gives all rings their sizes, for blocks of at most so many rows. Nothing is added afterwards. */
  readonly allocate: (block: number) => void
}

/** The plan of a timeframe, built from the candles of the rule's own. */
interface Stage {
  readonly timeframe: Timeframe
  readonly plan: Plan.Plan
  readonly link: Longer | undefined
}

/** What a group needs of a stage. */
interface Need {
  readonly stage: Stage
  candles: number
  anchored: boolean
}

/** An empty plan for candles of a timeframe. */
export const make = (timeframe: Timeframe): Compiler => {
  const plan = Plan.make(millisOf(timeframe))
  const base: Stage = { timeframe, plan, link: undefined }
  const stages: Stages = new Map([[timeframe, base]])
  const group = () => groupOf(stages, base)
  return {
    ...group(),
    plan,
    group,
    allocate: (block) => {
      for (const stage of stages.values()) stage.plan.allocate(block)
    }
  }
}

type Stages = Map<Timeframe, Stage>

/** Where parts are built: the stages there are, and what the group needs of each. */
interface Site {
  readonly stages: Stages
  readonly needs: Map<Timeframe, Need>
}

const groupOf = (stages: Stages, base: Stage): Group => {
  const own: Need = { stage: base, candles: 1, anchored: false }
  const site: Site = { stages, needs: new Map([[base.timeframe, own]]) }
  return {
    add: (checked) => add(site, base, checked),
    ready: () =>
      [...site.needs.values()].reduce(
        (all, { candles, stage: { link } }) =>
          link === undefined ? all : combine(base.plan, "and", all, enough(base.plan, link, candles)),
        after(base.plan, own.candles)
      ),
    warmups: () =>
      [...site.needs.values()].map(({ anchored, candles, stage: { timeframe } }) => ({
        timeframe,
        candles,
        anchored
      }))
  }
}

const add = (site: Site, stage: Stage, checked: Checked): Series => {
  const series = build(site, stage, checked)
  const need = site.needs.get(stage.timeframe) ?? { stage, candles: 1, anchored: false }
  site.needs.set(stage.timeframe, need)
  need.candles = Math.max(need.candles, series.warmup)
  need.anchored ||= series.anchored
  return series
}

const build = (site: Site, stage: Stage, part: Checked): Series => {
  const of = (inner: Checked) => build(site, stage, inner)
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
      return requestOf(site, stage, part)
  }
}

/** A series of the stage of a longer timeframe, which is made when it is needed first. */
const requestOf = (
  site: Site,
  base: Stage,
  { of, timeframe, type }: Checked & { readonly _tag: "Request" }
): Series => {
  const found = site.stages.get(timeframe)
  const own = found?.plan ?? Plan.make(millisOf(timeframe))
  const link = longer(base.plan, own)
  const stage = found ?? { timeframe, plan: own, link }
  site.stages.set(timeframe, stage)
  return latest(base.plan, link, add(site, stage, of), type === "boolean" ? 0 : Number.NaN)
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
