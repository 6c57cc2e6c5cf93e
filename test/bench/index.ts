// `bun run bench [name ...]`: each bench prints ratios against a bare reference of the same run, and fails under its
// floor.
import type { Line } from "./line.ts"

const benches: Record<string, () => Promise<{ default: () => Promise<ReadonlyArray<Line>> }>> = {
  backtest: () => import("./backtest.ts"),
  feed: () => import("./feed.ts"),
  followers: () => import("./followers.ts"),
  dashboard: () => import("./dashboard.ts"),
  candles: () => import("./candles.ts"),
  commits: () => import("./commits.ts"),
  equity: () => import("./equity.ts"),
  ingest: () => import("./ingest.ts"),
  luck: () => import("./luck.ts"),
  luckSearch: () => import("./luckSearch.ts"),
  live: () => import("./live.ts"),
  outcomes: () => import("./outcomes.ts"),
  postgres: () => import("./postgres.ts"),
  rules: () => import("./rules.ts"),
  "rules.live": () => import("./rulesLive.ts"),
  start: () => import("./start.ts"),
  summary: () => import("./summary.ts"),
  year: () => import("./year.ts")
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => benches[name] === undefined)
if (unknown.length > 0) {
  console.error(`there is no bench ${unknown.join(", ")}; there are ${Object.keys(benches).join(", ")}`)
  process.exit(2)
}
let failed = 0
for (const [name, load] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  for (const line of await (await load()).default()) {
    console.log(`${line.ok ? "ok  " : "FAIL"} ${line.name}: ${line.text}`)
    if (!line.ok) failed++
  }
}
process.exit(failed === 0 ? 0 : 1)
