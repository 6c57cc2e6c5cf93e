// Runs contract suites: each promise of a port is one case, run against layers built for it alone.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { Limits } from "../services/health/Limits.ts"
import { on, run, runReal, type VirtualClock } from "./VirtualClock.ts"

/** One promise of a port as a test. A failed case says what was expected and what was found. */
export interface Case<R> {
  readonly name: string
  /** Requires the port, what else the case needs, and a clock; to be run on fresh layers. */
  readonly run: Effect.Effect<unknown, unknown, R | VirtualClock | Scope.Scope>
  /** The account limits of this case; by default the server's. */
  readonly limits?: typeof Limits.Service
}

/** All cases of a port. `R` is the port, and other ports that the cases need. */
export interface Suite<R> {
  readonly name: string
  readonly cases: ReadonlyArray<Case<R>>
}

/** Adds a case to a suite. */
export type Adding<R> = (
  name: string,
  self: () => Effect.Effect<unknown, unknown, R | VirtualClock | Scope.Scope>,
  options?: Pick<Case<R>, "limits">
) => void

/** Makes a suite; the shipped suites are made with it too. */
export const suite = <R>(name: string, define: (it: Adding<R>) => void): Suite<R> => {
  const cases: Array<Case<R>> = []
  define((name, self, options) => cases.push({ name, run: Effect.suspend(self), ...options }))
  return { name, cases }
}

/** Options for running a suite. */
export interface Options {
  /** `virtual` by default; `real` for an adapter whose other side runs in real time, such as a sandbox. */
  readonly clock?: "virtual" | "real"
}

/** Runs one case against fresh layers; rejects with the case's error. */
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
