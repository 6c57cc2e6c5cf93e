// Statements for rows of older versions of the database, for reading one that is not brought up to date.
import { TOKENS } from "../Accounts.ts"
import { COLUMNS } from "./AlertRows.ts"
import * as SignalRows from "./SignalRows.ts"
import * as StrategyRows from "./StrategyRows.ts"
import * as TargetRows from "./TargetRows.ts"

/** The first version that records which token made another. */
const MAKERS_SINCE = 11
/** The versions that store the addresses and secrets of notifications unsealed. */
export const UNSEALED = { from: 4, below: 12 } as const

/** The query for all tokens: older versions do not record which token made another. */
export const tokensIn = (version: number): string =>
  version < MAKERS_SINCE ? TOKENS.replace("made_by AS", "NULL AS") : TOKENS

/** The versions that revisions of strategies, copies of them, and display names came with. */
const SINCE_REVISIONS = 9
const SINCE_COPIES = 17
const SINCE_NAMES = 17

/** The query for all strategies. */
export const strategiesIn = (version: number): string => {
  const columns =
    version < SINCE_COPIES ? StrategyRows.COLUMNS.replace("copied_from", "NULL") : StrategyRows.COLUMNS
  return `SELECT ${version < SINCE_REVISIONS ? columns.replace("revision", "0 AS revision") : columns} FROM strategies`
}

/** The query for all signals. */
export const signalsIn = (version: number): string =>
  `SELECT ${
    version < SINCE_NAMES ? SignalRows.COLUMNS.replace("display_name", "NULL") : SignalRows.COLUMNS
  } FROM signals`

/** The query for whole rows of notification targets, sealed or not. */
export const targetsIn = (version: number): string =>
  `SELECT ${
    version >= UNSEALED.below
      ? TargetRows.STORED
      : `id, account, name, json_extract(channel, '$.kind') AS kind, '' AS "to", kinds, created_at AS "createdAt",
        revision, progress, NULL AS key, NULL AS nonce, NULL AS text, channel AS unsealed`
  } FROM notification_targets`

/** The version that introduced the optional fields of alerts. */
const SINCE_EXTRAS = 13

/** The columns of alerts. */
export const alertColumnsIn = (version: number): string =>
  version < SINCE_EXTRAS ? COLUMNS.replace("extras", "NULL AS extras") : COLUMNS
