// What a person should know of a rule's back-test, in sentences: markets without candles, and how warm its indicators
// were when the test began.
import * as DateTime from "effect/DateTime"
import { type MarketId, marketKey } from "../../domain/Market.ts"
import { lacksVolume } from "./RuleCandles.ts"
import { anchorOf } from "./RuleHistory.ts"
import type { MarketWarmth, RuleGround, RuleRun, TestedRule } from "./RuleRecording.ts"

/** The sentences, those on missing candles first. */
export const notesOf = ({ rule }: TestedRule, ground: RuleGround, run: RuleRun): ReadonlyArray<string> => [
  ...lackingNotes(ground.lacking),
  ...run.warmth.map((warmth) => warmthNote(warmth, rule.timeframe, run, ground)),
  ...anchorNotes(ground, run),
  ...volumeNotes(rule.on, ground)
]

/** Markets that are named; beyond that, how many more there are. */
const NAMED = 10

const namesOf = (markets: ReadonlyArray<MarketId>): string => {
  const names = markets.slice(0, NAMED).map(nameOf)
  return `${names.join(", ")}${markets.length > NAMED ? ` and ${markets.length - NAMED} more` : ""}`
}

const nameOf = ({ exchange, kind, pair }: MarketId): string =>
  `${pair} on ${exchange}${kind === "swap" ? " (perpetual)" : ""}`

const lackingNotes = (lacking: ReadonlyArray<MarketId>): ReadonlyArray<string> =>
  lacking.length === 0 ? [] : [`There are no candles of ${namesOf(lacking)}: the rule raises nothing there.`]

const warmthNote = (
  { before, market, readyAt }: MarketWarmth,
  timeframe: string,
  { warmups }: RuleRun,
  { from }: RuleGround
): string => {
  const needs = warmups
    .map(({ candles, timeframe }) => `${counted(candles, "candle")} of ${timeframe}`)
    .join(" and ")
  const had = `${counted(before, "candle")} of ${timeframe} came before the first that is tested`
  const name = nameOf(market)
  if (readyAt === undefined)
    return `${name}: too few candles. The rule needs ${needs} before it raises anything, and ${had}: it raised nothing.`
  return readyAt > from && before + 1 < (warmups[0]?.candles ?? 0)
    ? `${name}: the rule needs ${needs} before it raises anything, and ${had}: it raised nothing before ${momentOf(readyAt)} UTC.`
    : `${name}: the rule needs ${needs}, and ${had}: it was warm from the beginning.`
}

/** A function that never forgets begins at the first candle there is, where that is later than its anchor. */
const anchorNotes = ({ from, markets }: RuleGround, { warmups, warmth }: RuleRun): ReadonlyArray<string> => {
  if (!warmups.some(({ anchored }) => anchored)) return []
  const late = markets.filter(({ bars, first }) => (bars.at[0] ?? 0) > anchorOf(Math.max(from, first)))
  const [one] = late
  if (one === undefined) return []
  const begin = momentOf(warmth.find(({ market }) => marketKey(market) === marketKey(one.id))?.first ?? 0)
  return [
    `obv, sar, supertrend and barssince never forget. On a server they begin at ${momentOf(anchorOf(one.first))} UTC or at the market's first candle; here they began at ${begin} UTC, the first candle given.`
  ]
}

const VOLUME = /\b(volume|mfi|obv|vwap)\b/

const volumeNotes = (on: TestedRule["rule"]["on"], { markets }: RuleGround): ReadonlyArray<string> => {
  if (!on.some((entry) => VOLUME.test(JSON.stringify(entry)))) return []
  const lacking = markets.filter(({ bars }) => lacksVolume(bars)).map(({ id }) => id)
  return lacking.length === 0
    ? []
    : [`The candles of ${namesOf(lacking)} have no volume, which the rule reads: what needs it has no value.`]
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

const momentOf = (at: number): string =>
  DateTime.formatIso(DateTime.unsafeMake(at)).slice(0, 16).replace("T", " ")
