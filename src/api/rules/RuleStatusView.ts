// What a signal's rule is doing, as its owner reads it.
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { MarketKind, Pair } from "../../domain/Market.ts"

/** What a rule is doing. */
const STATES = ["acting", "warming_up", "waiting", "stopped"] as const

const time = (description: string) =>
  Schema.NullOr(Schema.Int).annotations({ description: `${description}, seconds since the Unix epoch` })

const standing = {
  state: Schema.Literal(...STATES).annotations({
    description:
      "acting; warming_up: too few candles so far; waiting: for candles; stopped: it does nothing, for a reason"
  }),
  acts_from: time("while it warms up: from when on it may raise alerts"),
  reason: Schema.NullOr(Schema.String).annotations({ description: "why it is not acting" })
}

/** The status of a rule, and of each of its markets. */
export const RuleStatusView = Schema.Struct({
  ...standing,
  markets: Schema.Array(
    Schema.Struct({
      exchange: Schema.String,
      kind: MarketKind,
      pair: Pair,
      ...standing,
      looked_at: time("the close of the last candle that was looked at")
    })
  )
}).annotations({
  identifier: "RuleStatus",
  description: "What the rule is doing: as its market does that is furthest from acting."
})
export type RuleStatusView = typeof RuleStatusView.Type

/** A status as services tell it; times in ms. */
export interface Standing {
  readonly state: (typeof STATES)[number]
  readonly actsFrom: number | undefined
  readonly reason: string | undefined
}

/** The status of a rule as services tell it; times in ms. */
export interface RuleStanding extends Standing {
  readonly markets: ReadonlyArray<
    Standing & {
      readonly market: Pick<RuleStatusView["markets"][number], "exchange" | "kind" | "pair">
      readonly lookedAt: number | undefined
    }
  >
}

const secondsOf = (at: number | undefined): number | null => (at === undefined ? null : Math.floor(at / 1000))

const standingOf = ({ actsFrom, reason, state }: Standing) => ({
  state,
  acts_from: secondsOf(actsFrom),
  reason: reason ?? null
})

/** The field of a signal's view; nothing where no rule is at work. */
export const ruleStatusView = (status: Option.Option<RuleStanding>) =>
  Option.match(status, {
    onNone: () => ({}),
    onSome: ({ markets, ...own }) => ({
      rule_status: {
        ...standingOf(own),
        markets: markets.map(({ lookedAt, market, ...rest }) => ({
          ...market,
          ...standingOf(rest),
          looked_at: secondsOf(lookedAt)
        }))
      }
    })
  })
