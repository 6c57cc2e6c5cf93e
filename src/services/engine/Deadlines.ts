import { isEntry } from "../../domain/Alert.ts"
import type { Patience } from "../../trading/Routing.ts"
import type { Held } from "./Roster.ts"

/** When time alone settles a held entry: it is given up, or too old. */
export const deadlinesOf = (
  { alert, since }: Held,
  { entryMs, priceMs }: Patience
): readonly [number, number] => [since + priceMs, alert.receivedAt + entryMs + 1]

/** The next deadline of entries that are held; closing alerts wait without end. They came in the order of their deadlines. */
export const nextDeadline = (held: Iterable<Held>, patience: Patience, now: number): number => {
  let next = Number.POSITIVE_INFINITY
  for (const one of held) {
    if (!isEntry(one.alert.type)) continue
    const deadlines = deadlinesOf(one, patience)
    for (const at of deadlines) if (at > now) next = Math.min(next, at)
    if (deadlines.every((at) => at > now)) break
  }
  return next
}
