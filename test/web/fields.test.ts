// The form's fields agree with the contract's table of settings.
import { describe, expect, test } from "bun:test"
import * as Either from "effect/Either"
import * as SchemaViolations from "../../src/domain/internal/SchemaViolations.ts"
import { QUOTE_CURRENCIES } from "../../src/domain/Market.ts"
import { type Row, rows } from "../../src/domain/requests/StrategyView.ts"
import { MAX_PAIRS } from "../../src/domain/Strategy.ts"
import { BLANK } from "../../src/web/page/strategies/blank.ts"
import { keeps } from "../../src/web/page/strategies/bounds.ts"
import * as Fields from "../../src/web/page/strategies/fields.ts"
import {
  bodyOf,
  changesOf,
  check,
  type Form,
  MODEL,
  withSwitch,
  withText
} from "../../src/web/page/strategies/form.ts"
import { GROUPS } from "../../src/web/page/strategies/groups.ts"
import type { Field } from "../../src/web/page/strategies/kinds.ts"

const fieldOf = (row: Row): Field | undefined =>
  Fields.isFieldName(row.request) ? Fields.fieldOf(row.request) : undefined
const accepts = (row: Row, value: unknown): boolean =>
  Either.isRight(SchemaViolations.decode(row.schema, value))
const sortedly = (names: ReadonlyArray<string>) => [...names].sort()

describe("the form's settings", () => {
  test("have the request's names, and no others", () =>
    expect(sortedly(Fields.NAMES)).toEqual(sortedly(rows.map(({ request }) => request))))

  test("each stand in one group, or appear with a switch that does", () => {
    const shown = GROUPS.flatMap(({ fields }) => fields.flatMap((name) => [name, ...Fields.dependents(name)]))
    expect(sortedly(shown)).toEqual(sortedly(Fields.NAMES))
  })

  test.each(rows.map((row) => [row.request, row] as const))(
    "%s has a name, a sentence and its own rules",
    (_, row) => {
      const field = fieldOf(row)
      expect(field?.label).toMatch(/^[A-Z]/)
      expect(field?.explain).toMatch(/^[A-Z].{20,}[^.]\.$/)
      expect(field?.explain).not.toBe(row.description)
      const model = Object.entries(MODEL).find(([request]) => request === row.request)?.[1] ?? row.request
      expect(`${model}`).toBe(row.model)
      // A value of a feature appears with the feature's switch.
      const toggle = rows.find((it) => it.role === "switch" && it.feature === row.feature)
      // So does the name to publish under, which is no feature: a private strategy keeps it.
      const by = row.request === "display_name" ? "public" : toggle?.request
      expect(field?.with).toBe(row.role === "value" || row.request === "display_name" ? by : undefined)
      expect(field?.kind === "switch").toBe(accepts(row, true))
    }
  )

  const numbers = rows.filter((row) => fieldOf(row)?.kind === "number")
  test.each(numbers.map((row) => [row.request, row] as const))("%s has the schema's bounds", (_, row) => {
    const field = fieldOf(row)
    if (field?.kind !== "number") throw new Error("it is a number")
    expect(field.unit).not.toBe("")
    expect(field.needed).toBe(row.role !== "optional")
    const edges = [-1, 0, 0.01, 0.5, 1, 1.5, 10, 99.9, 100, 199, 200, 201, 1000, 525_600, 1_000_000]
    const near = edges.flatMap((edge) => [edge - 0.001, edge - 1e-9, edge, edge + 0.001, edge + 1])
    for (const value of near)
      expect([value, keeps(field.bounds, value)]).toEqual([value, accepts(row, value)])
  })

  test("have the contract's text lengths and choices", () => {
    for (const row of rows) {
      const field = fieldOf(row)
      if (field?.kind !== "text" && field?.kind !== "area") continue
      // A letter of two UTF-16 units counts as one character.
      expect(accepts(row, "𝒶".repeat(field.longest))).toBe(true)
      expect(accepts(row, "𝒶".repeat(field.longest + 1))).toBe(false)
      expect(accepts(row, row.role === "optional" ? null : "")).toBe(!field.needed)
    }
    expect(Fields.QUOTES).toEqual([...QUOTE_CURRENCIES])
    expect(Fields.MOST_PAIRS).toBe(MAX_PAIRS)
  })
})

const filled = (form: Form): Form => ({
  ...form,
  texts: { ...form.texts, name: "Swing" },
  exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT"] }]
})

test("a newcomer's form lacks only a name and a pair", () => {
  expect(Object.keys(check(BLANK))).toEqual(["name", "exchanges"])
  expect(check(filled(BLANK))).toEqual({})
})

test("a display name is asked for with the switch Public, and an emptied one is taken away", () => {
  const published = withText(withSwitch(filled(BLANK), "public", true), "display_name", "Ann Trades")
  expect(bodyOf(published)).toMatchObject({ public: true, display_name: "Ann Trades" })
  expect(changesOf(withText(published, "display_name", ""), published)).toEqual({ display_name: null })
  // Going private leaves it as it is.
  expect(changesOf(withSwitch(published, "public", false), published)).toEqual({ public: false })
  expect(check(withText(published, "display_name", "x".repeat(41)))).toHaveProperty("display_name")
  expect(check(withText(published, "display_name", ""))).toEqual({})
})
