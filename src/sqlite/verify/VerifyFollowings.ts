// Checks that each strategy acts on the alerts of the signal that its row names.
import type { Database } from "bun:sqlite"
import type { Fault } from "../client/Fault.ts"

/** The version that introduced followings. */
const SINCE = 9

/** Finds strategies whose row names another signal than their following. */
export function* contradicted(database: Database, version: number): Generator<Fault> {
  if (version < SINCE) return
  const found = database.query(`SELECT strategies.id, strategies.signal_id, followings.signal_id
    FROM strategies LEFT JOIN followings ON strategy_id = strategies.id AND until_alert IS NULL
    WHERE strategies.signal_id IS NOT followings.signal_id ORDER BY strategies.id`)
  for (const [id, stated, kept] of found.values()) {
    const strategy = Number(id)
    const text = `it follows ${nameOf(stated)}, and acts on the alerts of ${nameOf(kept)}`
    yield { strategy, table: "followings", text }
  }
}

const nameOf = (signal: unknown): string => (signal === null ? "no signal" : `signal ${Number(signal)}`)
