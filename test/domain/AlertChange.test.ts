import { expect, test } from "bun:test"
import { Either } from "effect"
import * as FastCheck from "effect/FastCheck"
import type { Extras } from "../../src/domain/Alert.ts"
import * as AlertBody from "../../src/domain/alert/AlertBody.ts"

// What a chart's message says beyond its type: the part that was closed, the growth, and the sides before and after.

const read = (fields: Record<string, unknown>) =>
  AlertBody.decode({ body: JSON.stringify(fields), contentType: "", query: "signal_id=1&symbol=BTCUSDT.P" })

const saidBy = (fields: Record<string, unknown>): Extras & { readonly type: string } =>
  Either.getOrThrow(read(fields)).instruction

const stated = (before: string, sizeBefore: unknown, now: string, size: unknown) => ({
  market_position: now,
  market_position_size: size,
  prev_market_position: before,
  prev_market_position_size: sizeBefore
})

test("a part and a growth survive being rounded down to the amount step", () => {
  FastCheck.assert(
    FastCheck.property(
      FastCheck.integer({ min: 1, max: 10_000 }),
      FastCheck.integer({ min: 1, max: 10_000 }),
      FastCheck.constantFrom(1, 0.1, 0.001, 1e-8, 1000),
      (one, other, unit) => {
        if (one === other) return
        const { closePercent, growth, type } = saidBy(stated("long", one * unit, "long", other * unit))
        expect(type).toBe(other > one ? "long" : "close_long")
        // A slot that holds as many amount steps as the chart held contracts.
        const steps = other > one ? one * (growth ?? 0) : (one * (closePercent ?? 0)) / 100
        expect(Math.floor(steps)).toBe(Math.abs(other - one))
      }
    ),
    { numRuns: 2000, seed: 20_261_123 }
  )
})

test("a message states what the chart held and holds", () => {
  const message = (fields: Record<string, unknown>) => saidBy(fields).stated
  expect(message(stated("short", "-2", "long", "1"))).toEqual({
    before: { side: "short", size: 2 },
    after: { side: "long", size: 1 }
  })
  expect(message(stated("flat", 0, "long", 1))?.before).toEqual({ side: "flat" })
  expect(message({ market_position: "flat" })).toEqual({ after: { side: "flat" } })
  expect(message({ type: "long" })).toBeUndefined()
})

test("a flat chart whose side before is unknown closes whichever side is held", () => {
  expect(saidBy({ market_position: "flat" })).toMatchObject({ type: "close_long", eitherSide: true })
  expect(saidBy({ market_position: "flat", action: "buy" })).toMatchObject({
    type: "close_short",
    eitherSide: true
  })
})

test("fields that do not go with what the order turned out to be are left out, and told", () => {
  const beside = { close_percent: 50, buy_percentage: 10, reverse: false, tps: "[]" }
  const closing = Either.getOrThrow(read({ ...stated("long", 1, "flat", 0), ...beside }))
  expect(closing.instruction).toMatchObject({ type: "close_long", closePercent: 50 })
  expect(closing.warnings).toEqual([
    "left out: reverse, tps, buy_percentage (not for a close_long, which this order is)"
  ])
  const { tps, ...opening } = beside
  const opened = Either.getOrThrow(read({ ...stated("flat", 0, "short", 1), ...opening }))
  expect(opened.instruction).toMatchObject({ type: "short", reverse: false, buyPercentage: 10 })
  expect(opened.warnings).toEqual(["left out: close_percent (not for a short, which this order is)"])
})

test("a part of unknown size is refused with the placeholders to add, and no change with its name", () => {
  const refusal = (fields: Record<string, unknown>) => JSON.stringify(Either.flip(read(fields)))
  const part = { action: "sell", market_position: "long" }
  for (const fields of [part, { ...part, prev_market_position: "long" }]) {
    expect(refusal(fields)).toContain("{{strategy.market_position_size}}")
    expect(refusal(fields)).toContain("{{strategy.prev_market_position_size}}")
  }
  for (const fields of [
    stated("flat", 0, "flat", 0),
    stated("long", 2, "long", 2),
    stated("long", 0.3, "long", 0.1 + 0.2)
  ])
    expect(refusal(fields)).toContain("reports no change")
})

test("the sizes decide within a side, whatever the order's direction says", () => {
  const said = (fields: Record<string, unknown>) => Either.getOrThrow(read(fields)).instruction
  expect(said({ ...stated("long", 1, "long", 2), action: "sell" })).toMatchObject({ type: "long", growth: 1 })
  expect(said({ ...stated("long", 2, "long", 1), action: "buy" })).toMatchObject({
    type: "close_long",
    closePercent: 50
  })
})
