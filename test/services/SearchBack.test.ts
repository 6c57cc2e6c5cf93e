// A search from the newest row back: it ends where rows are too old, and not at single ones that came late.
import { expect } from "bun:test"
import { Effect } from "effect"
import { searchBack } from "../../src/services/records/SearchBack.ts"
import { it } from "../lib/effect.ts"

interface Row {
  readonly id: number
  readonly at: number
}

/** Searches rows whose time is their id, but for some, for those from a time on. */
const found = (count: number, from: number, late: ReadonlyMap<number, number>) => {
  const rows = Array.from(
    { length: count },
    (_, index): Row => ({ id: index + 1, at: late.get(index + 1) ?? index + 1 })
  )
  const reads: Array<number> = []
  return Effect.map(
    searchBack<Row, Row, never>({
      read: ({ before, limit }) =>
        Effect.sync(() => {
          reads.push(before)
          return rows
            .filter(({ id }) => id < before)
            .toReversed()
            .slice(0, limit)
        }),
      among: (some) => Effect.succeed(some.filter(({ at }) => at >= from)),
      idOf: ({ id }) => id,
      isPast: ({ at }) => at < from,
      before: count + 1,
      limit: 10_000
    }),
    ({ rows }) => ({ ids: rows.map(({ id }) => id), reads: reads.length })
  )
}

it.live("ends a page after the first that is too old", () =>
  Effect.gen(function* () {
    const { ids, reads } = yield* found(3_000, 2_900, new Map())
    expect([ids.length, reads]).toEqual([101, 2])
  })
)

it.live("goes on beyond rows with an older time than those before them", () =>
  Effect.gen(function* () {
    // The last row of the first page is the alert of a rule that was down for long.
    const late = new Map([[2_751, 3]])
    const { ids } = yield* found(3_000, 2_600, late)
    expect(ids).toEqual(Array.from({ length: 401 }, (_, index) => 3_000 - index).filter((id) => id !== 2_751))
  })
)
