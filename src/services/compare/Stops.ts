// When entries were halted, and when the server or its prices were away, as announcements and timelines tell.
import type { Settings } from "../../domain/Strategy.ts"
import type { TimelineEntry } from "../../domain/Timeline.ts"
import type { Stretch } from "../../trading/compare/LiveRecord.ts"
import type { Announcement } from "../Timeline.ts"

/** The announcements that begin or end a halt or an outage. */
export const STOPS = ["halted", "resumed", "server_back", "exchange_back", "storage_back"] as const

/** The halts within a stretch: from their announcement, or from a day's loss, to the announcement of their end. */
export const haltsOf = (
  announced: ReadonlyArray<Announcement>,
  entries: ReadonlyArray<Pick<TimelineEntry, "at" | "rule">>,
  { from, until }: Stretch
): ReadonlyArray<Stretch> => {
  const turns = [...announced, ...entries]
    .filter(({ rule }) => rule === "halted" || rule === "resumed" || rule === "daily_loss")
    .toSorted((one, other) => one.at - other.at)
  const halts: Array<Stretch> = []
  let since: number | undefined
  for (const { at, rule } of turns) {
    if (rule !== "resumed") since ??= at
    else if (since !== undefined) {
      halts.push({ from: since, until: at })
      since = undefined
    }
  }
  if (since !== undefined) halts.push({ from: since, until })
  return within(halts, { from, until })
}

/**
 * When no server ran, nothing could be stored, or an exchange of the strategy gave no prices. A server leaves word only
 * now and then that it runs: it ran at least until the last of these acts (ms, ascending) of the strategy.
 */
export const outagesOf = (
  announced: ReadonlyArray<Announcement>,
  { acts, exchanges }: Pick<Settings, "exchanges"> & { readonly acts: ReadonlyArray<number> },
  stretch: Stretch
): ReadonlyArray<Stretch> =>
  within(
    announced.flatMap(({ at, facts, rule }) => {
      const { exchange, since } = facts
      const isOwn = rule !== "exchange_back" || exchanges.some((listing) => listing.exchange === exchange)
      const isOutage = rule === "server_back" || rule === "storage_back" || rule === "exchange_back"
      if (!isOutage || !isOwn || typeof since !== "number") return []
      const last = rule === "server_back" ? acts.findLast((act) => act < at) : undefined
      return [{ from: last === undefined ? since : Math.max(since, last + 1), until: at }]
    }),
    stretch
  )

const within = (stretches: ReadonlyArray<Stretch>, { from, until }: Stretch): ReadonlyArray<Stretch> =>
  stretches
    .map((one) => ({ from: Math.max(one.from, from), until: Math.min(one.until, until) }))
    .filter((one) => one.from < one.until)
