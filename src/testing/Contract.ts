import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { Limits } from "../services/health/Limits.ts"
import { on, run, runReal, type VirtualClock } from "./VirtualClock.ts"

/** One promise of a port, as a test: it fails with an error that says what was found in place of what. */
export interface Case<R> {
  readonly name: string
  /** Wants the port, what it needs besides, and a clock; to be run against layers that were never used before. */
  readonly run: Effect.Effect<unknown, unknown, R | VirtualClock | Scope.Scope>
  /** What an account may hold in this case. Where it is absent: what it always may. */
  readonly limits?: typeof Limits.Service
}

/** All that a port promises. `R` is the port and the other ports without which its promises cannot be seen. */
export interface Suite<R> {
  readonly name: string
  readonly cases: ReadonlyArray<Case<R>>
}

/** Adds a case while a suite is being made. */
export type Adding<R> = (
  name: string,
  self: () => Effect.Effect<unknown, unknown, R | VirtualClock | Scope.Scope>,
  options?: Pick<Case<R>, "limits">
) => void

/** A suite of one's own; the shipped ones are made by it too. */
export const suite = <R>(name: string, define: (it: Adding<R>) => void): Suite<R> => {
  const cases: Array<Case<R>> = []
  define((name, self, options) => cases.push({ name, run: Effect.suspend(self), ...options }))
  return { name, cases }
}

/** How a suite is run. */
export interface Options {
  /** `virtual` unless given; `real` for an adapter whose other end lives in real time, such as a sandbox. */
  readonly clock?: "virtual" | "real"
}

/** Runs one case against layers that are built for it alone; rejects with the error that it failed with. */
export const check = <R, E>(
  { limits, run: self }: Case<R>,
  layer: Layer.Layer<R, E>,
  { clock = "virtual" }: Options = {}
): Promise<unknown> => {
  const beneath = limits === undefined ? layer : Layer.provide(layer, Layer.succeed(Limits, limits))
  const provided = on(self, beneath)
  return clock === "virtual" ? run(provided) : runReal(provided)
}

/**
 * Hands every case of a suite to a test runner: `test` of bun:test, vitest, jest or node:test, or any function that
 * takes a name and a function which returns a promise.
 *
 * @example
 * ```ts
 * import { test } from "node:test"
 * import { Contract, SignalsContract } from "signalbox/testing"
 * import { Memory } from "signalbox"
 *
 * // Put your layer on top of those in memory: Layer.provideMerge(mySignals, Memory.ports)
 * Contract.tests(SignalsContract.suite, Memory.ports, test)
 * ```
 */
export const tests = <R, E>(
  { cases, name }: Suite<R>,
  layer: Layer.Layer<R, E>,
  test: (name: string, run: () => Promise<void>) => unknown,
  options: Options = {}
): void => {
  for (const one of cases) {
    test(`${name}: ${one.name}`, async () => {
      await check(one, layer, options)
    })
  }
}
