// The port `Bots` by both of its layers: in this process, and by the owner's node. Each case comes to the same, to the last
// digit.
import { expect } from "bun:test"
import { BigDecimal, Effect, TestContext } from "effect"
import { it } from "../lib/effect.ts"
import cases from "./bots.contract.ts"
import * as Engines from "./lib/engines.ts"

/** Plain data: a decimal as its text, without what it remembers of its own shape. */
const plain = (value: unknown): unknown => {
  if (BigDecimal.isBigDecimal(value)) return BigDecimal.format(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
}

/** Lives through a case at the first of two nodes, where the bots are one node's. */
const lived = (owner: number, run: (typeof cases)[number]["run"]) =>
  Effect.scoped(
    Effect.gen(function* () {
      const cluster = yield* Engines.make()
      yield* cluster.give(owner)
      return yield* Engines.at(cluster, 0, run)
    })
  ).pipe(Effect.provide(TestContext.TestContext))

for (const { name, run } of cases)
  it.live(`here and by another node: ${name}`, () =>
    Effect.gen(function* () {
      const here = yield* lived(0, run)
      expect(plain(yield* lived(1, run))).toEqual(plain(here))
    })
  )
