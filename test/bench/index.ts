// `bun run bench [name ...]`: each bench prints ratios against a bare reference of the same run, and fails under its
// floor. `bun run bench NAME --profile` prints where its time goes instead, and fails if the parts do not add up.
import * as Record from "effect/Record"
import * as Kept from "./kept.ts"
import type { Line } from "./line.ts"
import * as Costs from "./profile/Costs.ts"

const benches: Record<string, () => Promise<{ default: () => Promise<ReadonlyArray<Line>> }>> = {
  backtest: () => import("./backtest.ts"),
  feed: () => import("./feed.ts"),
  followers: () => import("./followers.ts"),
  dashboard: () => import("./dashboard.ts"),
  candles: () => import("./candles.ts"),
  cluster: () => import("./cluster.ts"),
  commits: () => import("./commits.ts"),
  equity: () => import("./equity.ts"),
  ingest: () => import("./ingest.ts"),
  luck: () => import("./luck.ts"),
  luckSearch: () => import("./luckSearch.ts"),
  live: () => import("./live.ts"),
  outcomes: () => import("./outcomes.ts"),
  peers: () => import("./peers.ts"),
  postgres: () => import("./postgres.ts"),
  rules: () => import("./rules.ts"),
  "rules.live": () => import("./rulesLive.ts"),
  start: () => import("./start.ts"),
  summary: () => import("./summary.ts"),
  sweep: () => import("./sweep.ts"),
  "sweep.many": async () => ({ default: (await import("./sweep.ts")).many }),
  year: () => import("./year.ts")
}

/** What runs only when it is named: it takes minutes, peers have to be installed first, and kept ratios are no benches. */
const BY_NAME: ReadonlySet<string> = new Set(["peers", "sweep.many", "--keep", "--kept"])

/** The tables of costs, by the bench that they explain. */
const profiles: Record<string, () => Promise<() => Promise<Costs.Costs>>> = {
  backtest: async () => (await import("./profile/candle.ts")).candle,
  ingest: async () => (await import("./profile/alert.ts")).alert,
  live: async () => (await import("./profile/tick.ts")).tick,
  start: async () => (await import("./profile/start.ts")).start
}

const profiled = async (load: () => Promise<() => Promise<Costs.Costs>>) => [
  Costs.line(await Costs.settled(await load()))
]

const words = process.argv.slice(2)
const isProfile = words.includes("--profile")
const wanted = words.filter((word) => word !== "--profile")
const lines: Record<string, () => Promise<ReadonlyArray<Line>>> = isProfile
  ? Record.map(profiles, (load) => () => profiled(load))
  : {
      ...Record.map(benches, (load) => async () => (await load()).default()),
      "--keep": Kept.keep,
      "--kept": Kept.compared
    }
const unknown = wanted.filter((name) => lines[name] === undefined)
if (unknown.length > 0) {
  console.error(
    `there is no ${isProfile ? "table of costs" : "bench"} ${unknown.join(", ")}; there are ${Object.keys(lines).join(", ")}`
  )
  process.exit(2)
}
let failed = 0
for (const [name, load] of Object.entries(lines)) {
  if (wanted.length > 0 ? !wanted.includes(name) : BY_NAME.has(name)) continue
  for (const line of await load()) {
    console.log(`${line.ok ? "ok  " : "FAIL"} ${line.name}: ${line.text}`)
    if (!line.ok) failed++
  }
}
process.exit(failed === 0 ? 0 : 1)
