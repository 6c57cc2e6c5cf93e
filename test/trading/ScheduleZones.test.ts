// The adversary: clocks of whole countries that are put forward and back, by an hour, by half of one or by two, at midnight or
// in the night. Each day has each time of the clock once, and the independent reckoning here knows only what clocks show.
import { describe, expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import { timesOf } from "../../src/trading/signalRule/RuleTimes.ts"

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
const SEED = 29

/** Zones whose clocks are moved otherwise than Berlin's, and some that never are. */
const ZONES = [
  "Europe/Berlin",
  "America/New_York",
  // By half an hour.
  "Australia/Lord_Howe",
  // By two hours.
  "Antarctica/Troll",
  // At midnight, so that a day has no 00:30, or 23:30 comes twice.
  "Africa/Cairo",
  "America/Santiago",
  "America/Havana",
  "Asia/Beirut",
  // Back in the spring, for a month that moves with the moon.
  "Africa/Casablanca",
  // On Saturday evening, and at a quarter to three.
  "America/Nuuk",
  "Pacific/Chatham",
  "America/St_Johns",
  "Asia/Kathmandu",
  "UTC"
] as const

/** Gives what the clocks of a zone show more than UTC (ms). */
const clockOf = (zone: string) => {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" })
  return (at: number): number => Date.parse(`${format.format(at).replace(" ", "T")}Z`) - at
}

/** A moment at which the clocks of a zone are moved, and what they show more than UTC before and after it (ms). */
interface Move {
  readonly at: number
  readonly before: number
  readonly after: number
}

/** All moves of a year, found by halving the days in which they lie. */
const movesOf = (zone: string, year: number): ReadonlyArray<Move> => {
  const clock = clockOf(zone)
  const moves: Array<Move> = []
  for (let day = Date.UTC(year, 0, 1); day < Date.UTC(year + 1, 0, 1); day += DAY) {
    const [before, after] = [clock(day), clock(day + DAY)]
    if (before === after) continue
    let [known, moved] = [day, day + DAY]
    while (moved - known > MINUTE) {
      const middle = known + Math.floor((moved - known) / 2 / MINUTE) * MINUTE
      if (clock(middle) === before) known = middle
      else moved = middle
    }
    moves.push({ at: moved, before, after })
  }
  return moves
}

/** No move, in the middle of a year. */
const unmoved = (zone: string, year: number): Move => {
  const at = Date.UTC(year, 5, 1)
  const offset = clockOf(zone)(at)
  return { at, before: offset, after: offset }
}

/**
 * The moment of a time of the clock on the days around a move: the first at which clocks show it, or, where none does, as long
 * after the move as the time is after the clock's last one.
 */
const momentOf = (shown: number, { after, at, before }: Move): number => {
  const [first, later] = [shown - before, shown - after]
  return first >= at && later >= at ? later : first
}

const two = (value: number): string => String(value).padStart(2, "0")
const named = (at: number): string => new Date(at).toISOString().slice(0, 16)

describe("a schedule over the changes of clocks", () => {
  const years = FastCheck.constantFrom(2024, 2025, 2026, 2027)
  const known = new Map<string, ReadonlyArray<Move>>()
  const moved = (zone: string, year: number) => {
    const name = `${zone} ${year}`
    const moves = known.get(name) ?? movesOf(zone, year)
    known.set(name, moves)
    return moves
  }
  test("each day has its time once: the first of two, and one that does not exist as much later as clocks were put", () => {
    const seen = { missing: 0, twice: 0, halves: 0 }
    FastCheck.assert(
      FastCheck.property(
        FastCheck.constantFrom(...ZONES),
        years,
        FastCheck.integer({ min: 0, max: 9 }),
        FastCheck.integer({ min: -150, max: 150 }),
        (timezone, year, index, minutes) => {
          const moves = moved(timezone, year)
          const move = moves[index % Math.max(1, moves.length)] ?? unmoved(timezone, year)
          // A time of the clock near the move, as clocks showed it before.
          const shown = move.at + move.before + minutes * MINUTE
          const minute = shown % DAY
          const cron = `${(minute / MINUTE) % 60} ${Math.floor(minute / MINUTE / 60)} * * *`
          const expected = [-2, -1, 0, 1, 2].map((day) => momentOf(shown + day * DAY, move))
          const [from = 0, , , , to = 0] = expected
          expect([timezone, cron, timesOf({ cron, timezone }, { from, to, most: 50 }).map(named)]).toEqual([
            timezone,
            cron,
            expected.map(named)
          ])
          const gap = move.after - move.before
          if (minutes >= 0 && minutes * MINUTE < gap) seen.missing++
          if (minutes < 0 && minutes * MINUTE >= gap) seen.twice++
          if (Math.abs(gap) === 30 * MINUTE) seen.halves++
        }
      ),
      { numRuns: 400, seed: SEED }
    )
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(15)
  })

  test("Lord Howe's clocks are moved by half an hour: a time in it that is missing or comes twice is there once", () => {
    const timezone = "Australia/Lord_Howe"
    const found = moved(timezone, 2026).map(({ after, at, before }) => {
      const shown = Math.max(at + before, at + after) - 15 * MINUTE
      const cron = `${two((shown / MINUTE) % 60)} ${Math.floor((shown % DAY) / (60 * MINUTE))} * * *`
      return [cron, timesOf({ cron, timezone }, { from: at - DAY / 2, to: at + DAY / 2, most: 9 }).map(named)]
    })
    expect(found).toEqual([
      // Put back from 2:00 to 1:30: the first 1:45 is that of UTC+11.
      ["45 1 * * *", ["2026-04-04T14:45"]],
      // Put forward from 2:00 to 2:30: 2:15 comes as 2:45.
      ["15 2 * * *", ["2026-10-03T15:45"]]
    ])
  })
})
