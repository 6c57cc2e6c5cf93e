// What a database goes through while lives are lived: its back ends are terminated or killed, statements are cancelled,
// answers get lost, and for a while nobody reaches it.
import type { SeededRandom } from "../../../src/testing/SeededRandom.ts"
import type { Eye } from "../../lib/postgres/Eye.ts"
import type { Proxy } from "../../lib/postgres/Proxy.ts"
import { passes } from "./haste.ts"

/** A database, and the way that the engine takes to it. */
export interface Suffering {
  readonly database: string
  readonly eye: Eye
  readonly proxy: Proxy
}

/** How long it is in peace between two blows (ms). */
const PEACE_MS = [500, 12_000] as const
/** How long nobody reaches it (ms). */
const AWAY_MS = [200, 20_000] as const

const OTHERS = "FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()"

type Blow = "terminated" | "all terminated" | "cancelled" | "killed" | "answer lost" | "away"

const drawn = (dice: SeededRandom): Blow => {
  const odds = dice.next()
  if (odds < 0.4) return "answer lost"
  if (odds < 0.6) return "terminated"
  if (odds < 0.7) return "all terminated"
  if (odds < 0.85) return "cancelled"
  return odds < 0.95 ? "away" : "killed"
}

/** Goes on until it is told to stop; says how often what was done. */
export const suffer = async (
  { database, eye, proxy }: Suffering,
  dice: SeededRandom,
  isOver: () => boolean
): Promise<string> => {
  const counts = new Map<Blow, number>()
  const strike = async (blow: Blow): Promise<void> => {
    switch (blow) {
      case "answer lost":
        // Of any statement that comes next: most of them belong to commits.
        return proxy.loseAnswerTo("")
      case "terminated":
        eye.rows(`SELECT pg_terminate_backend(pid) ${OTHERS} ORDER BY random() LIMIT 1`, database)
        return
      case "all terminated":
        eye.rows(`SELECT pg_terminate_backend(pid) ${OTHERS}`, database)
        return
      case "cancelled":
        eye.rows(`SELECT pg_cancel_backend(pid) ${OTHERS} AND state <> 'idle'`, database)
        return
      case "killed":
        return kill(eye.rows(`SELECT pid ${OTHERS} ORDER BY random() LIMIT 1`, database))
      case "away": {
        const back = proxy.leave()
        await passes(dice.whole(...AWAY_MS))
        back()
      }
    }
  }
  while (!isOver()) {
    await passes(dice.whole(...PEACE_MS))
    const blow = drawn(dice)
    counts.set(blow, (counts.get(blow) ?? 0) + 1)
    await strike(blow)
  }
  return [...counts].map(([blow, count]) => `${count} ${blow}`).join(", ")
}

/** The server takes all of its back ends down after one that was killed, and recovers as from a crash. */
const kill = ([row]: ReadonlyArray<{ readonly pid: number }>): void => {
  if (row !== undefined) process.kill(row.pid, "SIGKILL")
}
