// `sweep --search halving`: its rungs equal sweeps of their stretches, what is held out changes nothing of its choice, and
// luck is measured for all that was tried.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { buys, DAY, HOUR, hours, strategy, usual, world } from "./sweepWorld.ts"

const HOURS = 24 * 40
const { remove, sweep, write } = world()
const grid = { sell_minprofitpercent: [0.5, 1, 1.5, 2, 3, 4, 5, 6, 8], stop_loss_percentage: [1, 2, 3, 9] }

interface Searched {
  readonly ran: number
  readonly dropped: number
  readonly rungs: ReadonlyArray<{ readonly days: number; readonly tried: number }>
  readonly split_at: number
  readonly rows: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly luck: Readonly<Record<string, unknown>>
}
const searched = (out: string): Searched => JSON.parse(out)
const named = (rows: Searched["rows"]) =>
  rows.map(
    ({ sell_minprofitpercent, stop_loss_percentage }) => `${sell_minprofitpercent} ${stop_loss_percentage}`
  )

beforeAll(async () => {
  await write("s.json", [JSON.stringify(strategy)])
  await write("g.json", [JSON.stringify(grid)])
  await write("c.csv", hours(HOURS))
  await write("a.jsonl", buys(HOURS))
})
afterAll(remove)

describe("successive halving", () => {
  test("keeps the better third of the newest third of train, and ranks them by all of it", async () => {
    const halving = await sweep(...usual(), "--search", "halving", "--json")
    expect([halving.code, halving.error]).toEqual([0, ""])
    const { dropped, luck, ran, rows, rungs, split_at } = searched(halving.out)
    expect([ran, dropped, luck["trials"]]).toEqual([12, 24, 36])
    expect(split_at).toBe(28 * DAY)
    expect(rungs.map(({ days, tried }) => [Math.round(days * 100), tried])).toEqual([
      [933, 36],
      [2800, 12]
    ])
    const begin = 28 * DAY - (28 * DAY) / 3
    await write(
      "rung.csv",
      hours(28 * 24).filter((line) => Number(line.split(",")[0]) >= begin)
    )
    await write(
      "a2.jsonl",
      buys(28 * 24).filter((line) => JSON.parse(line).time >= begin)
    )
    const rung = await sweep(
      ...["--strategy", "s.json", "--grid", "g.json", "--candles", "BTC/USDT=rung.csv"],
      ...["--alerts", "a2.jsonl", "--any-time", "--holdout", "0", "--json"]
    )
    const kept = named(searched(rung.out).rows).slice(0, 12)
    expect(named(rows).toSorted()).toEqual(kept.toSorted())
    const all = searched((await sweep(...usual(), "--json")).out).rows
    const inBoth = all.filter((row) => kept.includes(named([row])[0] ?? ""))
    expect(rows).toEqual(inBoth)
    expect(named(all).slice(0, 12)).not.toEqual(named(rows))
  })

  test("never sees what is held out: other prices there leave the choice and its figures in train as they are", async () => {
    const held = 24 * 28
    await write("other.csv", [
      ...hours(held),
      ...hours(HOURS, (hour) => 300 + 80 * Math.sin(hour / 5)).slice(held)
    ])
    const [one, other] = await Promise.all(
      ["c.csv", "other.csv"].map((candles) => sweep(...usual(candles), "--search", "halving", "--json"))
    )
    const ofTrain = (out = "") =>
      searched(out).rows.map((row) => Object.entries(row).filter(([name]) => !name.startsWith("test_")))
    expect(ofTrain(other?.out)).toEqual(ofTrain(one?.out))
    expect(searched(other?.out ?? "").luck).toEqual(searched(one?.out ?? "").luck)
    expect(other?.out).not.toBe(one?.out)
  })

  test("gives the same by one seed with any number of threads, and says what was tried", async () => {
    const args = ["--search", "halving", "--sample", "30", "--seed", "2"]
    const [one, three, text] = await Promise.all([
      sweep(...usual(), ...args, "--json", "--workers", "1"),
      sweep(...usual(), ...args, "--json", "--workers", "3"),
      sweep(...usual(), ...args)
    ])
    expect(one).toEqual(three)
    expect(text.out).toContain("30 of 36 combinations were tried; ranked by roi_pct in train.")
    expect(text.out).toContain("They were halved: 30 on its newest 9.3 days, 10 on all 28 days of train.")
    expect(text.out).toMatch(/The luckiest of 30 trials|Too few to tell/)
    const few = await sweep(...usual(), "--search", "halving", "--sample", "20")
    expect(few.out).toContain("They are too few to be halved")
    expect(HOUR).toBe(3_600_000)
  })
})
