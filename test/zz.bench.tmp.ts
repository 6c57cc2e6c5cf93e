import { rmSync, mkdtempSync } from "node:fs"
import { Context, Effect, Layer } from "effect"
import { Journal } from "../src/services/Journal.ts"
import { draft } from "./services/alerts.ts"
import { onFile, sender } from "./services/ports.ts"
const N = Number(process.argv[2] ?? 64), keyed = process.argv[3] === "keyed", traced = process.argv[4] === "traced", ms = Number(process.argv[5] ?? 3000)
const dir = mkdtempSync("/tmp/sq/bench-")
const program = Effect.scoped(Effect.gen(function* () {
  const ctx = yield* Layer.build(onFile(dir + "/s.db"))
  const alice = yield* Effect.provide(sender("alice"), ctx)
  const journal = Context.get(ctx, Journal)
  let rows = 0, k = 0, stop = false
  const lat: number[] = []
  const one = Effect.gen(function* () { while (!stop) { const t = performance.now(); yield* journal.append(keyed ? draft(alice, { receivedAt: Date.now(), same: { key: "k" + k++ + "0".repeat(58), body: "b".repeat(64) } }) : draft(alice, { receivedAt: Date.now() })); lat.push(performance.now() - t); rows++ } })
  const c0 = process.cpuUsage(), t0 = performance.now()
  setTimeout(() => { stop = true }, ms)
  yield* Effect.all(Array.from({ length: N }, () => one), { concurrency: "unbounded" })
  const t = (performance.now() - t0) / 1000, c = process.cpuUsage(c0)
  lat.sort((a, b) => a - b)
  console.log(JSON.stringify({ N, keyed, traced, rowsPerS: Math.round(rows / t), userUs: +(c.user / rows).toFixed(2), sysUs: +(c.system / rows).toFixed(2), p50ms: +lat[lat.length >> 1]!.toFixed(2), p99ms: +lat[Math.floor(lat.length * 0.99)]!.toFixed(2), rows }))
}))
await Effect.runPromise(traced ? program : program.pipe(Effect.withTracerEnabled(false)))
rmSync(dir, { recursive: true })
