// The views of public strategies and signals. None of them holds an account, a balance of real money, or the rule of a
// signal.
import * as Schema from "effect/Schema"
import { Mode } from "../../domain/directory/TrackRecord.ts"
import { MarkedFigures } from "../../domain/equity/EquityFigures.ts"
import { Performance } from "../../domain/Performance.ts"
import { FullView } from "../../domain/requests/StrategyView.ts"
import { SignalDraft, SignalId } from "../../domain/Signal.ts"
import { StrategyId } from "../../domain/StrategyId.ts"

const time = (description: string) =>
  Schema.Int.annotations({ description: `${description}, seconds since the Unix epoch` })
const count = (description: string) => Schema.Int.annotations({ description })
const percent = (description: string) => Schema.Number.annotations({ description: `${description}, percent` })
const text = (description: string) => Schema.String.annotations({ description })

/** Who publishes. */
export const PublisherView = Schema.Struct({
  number: count("tells two publishers of one name apart: given once, never changed"),
  name: text("the display name that the owner chose for this"),
  published: count("how many strategies and signals this publisher ever published, vanished ones included")
}).annotations({ identifier: "Publisher", description: "Who publishes a strategy or a signal." })

/** When something was published. */
const publication = {
  first_published_at: time("when it was published for the first time"),
  published_at: time("since when it has been public, active and named without a break"),
  times_published: count("how often it was published; above 1, it was hidden in between"),
  age_days: count("whole days since it was published for the first time")
}

/** The return of several completed trades. */
export const StandingView = Schema.Struct({
  return_pct: percent("net return of the trades, one after the other"),
  trades: count("completed trades"),
  until: time("when the last of them closed")
}).annotations({ identifier: "Standing", description: "The return of several completed trades." })

const Standings = Schema.Struct({
  paper: Schema.NullOr(StandingView).annotations({ description: "on paper; null without a trade" }),
  real: Schema.NullOr(StandingView).annotations({ description: "with real money; null without a trade" })
})

/** The record of a strategy. */
export const TrackRecordView = Schema.Struct({
  mode: Mode.annotations({ description: "whether it trades on paper or with real money now" }),
  since: time("since when it trades so, with the balance that it has"),
  settings_since: time("since when it has its present settings; names and texts do not count"),
  ...publication,
  level: count(
    "3 after a year and 50 trades since publication, 2 after 90 days and 25, 1 after 30 days and 10, else 0"
  ),
  since_publication: Standings.annotations({
    description: "trades that were opened after the first publication"
  }),
  overall: Standings.annotations({
    description: "all trades, also of earlier periods and before publication"
  }),
  open_pct: Schema.NullOr(Schema.Number).annotations({
    description:
      "result of the positions that are open now over the equity without them, percent; null where it is not known"
  })
}).annotations({ identifier: "TrackRecord", description: "What the ledger says of a strategy." })

/** The settings of a strategy, but for names, texts and whose they are. */
export const SettingsView = FullView.omit(
  "strategy_id",
  "name",
  "description",
  "active",
  "public",
  "display_name",
  "copied_from",
  "signal_id",
  "exchanges",
  "default_quote_currency",
  "performance",
  "created_at",
  "updated_at"
).annotations({ identifier: "PublicSettings", description: "Settings; what is unset or off is null." })

const FollowedView = Schema.Struct({
  id: SignalId,
  name: SignalDraft.fields.name
}).annotations({ identifier: "FollowedSignal", description: "A public signal that a strategy follows." })

const strategyFields = {
  strategy_id: StrategyId,
  name: FullView.fields.name,
  description: FullView.fields.description,
  publisher: PublisherView,
  created_at: time("when it was made"),
  copies: count("how many other accounts hold a copy"),
  default_quote_currency: FullView.fields.default_quote_currency,
  exchanges: FullView.fields.exchanges,
  settings: SettingsView,
  follows_signal: Schema.Boolean.annotations({ description: "whether it follows any signal" }),
  signal: Schema.NullOr(FollowedView).annotations({
    description: "the signal that it follows, where the caller may follow it too; else null"
  }),
  performance: Performance,
  record: TrackRecordView
}

/** A public strategy as a list shows it. */
export const PublicStrategyView = Schema.Struct(strategyFields).annotations({
  identifier: "PublicStrategy",
  description: "A strategy that its owner published."
})
export type PublicStrategyView = typeof PublicStrategyView.Type

/** A period of a record. */
export const PeriodView = Schema.Struct({
  period: count(
    "from 1; a new one begins with each change between paper and real money, and each new currency"
  ),
  mode: Mode,
  currency: text("what its balance was counted in"),
  since: time("when it began"),
  until: time("when its last trade closed"),
  trades: count("completed trades"),
  return_pct: percent("net result over the balance at its start"),
  max_drawdown_pct: percent("largest fall from a peak after a trade; 0 or negative"),
  win_rate_pct: percent("trades with a net profit over all"),
  profit_factor: Schema.NullOr(Schema.Number).annotations({
    description: "gross profit over gross loss; null with winners and no losers"
  })
}).annotations({ identifier: "RecordPeriod", description: "A period of a strategy's record." })

/** Figures of equity without its amounts. */
export const RatiosView = MarkedFigures.pipe(Schema.omit("starting_equity", "equity")).annotations({
  identifier: "PublicFigures",
  description: "Figures of the present period, marked to the market."
})

/** A point of a public curve. */
export const CurvePointView = Schema.Tuple(Schema.Number, Schema.Number, Schema.Number).annotations({
  identifier: "PublicCurvePoint",
  description: "time (seconds), return since the period began (percent), drawdown (percent)"
})

/** A public strategy with its record. */
export const PublicStrategyDetail = Schema.Struct({
  ...strategyFields,
  periods: Schema.Array(PeriodView).annotations({
    description: "the periods with trades, newest first, at most 100; `overall` has all"
  }),
  figures: RatiosView,
  curve: Schema.Array(CurvePointView).annotations({ description: "of the present period, oldest first" })
}).annotations({
  identifier: "PublicStrategyDetail",
  description: "A strategy that its owner published, with its record."
})
export type PublicStrategyDetail = typeof PublicStrategyDetail.Type

/** A public signal. */
export const PublicSignalView = Schema.Struct({
  id: SignalId,
  name: SignalDraft.fields.name,
  description: SignalDraft.fields.description,
  publisher: PublisherView,
  created_at: time("when it was made"),
  followers: count("how many other accounts have a strategy that follows it"),
  ...publication
}).annotations({ identifier: "PublicSignal", description: "A signal that its owner published." })
export type PublicSignalView = typeof PublicSignalView.Type
