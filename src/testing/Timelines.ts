// Compares a strategy's timeline with an expected table.
import * as Effect from "effect/Effect"
import type { TimelineEntry } from "../domain/Timeline.ts"
import { Unexpected } from "./expect.ts"

/** A source of a timeline: a strategy of a `TestServer`, or anything that can read one. */
export interface TimelineSource<E = never, R = never> {
  /** The whole timeline, oldest first. */
  readonly timeline: Effect.Effect<ReadonlyArray<TimelineEntry>, E, R>
  /** The time that `t=0` means (ms since the epoch); by default 0. */
  readonly startsAt?: number
}

/**
 * Compares a strategy's whole timeline with a table: a line an entry, `t=when | rule | text`. Cells may be left off
 * from the right; `...` stands for any text. Fails with both side by side, as an error that every test runner shows.
 *
 * @example
 * ```ts
 * import { expectTimeline, type TestServer } from "signalbox/testing"
 *
 * const asPlanned = (server: TestServer.TestServer) =>
 *   expectTimeline(
 *     server.strategy,
 *     `t=0    | alert
 *      t=0    | opened   | Ordered to buy 0.083333 BTC on BTC/USDT at 60000...
 *      t=45m  | averaged | ...after a fall...
 *      t=2h   | closed
 *      t=2h   | trade`
 *   )
 * ```
 */
export const expectTimeline = <E, R>(
  source: TimelineSource<E, R>,
  table: string
): Effect.Effect<void, E, R> =>
  Effect.flatMap(source.timeline, (entries) => {
    const found = difference(entries, table, source.startsAt)
    return found === undefined ? Effect.void : Effect.die(new Unexpected(found))
  })

/** A timeline as a table. */
export const tableOf = (entries: ReadonlyArray<TimelineEntry>, startsAt = 0): string =>
  aligned(entries.map((entry) => cellsOf(entry, startsAt))).join("\n")

/**
 * The difference to the expected table, with `-` for expected and `+` for found lines; undefined if there is none.
 */
export const difference = (
  entries: ReadonlyArray<TimelineEntry>,
  table: string,
  startsAt = 0
): string | undefined => {
  const found = entries.map((entry) => cellsOf(entry, startsAt))
  const expected = table
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => line.split("|").map((cell) => cell.trim()))
  const steps = compared(expected, found)
  if (steps.every(({ mark }) => mark === " ")) return undefined
  const lines = aligned(steps.map(({ row }) => row)).map((line, index) => `${steps[index]?.mark} ${line}`)
  return ["the timeline is not as expected (- expected, + found):", ...lines].join("\n")
}

type Row = ReadonlyArray<string>

const cellsOf = ({ at, rule, text }: TimelineEntry, startsAt: number): Row => [
  `t=${spanText(at - startsAt)}`,
  rule,
  text
]

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
  ["ms", 1]
] as const

/** A span like `1h30m`; the inverse of a script's times. */
const spanText = (ms: number): string => {
  let rest = Math.abs(ms)
  const parts = UNITS.map(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count === 0 ? "" : `${count}${unit}`
  })
  return `${ms < 0 ? "-" : ""}${parts.join("") || "0"}`
}

const fits = (expected: Row, found: Row): boolean =>
  expected.every((cell, index) => fitsCell(cell, found[index] ?? ""))

const fitsCell = (expected: string, found: string): boolean => {
  const parts = expected.split("...")
  const [first = "", ...others] = parts
  const last = others.pop()
  if (last === undefined) return expected === found
  if (!found.startsWith(first) || !found.endsWith(last) || found.length < first.length + last.length)
    return false
  let place = first.length
  for (const part of others) {
    const next = found.indexOf(part, place)
    if (next < 0) return false
    place = next + part.length
  }
  return place <= found.length - last.length
}

interface Compared {
  readonly mark: " " | "-" | "+"
  readonly row: Row
}

/** Aligns both by their longest common subsequence. */
const compared = (expected: ReadonlyArray<Row>, found: ReadonlyArray<Row>): ReadonlyArray<Compared> => {
  const width = found.length + 1
  const lengths = new Uint32Array((expected.length + 1) * width)
  const at = (one: number, other: number) => lengths[one * width + other] ?? 0
  for (let one = expected.length - 1; one >= 0; one--) {
    for (let other = found.length - 1; other >= 0; other--) {
      lengths[one * width + other] = fits(expected[one] ?? [], found[other] ?? [])
        ? at(one + 1, other + 1) + 1
        : Math.max(at(one + 1, other), at(one, other + 1))
    }
  }
  const steps: Array<Compared> = []
  let [one, other] = [0, 0]
  while (one < expected.length || other < found.length) {
    const [wanted, got] = [expected[one], found[other]]
    const isBoth = wanted !== undefined && got !== undefined
    if (isBoth && fits(wanted, got) && at(one, other) === at(one + 1, other + 1) + 1) {
      steps.push({ mark: " ", row: got })
      one++
      other++
    } else if (wanted !== undefined && (got === undefined || at(one + 1, other) >= at(one, other + 1))) {
      steps.push({ mark: "-", row: wanted })
      one++
    } else if (got !== undefined) {
      steps.push({ mark: "+", row: got })
      other++
    }
  }
  return steps
}

const aligned = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => {
  const widths = [0, 1].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row.map((cell, column) => (column < row.length - 1 ? cell.padEnd(widths[column] ?? 0) : cell)).join(" | ")
  )
}
