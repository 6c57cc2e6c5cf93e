// `sweep --resume`: killed at any moment, it goes on where it was and ends with the same bytes. A file of other inputs, and
// any other file, is refused and left as it is.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync, statSync, truncateSync } from "node:fs"
import { buys, hours, strategy, usual, world } from "./sweepWorld.ts"

const HOURS = 24 * 80
const { file, remove, spawn, sweep, write } = world()
const grid = {
  sell_minprofitpercent: { from: 0.5, to: 10, step: 0.5 },
  stop_loss_percentage: { from: 1, to: 12, step: 1 }
}
const HEAD = 160

beforeAll(async () => {
  await write("s.json", [JSON.stringify(strategy)])
  await write("g.json", [JSON.stringify(grid)])
  await write("small.json", [JSON.stringify({ stop_loss_percentage: [1, 2, 4] })])
  await write("c.csv", hours(HOURS))
  await write("a.jsonl", buys(HOURS, 3))
})
afterAll(remove)

const sizeOf = (name: string) => (existsSync(file(name)) ? statSync(file(name)).size : 0)
const text = (name: string) => Bun.file(file(name)).text()

/** Runs until the progress file has grown, then kills. Returns whether it was killed before its end. */
const cut = async (name: string, args: ReadonlyArray<string>) => {
  const before = Math.max(HEAD, sizeOf(name))
  const child = spawn(...args, "--resume", name, "--workers", "1")
  let isOver = false
  void child.exited.then(() => {
    isOver = true
  })
  while (!isOver && sizeOf(name) <= before) await Bun.sleep(5)
  child.kill("SIGKILL")
  return (await child.exited) !== 0
}

const MODES: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["a sweep", []],
  ["a search by halving", ["--search", "halving"]],
  ["a walk", ["--walk-forward", "40/20"]]
]

describe("a sweep that was killed", () => {
  for (const [name, mode] of MODES)
    test(`goes on, and ends with the bytes of one that was not: ${name}`, async () => {
      const args = [...usual(), ...mode]
      const run = `${mode.length}${mode[1] ?? ""}.run`.replace("/", "-")
      let cuts = 0
      while (cuts < 2 && (await cut(run, args))) {
        cuts++
        // What a cut may leave: half a record.
        truncateSync(file(run), sizeOf(run) - 7)
      }
      expect(cuts).toBe(2)
      const kept = sizeOf(run)
      const [whole, resumed] = await Promise.all([
        sweep(...args, "--json", "--csv", "whole.csv", "--resume", `whole-${run}`),
        sweep(...args, "--json", "--csv", "resumed.csv", "--resume", run)
      ])
      expect(resumed).toEqual(whole)
      expect([whole.code, whole.error]).toEqual([0, ""])
      expect(await text("resumed.csv")).toBe(await text("whole.csv"))
      // Nothing was tried twice: the file is as long as that of the whole one.
      expect(kept).toBeGreaterThan(HEAD)
      expect(sizeOf(run)).toBe(sizeOf(`whole-${run}`))
      const again = await sweep(...args, "--json", "--resume", run)
      expect(again.out).toBe(whole.out)
      expect(sizeOf(run)).toBe(sizeOf(`whole-${run}`))
    })

  test("holds its file alone: a second sweep with the same one is refused, and the first goes on", async () => {
    const first = spawn(...usual(), "--resume", "held.run", "--workers", "1")
    while (sizeOf("held.run") <= HEAD) await Bun.sleep(5)
    const second = await sweep(...usual(), "--resume", "held.run")
    expect([second.code, second.out, second.error]).toEqual([
      1,
      "",
      "signalbox: held.run: is in use by another sweep: wait until it ends, or choose another name\n"
    ])
    expect(await first.exited).toBe(0)
    expect((await sweep(...usual(), "--resume", "held.run")).code).toBe(0)
  })

  test("tries a record with a wrong checksum again", async () => {
    const args = [...usual(), "--grid", "small.json"].filter((_, at) => at !== 2 && at !== 3)
    const whole = await sweep(...args, "--json", "--resume", "sum.run")
    const bytes = new Uint8Array(await Bun.file(file("sum.run")).arrayBuffer())
    bytes[HEAD + 60] = (bytes[HEAD + 60] ?? 0) ^ 1
    await Bun.write(file("sum.run"), bytes)
    const again = await sweep(...args, "--json", "--resume", "sum.run")
    expect(again.out).toBe(whole.out)
    expect(sizeOf("sum.run")).toBe(bytes.length + (bytes.length - HEAD) / 3)
  })

  test("is refused with other inputs, and so is any file that is not of a sweep", async () => {
    const small = ["--strategy", "s.json", "--grid", "small.json", "--candles", "BTC/USDT=c.csv"]
    const given = [...small, "--alerts", "a.jsonl", "--any-time", "--resume", "one.run"]
    expect((await sweep(...given)).code).toBe(0)
    const before = await text("one.run")
    await write("c3.csv", [...hours(HOURS - 1), ...hours(HOURS, () => 101).slice(-1)])
    await write("a3.jsonl", buys(HOURS, 4))
    const others = [
      [...given, "--holdout", "20"],
      [...given, "--balance", "500"],
      [...given, "--walk-forward", "40/20"],
      [...given, "--search", "halving"],
      given.map((one) => (one === "a.jsonl" ? "a3.jsonl" : one)),
      given.map((one) => (one === "BTC/USDT=c.csv" ? "BTC/USDT=c3.csv" : one)),
      given.map((one) => (one === "small.json" ? "g.json" : one))
    ]
    for (const args of others) {
      const { code, error, out } = await sweep(...args)
      expect([code, out]).toEqual([1, ""])
      expect(error).toStartWith("signalbox: one.run: is of another sweep")
      expect(await text("one.run")).toBe(before)
    }
    const strange = await sweep(...small, "--alerts", "a.jsonl", "--any-time", "--resume", "s.json")
    expect([strange.code, strange.error]).toEqual([
      1,
      "signalbox: s.json: is there already and holds no progress of a sweep: choose another name\n"
    ])
    expect(JSON.parse(await text("s.json"))).toEqual(strategy)
    const nowhere = await sweep(...small, "--alerts", "a.jsonl", "--any-time", "--resume", "none/x.run")
    expect([nowhere.code, nowhere.error]).toEqual([1, "signalbox: none/x.run: cannot be written\n"])
  })
})
