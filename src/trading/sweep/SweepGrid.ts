import { PCGRandom } from "effect/Utils"

/** What a setting may be swept over. `null` is "not set", as in a request. */
export type Value = number | boolean | null

/** One field of the request dialect and the values it is to take. */
export interface Axis {
  readonly field: string
  readonly values: ReadonlyArray<Value>
}

/** Fields in the order of the file. */
export type Grid = ReadonlyArray<Axis>

/** How many combinations there are; beyond 2^53 only roughly. */
export const count = (grid: Grid): number => grid.reduce((product, { values }) => product * values.length, 1)

/** The values of a combination, field by field. Combinations are in the order of nested loops: the last field varies fastest. */
export const combination = (grid: Grid, index: number): ReadonlyArray<Value> => {
  const values: Array<Value> = []
  let rest = index
  for (const axis of grid.toReversed()) {
    const size = axis.values.length
    values.push(axis.values[rest % size] ?? null)
    rest = Math.floor(rest / size)
  }
  return values.reverse()
}

/** What a combination says in a request. */
export const fields = (grid: Grid, index: number): Readonly<Record<string, Value>> => {
  const values = combination(grid, index)
  return Object.fromEntries(grid.map(({ field }, place) => [field, values[place] ?? null]))
}

/**
 * `size` different whole numbers below `total` (at most 2^53), each set as likely as any other, in ascending order.
 * The same seed gives the same sample. R. W. Floyd's method: as many draws as numbers.
 */
export const sample = (total: number, size: number, seed: number): ReadonlyArray<number> => {
  const random = new PCGRandom(seed)
  const chosen = new Set<number>()
  for (let last = Math.max(total - size, 0); last < total; last++) {
    const drawn = Math.floor(random.number() * (last + 1))
    chosen.add(chosen.has(drawn) ? last : drawn)
  }
  return [...chosen].sort((left, right) => left - right)
}
