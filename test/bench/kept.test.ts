import { expect, test } from "bun:test"
import { type Bench, best, isWorse, newest } from "./kept.ts"

/** A bench whose line has these ratios, run by run, and the last one from then on. */
const having = (...ratios: ReadonlyArray<number>) => {
  let runs = 0
  const bench: Bench = async () => {
    const ratio = ratios[Math.min(runs++, ratios.length - 1)] ?? Number.NaN
    return [{ name: "loop", text: "", ok: true, ratio }]
  }
  return { bench, runs: () => runs }
}

test("a ratio that falls by more than 30 % in three runs fails", async () => {
  const { bench, runs } = having(0.34, 0.33, 0.34)
  const [line] = await best(bench, { loop: 0.5 })
  expect([line?.ok, line?.ratio, runs()]).toEqual([false, 0.34, 3])
})

test("one good run of three passes, and ends the runs", async () => {
  const { bench, runs } = having(0.2, 0.36)
  const [line] = await best(bench, { loop: 0.5 })
  expect([line?.ok, runs()]).toEqual([true, 2])
})

test("a ratio that cannot be measured fails, and a new line passes", () => {
  expect([isWorse(Number.NaN, 0.5), isWorse(0.35, 0.5), isWorse(0.01, undefined)]).toEqual([
    true,
    false,
    false
  ])
})

test("the release that was kept last is the one to compare with", () => {
  expect(newest({ "0.1.0": { loop: 1 }, "0.2.0": { loop: 2 } })).toEqual({ loop: 2 })
})
