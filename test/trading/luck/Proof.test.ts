// The long proof against false praise: searches over random walks, in pieces (`bun test/bench/luckProof.ts 1-50`).
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"

const SWEEPS = 1000
const MOST = 0.05

/** The rows of a method: first and last seed, how many held, may be luck, and were too few. */
const rowsOf = (method: string) =>
  readFileSync(join(import.meta.dir, "../../bench/luckProof.csv"), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((row) => row.split(","))
    .filter(([, of]) => of === method)
    .map(([, , ...numbers]) => numbers.map(Number))

for (const method of ["halving", "walk"])
  test(`of 1,000 random walks, ${method} praises at most one in twenty, each seed counted once`, () => {
    const seeds = new Set<number>()
    let praised = 0
    for (const [first = 0, last = 0, holds = 0, mayBeLuck = 0, tooFew = 0] of rowsOf(method)) {
      for (let seed = first; seed <= last; seed++) {
        expect(seeds.has(seed)).toBe(false)
        seeds.add(seed)
      }
      expect(holds + mayBeLuck + tooFew).toBe(last - first + 1)
      praised += holds
    }
    expect(seeds.size).toBe(SWEEPS)
    expect(praised / SWEEPS).toBeLessThanOrEqual(MOST)
  })
