import type { Alert, AlertId } from "../../domain/Alert.ts"

/** The most alerts kept in memory for a reader that is right behind. */
const MAX_TAIL = 4_096

/** The newest alerts, so that the engine need not read back from disk what was written a moment ago. */
export interface Tail {
  readonly push: (alerts: ReadonlyArray<Alert>) => void
  readonly repeated: (id: AlertId, count: number) => void
  /** At most `limit` alerts beyond the cursor; none where the disk has to be asked. */
  readonly since: (cursor: number, limit: number) => ReadonlyArray<Alert> | undefined
}

/** `after`: the last alert that was there before. */
export const make = (after: number): Tail => {
  let rows: Array<Alert> = []
  const indexOf = (id: number) => {
    let index = rows.length
    while (index > 0 && (rows[index - 1]?.id ?? 0) >= id) index--
    return index
  }
  return {
    push: (alerts) => {
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
