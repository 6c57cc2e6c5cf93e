// The track record of a strategy: what its completed trades made, on paper and with real money, over all its life and
// since it was first published. Only a completed trade changes what was made.
import * as Schema from "effect/Schema"
import { optional } from "../internal/Optional.ts"

/** On paper, or with real money. */
export const Mode = Schema.Literal("paper", "real")
export type Mode = typeof Mode.Type

const standingFields = { growth: Schema.Number, trades: Schema.Int, until: Schema.Int }
/** The schema of a standing. */
export interface StandingSchema extends Schema.Struct<typeof standingFields> {}
/**
 * The return of several completed trades. `growth` is the product over the trades of equity after over equity before, so
 * that a new period with another balance goes on where the one before ended; `until` is when the last one closed (ms).
 */
export const Standing: StandingSchema = Schema.Struct(standingFields)
export type Standing = typeof Standing.Type

const standingsFields = { paper: optional(Standing), real: optional(Standing) }
/** The schema of standings. */
export interface StandingsSchema extends Schema.Struct<typeof standingsFields> {}
/** The standings on paper and with real money; absent where there was no trade. They are never added together. */
export const Standings: StandingsSchema = Schema.Struct(standingsFields)
export type Standings = typeof Standings.Type

const fields = {
  mode: Mode,
  period: Schema.Int,
  since: Schema.Int,
  overall: Standings,
  published: Standings
}
/** The schema of a track record. */
export interface TrackRecordSchema extends Schema.Struct<typeof fields> {}
/**
 * A track record. `mode`, `period` and `since` (ms) are those of the bot's present period. `published` has only the
 * trades that were opened after the first publication: what was known when the owner published counts for nothing there.
 */
export const TrackRecord: TrackRecordSchema = Schema.Struct(fields)
export type TrackRecord = typeof TrackRecord.Type

/** The record of a strategy without a trade. `since` in ms. */
export const begin = (since: number): TrackRecord => ({
  mode: "paper",
  period: 1,
  since,
  overall: {},
  published: {}
})

/**
 * When a record was published: for the first time, and the last time that it became visible. `times` counts how often
 * it did. In whole seconds.
 */
export interface Publication {
  readonly first: number
  readonly since: number
  readonly times: number
}
