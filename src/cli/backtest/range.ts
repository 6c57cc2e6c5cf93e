// The options --from and --to: whole days in UTC, both included.
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { dayAt } from "../../domain/candles/CandleSeries.ts"
import { usage } from "../program/usage.ts"

export const from = Options.text("from").pipe(
  Options.optional,
  Options.withDescription("the first day to include, like 2026-11-01 (UTC)")
)
export const to = Options.text("to").pipe(
  Options.optional,
  Options.withDescription("the last day to include, like 2026-11-30 (UTC)")
)

/** A range of times in ms; `until` is the first ms after it. */
export interface Range {
  readonly from: number
  readonly until: number
}

export const rangeOf = (options: {
  readonly from: Option.Option<string>
  readonly to: Option.Option<string>
}) =>
  Effect.gen(function* () {
    const from = Option.isSome(options.from) ? yield* dayOf("--from", options.from.value) : 0
    const last = Option.isSome(options.to) ? yield* dayOf("--to", options.to.value) : Number.POSITIVE_INFINITY
    return from > last ? yield* usage("--from is after --to") : { from, until: last + DAY_MILLIS }
  })

export const within = ({ from, until }: Range, at: number): boolean => at >= from && at < until

const DAY_MILLIS = 86_400_000

/** The start of a day (ms) that an option names. */
export const dayOf = (option: string, text: string) => {
  const at = dayAt(text)
  return at === undefined ? usage(`${option} takes a day, like 2026-11-01`) : Effect.succeed(at)
}
