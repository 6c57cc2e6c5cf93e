// One change of many strategies: what it would do to each.
import { expect, test } from "bun:test"
import { strategyRequest } from "../../src/testing/Fixtures.ts"
import { BULK_FIELDS, isChange, isOutdated, planOf } from "../../src/web/page/strategies/bulk/bulk.ts"
import type { Stored } from "../../src/web/page/strategies/form.ts"
import { created, stored } from "./stored.ts"

const one: Stored = {
  ...stored(created(strategyRequest())),
  strategy_id: 1,
  name: "<img onerror>",
  active: true,
  buy_percentage: 10
}

test("only the setting itself is sent, and a strategy that has the value already is left out", () => {
  const plan = planOf(one, { name: "buy_percentage", value: "25" })
  expect(plan).toMatchObject({ strategy: "<img onerror>", before: "10", after: "25", errors: [] })
  expect(plan.patch).toEqual({ buy_percentage: 25 })
  expect(planOf(one, { name: "active", value: "off" }).patch).toEqual({ active: false })
  expect(isChange(planOf(one, { name: "active", value: "on" }))).toBe(false)
})

test("a value beyond its bounds, or of a feature that is off, is named and never sent", () => {
  for (const [name, value] of [
    ["buy_percentage", "101"],
    ["buy_percentage", ""],
    ["stop_loss_percentage", "5"]
  ] as const) {
    const plan = planOf({ ...one, stop_loss_enabled: false, stop_loss_percent: null }, { name, value })
    expect(plan.errors.length).toBe(1)
    expect([plan.patch, isChange(plan)]).toEqual([{}, false])
  }
})

test("a change by somebody else since the preview is noticed, and changes of other settings are not", () => {
  const change = { name: "buy_percentage", value: "25" } as const
  const plan = planOf(one, change)
  expect(isOutdated(plan, { ...one, buy_percentage: 12 }, change)).toBe(true)
  expect(isOutdated(plan, { ...one, active: false }, change)).toBe(false)
})

test("names, pairs and steps are no settings of many", () => {
  for (const name of ["name", "description", "exchanges", "take_profit_steps", "signal_id"] as const)
    expect(BULK_FIELDS).not.toContain(name)
})
