// Drafts of strategies: their types say what the table of fields says, and what is misspelt is refused.
import { describe, expect, test } from "bun:test"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as DraftFields from "../../scripts/draftFields.ts"
import { StrategyDraft, StrategyPatch } from "../../src/domain/requests/StrategyDraft.ts"
import { parseBody, parseCreate, read, readPatch } from "../../src/domain/requests/StrategyRequest.ts"
import { rows } from "../../src/domain/requests/StrategyView.ts"
import { MAX_VIOLATIONS } from "../../src/domain/requests/Violations.ts"
import { settings, strategyRequest } from "../../src/testing/Fixtures.ts"

/** The violations of a draft with more fields than its type has. */
const refused = (more: object): ReadonlyArray<string> =>
  Either.match(parseCreate({ ...strategyRequest(), ...more }), {
    onLeft: (found) => found.map(({ field, text }) => `${field}: ${text}`),
    onRight: () => []
  })

describe("the type of a draft", () => {
  test("has the fields, bounds and defaults of the table, as `bun run settings` writes them", () =>
    expect(DraftFields.found()).toBe(DraftFields.fields()))

  test("has a meaning for each field", () =>
    expect(DraftFields.found().split("/**")).toHaveLength(rows.length + 1))

  test("lets no misspelt field, value or exchange compile", () => {
    const misspelt = (): ReadonlyArray<StrategyDraft | StrategyPatch> => [
      // @ts-expect-error stop_los is no field
      { stop_los: true },
      // @ts-expect-error a switch is true or false
      { stop_loss: "true" },
      // @ts-expect-error binanse is no exchange
      { default_exchange_name: "binanse" },
      // @ts-expect-error a listing has coin_pairs
      { exchanges: [{ exchange_name: "binance", pairs: ["BTC/USDT"] }] },
      // @ts-expect-error a number is not a signal's id
      { signal_id: 7 }
    ]
    // @ts-expect-error a draft needs its required fields
    const draft: StrategyDraft = { name: "Mine" }
    expect([misspelt().length, draft.name]).toEqual([5, "Mine"])
  })
})

describe("the schemas", () => {
  test("take what the types take, and a draft needs what a creation needs", () => {
    expect(Schema.decodeUnknownSync(StrategyDraft)(strategyRequest())).toEqual(strategyRequest())
    expect(Schema.decodeUnknownSync(StrategyPatch)({ stop_loss: true })).toEqual({ stop_loss: true })
    expect(() => Schema.decodeUnknownSync(StrategyDraft)({ stop_loss: true })).toThrow("name")
    expect(() => Schema.decodeUnknownSync(StrategyPatch)({ stop_loss_percentage: 100 })).toThrow("below 100")
    expect(() => Schema.decodeUnknownSync(StrategyPatch)({ stop_los: true })).toThrow("stop_los")
  })
})

describe("a field that no strategy has", () => {
  test.each([
    ["stop_los", "stop_loss"],
    ["stopLoss", "stop_loss"],
    ["stop_loss_percnt", "stop_loss_percentage"],
    ["stoploss_percentage", "stop_loss_percentage"],
    ["dca_after_times", "dca_aftertime"],
    ["buy_precentage", "buy_percentage"],
    ["Exchanges", "exchanges"]
  ])("%s is refused, and %s is named", (name, meant) =>
    expect(refused({ [name]: true })).toEqual([`${name}: no strategy has this field: did you mean ${meant}?`])
  )

  test("is refused without a guess if nothing is near", () =>
    expect(refused({ colour_of_the_moon: 1 })).toEqual(["colour_of_the_moon: no strategy has this field"]))

  test("is refused within a listing too", () =>
    expect(
      refused({ exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT"], coin_pair: [] }] })
    ).toEqual(["exchanges: [0].coin_pair: no strategy has this field: did you mean [0].coin_pairs?"]))

  test("is reported together with everything else that is wrong", () =>
    expect(refused({ stop_los: true, buy_percentage: 101 })).toEqual([
      "stop_los: no strategy has this field: did you mean stop_loss?",
      "buy_percentage: must be from 0 to 100"
    ]))

  test("is refused in a change as well", () => {
    const reading = readPatch({ ...{ stop_los: true }, active: false }, settings())
    expect(Option.isNone(reading.settings)).toBe(true)
    expect(reading.violations.map(({ field }) => field)).toEqual(["stop_los"])
  })

  test("costs no more than the most violations, however many there are", () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`x${index}`.repeat(50), 1]))
    const found = refused(many)
    expect(found).toHaveLength(MAX_VIOLATIONS)
    for (const text of found) expect(text.length).toBeLessThan(200)
  })

  test("is ignored in the body of a request, as the interface promises", () => {
    const body = { ...strategyRequest(), stop_los: true, colour: 1 }
    expect(Either.isRight(parseBody(body))).toBe(true)
    expect(read({ stop_los: true }, Option.some(settings())).violations).toEqual([])
  })
})
