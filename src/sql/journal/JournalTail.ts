// The newest alerts in memory, so that the engine need not read back what was just written.
import type { Alert, AlertId } from "../../domain/Alert.ts"

/** The most alerts kept for a reader that is right behind. */
const MAX_TAIL = 4_096

/** The tail of the journal. */
export interface Tail {
  /** Adds alerts that were written; a gap before them begins the tail anew. */
  readonly push: (alerts: ReadonlyArray<Alert>) => void
  /** Begins anew after an alert that others have written. */
  readonly skip: (upTo: number) => void
  readonly repeated: (id: AlertId, count: number) => void
  /** At most `limit` alerts after the cursor; undefined where the disk has to be read. */
  readonly since: (cursor: number, limit: number) => ReadonlyArray<Alert> | undefined
}

/** Makes a tail; `after` is the last alert on disk. */
export const make = (after: number): Tail => {
  let rows: Array<Alert> = []
  const indexOf = (id: number) => {
    let index = rows.length
    while (index > 0 && (rows[index - 1]?.id ?? 0) >= id) index--
    return index
  }
  const skip = (upTo: number) => {
    after = upTo
    rows = []
  }
  return {
    skip,
    push: (alerts) => {
      const [first] = alerts
      if (first === undefined || first.id <= after) return
      if (first.id !== (rows.at(-1)?.id ?? after) + 1) skip(first.id - 1)
      rows.push(...alerts)
      if (rows.length <= 2 * MAX_TAIL) return
      after = rows[MAX_TAIL - 1]?.id ?? after
      rows = rows.slice(MAX_TAIL)
    },
    repeated: (id, count) => {
      const index = indexOf(id)
      const alert = rows[index]
      if (alert?.id === id) rows[index] = { ...alert, repeats: alert.repeats + count }
    },
    since: (cursor, limit) => {
      if (cursor < after) return undefined
      const start = indexOf(cursor + 1)
      return rows.slice(start, start + limit)
    }
  }
}
