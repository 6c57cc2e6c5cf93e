// What random cases are drawn with: arbitraries that shrink towards the plainest case.
import * as FastCheck from "effect/FastCheck"
import type { AlertKind } from "./Case.ts"

export const int = (min: number, max: number) => FastCheck.integer({ min, max })
export const pick = <A>(first: A, ...others: ReadonlyArray<A>) => FastCheck.constantFrom(first, ...others)
/** Absent in `absent` of `absent + 1` draws, and in the simplest case. */
export const maybe = <A>(of: FastCheck.Arbitrary<A>, absent: number) =>
  FastCheck.oneof(
    { withCrossShrink: true },
    { weight: absent, arbitrary: FastCheck.constant(undefined) },
    { weight: 1, arbitrary: of }
  )

/** What kind of cases to draw. */
export interface Taste {
  readonly candles: number
  readonly alerts: number
  readonly pairs: 1 | 2
  readonly types: ReadonlyArray<AlertKind>
  /** Whether parts, turns, added entries and their sizes are drawn. */
  readonly chart: boolean
  /** Whether steps and break even are drawn. */
  readonly steps: boolean
  /** Whether an alert's ladders are drawn. */
  readonly ladders: boolean
}

/** Absent unless the taste is for it. */
export const wanted = <A>(isWanted: boolean, of: FastCheck.Arbitrary<A>, absent: number) =>
  isWanted ? maybe(of, absent) : FastCheck.constant(undefined)

export type Drawn<A> = A extends FastCheck.Arbitrary<infer B> ? B : never

export const percents = pick(50, 100, 25, 10, 20, 30, 33.3, 40, 5, 60, 75, 1)

/** Steps whose percents stay within 100 together. */
export const within100 = <A extends { readonly close: number }>(all: ReadonlyArray<A>): ReadonlyArray<A> => {
  let left = 100
  return all.flatMap((each): ReadonlyArray<A> => {
    if (left <= 0) return []
    const close = Math.min(each.close, left)
    left = Number((left - close).toFixed(6))
    return [{ ...each, close }]
  })
}

type Plain<A> = { readonly [K in keyof A as undefined extends A[K] ? never : K]: A[K] } & {
  readonly [K in keyof A as undefined extends A[K] ? K : never]?: Exclude<A[K], undefined>
}
/** Without the fields that are absent. */
export const plainly = <A extends object>(fields: A): Plain<A> => JSON.parse(JSON.stringify(fields))
