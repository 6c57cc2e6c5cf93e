// Queries for signals and for the strategies that follow them.
import { call } from "../client.ts"
import { type Query, useQuery } from "../query.ts"
import type { Answer } from "../wire.ts"

export type Signal = Answer<"records", "signals">["data"][number]
export type Follower = Answer<"dashboard", "strategies">["data"][number]

/** The most strategies to search for followers. */
const MOST_STRATEGIES = "500"

/** All signals of the account. */
export const useSignals = (): Query<Answer<"records", "signals">> =>
  useQuery("signals", (signal) => call("records", "signals", { signal }))

/** The account's strategies that follow a signal; undefined until they are loaded. */
export const useFollowers = (): ((id: number) => ReadonlyArray<Follower> | undefined) => {
  const strategies = useQuery("strategies that follow", (signal) =>
    call("dashboard", "strategies", { urlParams: { limit: MOST_STRATEGIES }, signal })
  )
  return (id) => strategies.data?.data.filter((it) => it.signal_id === id)
}

export const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count} ${many}`
