// The long proof against false praise, kept in the bench folder: sweeps and searches over random walks, counted in pieces by
// `bun test/bench/luckProof.ts 1-50`.
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** The most walks that may be praised, as a share, and how many each method was tried on at least. */
const MOST = 0.05
const LEAST = { sweep: 1000, halving: 1000, walk: 1000 }

/** The rows of a method: first and last seed, how many held, may be luck, and were too few. */
const rowsOf = (method: string) =>
  readFileSync(join(import.meta.dir, "../../bench/luckProof.csv"), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((row) => row.split(","))
    .filter(([, of]) => of === method)
    .map(([, , ...numbers]) => numbers.map(Number))

for (const [method, least] of Object.entries(LEAST))
  test(`of random walks, ${method} praises at most one in twenty, each seed counted once`, () => {
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
    expect(seeds.size).toBeGreaterThanOrEqual(least)
    expect(praised / seeds.size).toBeLessThanOrEqual(MOST)
  })
