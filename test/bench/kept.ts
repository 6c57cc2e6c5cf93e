// The ratios that each release had, kept in `releases.json`. `bun run bench --kept` runs the short lines and fails where
// one is worse by more than 30 % than in the newest release, three times over; `--keep` writes down what they are now.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import manifest from "../../package.json" with { type: "json" }
import { median } from "./compare.ts"
import type { Line } from "./line.ts"
import releases from "./releases.json" with { type: "json" }

/** The lines' ratios, by name. */
export type Ratios = Readonly<Record<string, number>>

/** A short bench: all its lines have a ratio. */
export type Bench = () => Promise<ReadonlyArray<Line>>

const RUNS = 3
/** The part of a ratio that must be left. */
const LEAST = 0.7

/** Benches of a few seconds each that compare processor work alone: a busy machine slows both sides of each alike. */
export const SHORT: ReadonlyArray<Bench> = [
  async () => (await import("./backtest.ts")).short(),
  async () => (await import("./live.ts")).short(),
  async () => (await import("./rules.ts")).short(),
  async () => (await import("./sweep.ts")).default()
]

/** The ratios of the release that was kept last. */
export const newest = (all: Readonly<Record<string, Ratios>>): Ratios => Object.values(all).at(-1) ?? {}

/** Whether a ratio has become worse than a release allows. A line that no release has is new. */
export const isWorse = (ratio: number, kept: number | undefined): boolean =>
  kept !== undefined && !(ratio >= LEAST * kept)

/** Runs a bench again while a line of it is worse, and takes the best ratio of each. */
export const best = async (bench: Bench, kept: Ratios): Promise<ReadonlyArray<Line>> => {
  const found = new Map<string, number>()
  for (let run = 0; run < RUNS; run++) {
    for (const { name, ratio = Number.NaN } of await bench())
      found.set(name, Math.max(ratio, found.get(name) ?? Number.NEGATIVE_INFINITY))
    if (![...found].some(([name, ratio]) => isWorse(ratio, kept[name]))) break
  }
  return Array.from(found, ([name, ratio]) => ({
    name,
    text: `ratio ${ratio.toFixed(2)}, kept ${kept[name]?.toFixed(2) ?? "nothing yet"} (at least ${LEAST} of it)`,
    ok: !isWorse(ratio, kept[name]),
    ratio
  }))
}

/** Compares all short benches with the newest release. */
export const compared = async (): Promise<ReadonlyArray<Line>> => {
  const lines: Array<Line> = []
  for (const bench of SHORT) lines.push(...(await best(bench, newest(releases))))
  return lines
}

/** Keeps the medians of three runs as the ratios of this release. */
export const keep = async (): Promise<ReadonlyArray<Line>> => {
  const runs: Array<ReadonlyArray<Line>> = []
  for (let run = 0; run < RUNS; run++) for (const bench of SHORT) runs.push(await bench())
  const names = [...new Set(runs.flat().map(({ name }) => name))]
  const ratios = Object.fromEntries(
    names.map((name) => {
      const own = runs.flat().filter((line) => line.name === name)
      return [name, Number(median(own.map(({ ratio = Number.NaN }) => ratio)).toFixed(3))] as const
    })
  )
  const text = JSON.stringify({ ...releases, [manifest.version]: ratios }, undefined, 2)
  writeFileSync(join(import.meta.dir, "releases.json"), `${text}\n`)
  return names.map((name) => ({
    name,
    text: `ratio ${ratios[name]}, kept for ${manifest.version}`,
    ok: true
  }))
}
