// Decodes every row that a server reads, with the server's own readers.
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Accounts from "../Accounts.ts"
import * as Commands from "../Commands.ts"
import * as Copies from "../directory/Copies.ts"
import * as RecordRows from "../directory/RecordRows.ts"
import * as MoveRows from "../moves/MoveRows.ts"
import * as AlertRows from "../rows/AlertRows.ts"
import * as Chats from "../rows/ChatRows.ts"
import * as EquityRows from "../rows/EquityRows.ts"
import * as HaltRows from "../rows/HaltRows.ts"
import * as Portfolio from "../rows/PortfolioRows.ts"
import * as SignalRows from "../rows/SignalRows.ts"
import * as StrategyRows from "../rows/StrategyRows.ts"
import * as TargetRows from "../rows/TargetRows.ts"
import * as TradeGroupRows from "../rows/TradeGroupRows.ts"
import * as Versions from "../rows/Versions.ts"
import * as RuleProgressRows from "../rules/RuleProgressRows.ts"
import * as RuleWitnessRows from "../rules/RuleWitnessRows.ts"
import * as Sessions from "../Sessions.ts"
import * as SignInCodes from "../SignInCodes.ts"
import * as WhatIfTries from "../WhatIfTries.ts"
import type { Check, Fault } from "./Fault.ts"
import * as RowDecoder from "./RowDecoder.ts"
import { each, type Source } from "./Source.ts"

/** The versions that introduced tables; all others are of the first. */
const SINCE: Readonly<Record<string, number>> = {
  notification_targets: 4,
  sessions: 5,
  halts: 8,
  mandates: 8,
  equity_states: 14,
  equity_points: 14,
  trade_groups: 14,
  sign_in_codes: 16,
  strategy_records: 17,
  record_periods: 17,
  copies: 17,
  chats: 18,
  chat_codes: 18,
  moves: 19,
  rule_progress: 21,
  past_settings: 22,
  rule_witnesses: 21,
  what_if_tries: 23
}

/** Whether a database of a version has a table. */
export const isThere = (table: string, version: number): boolean => version >= (SINCE[table] ?? 1)

/** The checks, one for each table. */
export const looks: ReadonlyArray<readonly [table: string, look: (source: Source) => Check]> = [
  ["strategies", looking("strategies", StrategyRows.rows, Versions.strategiesIn)],
  [
    "past_settings",
    looking(
      "past_settings",
      StrategyRows.pastRows,
      `SELECT revision AS id, strategy_id AS strategy, ${StrategyRows.PAST}`
    )
  ],
  [
    "what_if_tries",
    looking(
      "what_if_tries",
      WhatIfTries.rows,
      `SELECT strategy_id AS id, ${WhatIfTries.COLUMNS} FROM what_if_tries`
    )
  ],
  ["signals", looking("signals", SignalRows.rows, Versions.signalsIn)],
  ["signals", looking("signals", SignalRows.stored, Versions.rulesIn)],
  [
    "rule_progress",
    looking(
      "rule_progress",
      RuleProgressRows.progress,
      `SELECT signal_id AS id, ${RuleProgressRows.COLUMNS} FROM rule_progress`
    )
  ],
  [
    "rule_witnesses",
    looking(
      "rule_witnesses",
      RuleWitnessRows.awaited,
      `SELECT signal_id AS id, ${RuleWitnessRows.COLUMNS} FROM ${RuleWitnessRows.TABLE}`
    )
  ],
  [
    "alerts",
    looking("alerts", AlertRows.alerts, (version) => `SELECT ${Versions.alertColumnsIn(version)} FROM alerts`)
  ],
  ["notification_targets", looking("notification_targets", TargetRows.stored, Versions.targetsIn)],
  ["tokens", looking("tokens", Accounts.tokens, Versions.tokensIn)],
  ["sessions", looking("sessions", Sessions.rows, Sessions.SESSIONS)],
  ["sign_in_codes", looking("sign_in_codes", SignInCodes.rows, SignInCodes.CODES)],
  [
    "strategy_records",
    looking(
      "strategy_records",
      RecordRows.records,
      `SELECT strategy_id AS id, ${RecordRows.RECORD} FROM strategy_records`
    )
  ],
  [
    "record_periods",
    looking(
      "record_periods",
      RecordRows.periods,
      `SELECT period AS id, ${RecordRows.PERIOD} FROM record_periods`
    )
  ],
  ["copies", looking("copies", Copies.copies, `SELECT strategy_id AS id, ${Copies.COLUMNS} FROM copies`)],
  ["chats", looking("chats", Chats.pairings, Chats.PAIRINGS)],
  ["chat_codes", looking("chat_codes", Chats.codes, Chats.CODES)],
  ["moves", looking("moves", MoveRows.rows, `SELECT at AS id, ${MoveRows.COLUMNS} FROM moves`)],
  [
    "waiting",
    looking("waiting", Portfolio.waiting, `SELECT alert_id AS id, ${Portfolio.WAITING} FROM waiting`)
  ],
  ["orders", looking("orders", Portfolio.orders, `SELECT sequence AS id, ${Portfolio.ORDER} FROM orders`)],
  ["halts", looking("halts", HaltRows.rows, `SELECT halts.account AS id, ${HaltRows.COLUMNS} FROM halts`)],
  [
    "mandates",
    looking("mandates", Commands.rows, `SELECT ${Commands.COLUMNS} FROM mandates WHERE answer IS NULL`)
  ],
  ["bots", looking("bots", Portfolio.bots, `SELECT strategy_id AS id, ${Portfolio.BOT} FROM bots`)],
  [
    "equity_states",
    looking("equity_states", EquityRows.states, `SELECT period AS id, ${EquityRows.STATE} FROM equity_states`)
  ],
  [
    "equity_points",
    looking("equity_points", EquityRows.points, `SELECT since AS id, ${EquityRows.POINTS} FROM equity_points`)
  ],
  [
    "trade_groups",
    looking(
      "trade_groups",
      TradeGroupRows.groups,
      `SELECT period AS id, ${TradeGroupRows.COLUMNS} FROM trade_groups`
    )
  ]
]

const Place = Schema.Struct({ id: Schema.Int, strategy: Schema.optional(Schema.Int) })
const placeOf = Schema.decodeUnknownSync(Place)

function looking<A, I>(
  table: string,
  reader: { readonly schema: Schema.Schema<A, I> },
  sql: string | ((version: number) => string)
) {
  const decode = RowDecoder.make(reader.schema)
  return (source: Source): Check =>
    each(source.rows(typeof sql === "string" ? sql : sql(source.version)), (row) => {
      const decoded = decode(row)
      return Either.isLeft(decoded) ? [unreadable(table, placeOf(row), decoded.left)] : undefined
    })
}

const unreadable = (
  table: string,
  { id, strategy }: typeof Place.Type,
  error: ParseResult.ParseError
): Fault => ({
  ...(strategy === undefined ? {} : { strategy }),
  table,
  row: id,
  text: `it cannot be read: ${placeIn(error)} is not as this program writes it`
})

/** The longest path that is reported, in characters. */
const MAX_PATH = 100

/** The path of an error: `settings.exchanges.0`. Its parts may come from the row, so control characters are removed. */
const placeIn = (error: ParseResult.ParseError): string => {
  const [issue] = ParseResult.ArrayFormatter.formatErrorSync(error)
  const path = (issue?.path ?? []).map(String).join(".")
  return path.replaceAll(/\p{C}/gu, " ").slice(0, MAX_PATH)
}
