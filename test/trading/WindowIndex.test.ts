import { expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import { ofLast, type Ticker } from "../../src/domain/Ticker.ts"
import type { Trail } from "../../src/trading/rules/trailing.ts"
import { advance, leaves, turnAbove, turnBelow, type Window } from "../../src/trading/Watch.ts"
import { type Bounds, WindowIndex } from "../../src/trading/watch/WindowIndex.ts"

/** A window relative to the price and the time at which it is put. */
interface Shape {
  readonly below: number | undefined
  readonly above: number | undefined
  readonly after: number | undefined
  readonly trail:
    | {
        readonly follows: Trail["follows"]
        readonly ahead: number
        readonly percent: number
        readonly gate: number | undefined
      }
    | undefined
}

type Step =
  | {
      readonly _tag: "Tick"
      readonly move: number
      readonly spread: number
      readonly again: Shape | undefined
    }
  | { readonly _tag: "Put"; readonly id: number; readonly shape: Shape }
  | { readonly _tag: "Drop"; readonly id: number }

const optional = <A>(arbitrary: FastCheck.Arbitrary<A>) => FastCheck.option(arbitrary, { nil: undefined })
const factor = (min: number, max: number) => FastCheck.double({ min, max, noNaN: true })
const ids = FastCheck.integer({ min: 1, max: 20 })

const shapes: FastCheck.Arbitrary<Shape> = FastCheck.record({
  below: optional(factor(0.9, 1.0002)),
  above: optional(factor(0.9998, 1.1)),
  after: optional(FastCheck.integer({ min: 0, max: 60 })),
  trail: optional(
    FastCheck.record({
      follows: FastCheck.constantFrom<Trail["follows"]>("highest", "lowest"),
      ahead: factor(0, 0.02),
      percent: factor(0.001, 2),
      gate: optional(factor(0.98, 1.02))
    })
  )
})

const stepsWith = (shape: FastCheck.Arbitrary<Shape>): FastCheck.Arbitrary<ReadonlyArray<Step>> =>
  FastCheck.array(
    FastCheck.oneof(
      {
        weight: 8,
        arbitrary: FastCheck.record({
          _tag: FastCheck.constant("Tick" as const),
          move: FastCheck.integer({ min: -40, max: 40 }),
          spread: FastCheck.integer({ min: 0, max: 3 }),
          again: optional(shape)
        })
      },
      {
        weight: 3,
        arbitrary: FastCheck.record({ _tag: FastCheck.constant("Put" as const), id: ids, shape })
      },
      { weight: 1, arbitrary: FastCheck.record({ _tag: FastCheck.constant("Drop" as const), id: ids }) }
    ),
    { minLength: 20, maxLength: 300 }
  )

const trailOf = ({ trail }: Shape, price: number): Trail | undefined => {
  if (trail === undefined) return undefined
  const { ahead, follows, gate, percent } = trail
  const way = follows === "highest" ? 1 : -1
  const base = { follows, extreme: price * (1 + way * ahead), ratio: 1 - (way * percent) / 100 }
  return gate === undefined ? base : { ...base, gate: price * gate }
}

const windowOf = (shape: Shape, price: number, now: number): Window => {
  const trail = trailOf(shape, price)
  const base = {
    below: price * (shape.below ?? Number.NEGATIVE_INFINITY),
    above: price * (shape.above ?? Number.POSITIVE_INFINITY),
    at: now + (shape.after ?? Number.POSITIVE_INFINITY)
  }
  return trail === undefined ? base : { ...base, trail }
}

/** What the windows of all come to together. */
const boundsOf = (windows: Iterable<Window>): Bounds => {
  let [below, above, at] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const { trail, ...window } of windows) {
    below = Math.max(below, window.below)
    above = Math.min(above, window.above)
    at = Math.min(at, window.at)
    if (trail?.follows === "highest")
      below = Math.max(below, turnBelow(trail.extreme, trail.ratio, trail.gate))
    if (trail?.follows === "lowest")
      above = Math.min(above, turnAbove(trail.extreme, trail.ratio, trail.gate))
  }
  return { below, above, at }
}

/** One market told to a crowd, and to everybody in person. */
class Pairing {
  readonly crowd = new WindowIndex()
  readonly windows = new Map<number, Window>()
  now = 0
  price = 100

  take(step: Step): ReadonlyArray<number> {
    switch (step._tag) {
      case "Tick":
        return this.tick(step.move, step.spread, step.again)
      case "Put":
        this.put(step.id, step.shape)
        break
      case "Drop":
        this.windows.delete(step.id)
        this.crowd.drop(step.id)
    }
    return []
  }

  private put(id: number, shape: Shape): void {
    const window = windowOf(shape, this.price, this.now)
    this.windows.set(id, window)
    this.crowd.put(id, window)
  }

  private tick(move: number, spread: number, again: Shape | undefined): ReadonlyArray<number> {
    this.now++
    this.price = Math.max(1, this.price + move / 100)
    const ticker: Ticker = { ...ofLast(this.price, this.now), ask: this.price + spread / 100 }
    const found = this.crowd.tick(ticker.bid, ticker.ask, this.now)
    const left = [...this.windows].filter(([, window]) => leaves(window, ticker, this.now)).map(([id]) => id)
    expect(found).toEqual(left.sort((one, other) => one - other))
    for (const [id, window] of this.windows) this.windows.set(id, advance(window, ticker))
    for (const id of found) if (again !== undefined) this.put(id, again)
    return found
  }
}

test("a tick finds exactly the watchers whose windows it leaves, and moves their trails", () => {
  FastCheck.assert(
    FastCheck.property(stepsWith(shapes), (steps) => {
      const pairing = new Pairing()
      for (const step of steps) {
        pairing.take(step)
        for (const [id, { trail }] of pairing.windows) {
          expect(pairing.crowd.extremeOf(id)).toBe(trail?.extreme ?? Number.NaN)
        }
        expect(pairing.crowd.size).toBe(pairing.windows.size)
      }
    }),
    { numRuns: 300 }
  )
})

test("its bounds are never further from the price than any window", () => {
  FastCheck.assert(
    FastCheck.property(stepsWith(shapes), (steps) => {
      const pairing = new Pairing()
      for (const step of steps) {
        pairing.take(step)
        const [bounds, exact] = [pairing.crowd.bounds, boundsOf(pairing.windows.values())]
        expect(bounds.below).toBeGreaterThanOrEqual(exact.below)
        expect(bounds.above).toBeLessThanOrEqual(exact.above)
        expect(bounds.at).toBeLessThanOrEqual(exact.at)
      }
    }),
    { numRuns: 300 }
  )
})

test("without trails its bounds equal the tightest windows after every scan", () => {
  const still = shapes.map((shape) => ({ ...shape, trail: undefined }))
  FastCheck.assert(
    FastCheck.property(stepsWith(still), (steps) => {
      const pairing = new Pairing()
      for (const step of steps) {
        if (pairing.take(step).length === 0) continue
        expect(pairing.crowd.bounds).toEqual(boundsOf(pairing.windows.values()))
      }
    }),
    { numRuns: 300 }
  )
})
