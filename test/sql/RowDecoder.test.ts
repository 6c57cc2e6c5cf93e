// The adversary: rows that somebody spoiled in any place. Whatever a schema says of a row, the decoder says as well.
import { describe, expect, test } from "bun:test"
import { Either, Schema } from "effect"
import { StrategyId } from "../../src/domain/StrategyId.ts"
import * as LedgerChain from "../../src/sql/rows/LedgerChain.ts"
import * as Portfolio from "../../src/sql/rows/PortfolioRows.ts"
import * as StateText from "../../src/sql/rows/StateText.ts"
import * as RowDecoder from "../../src/sql/verify/RowDecoder.ts"
import * as Steps from "../../src/testing/contracts/steps.ts"

const strategy = StrategyId.make(7)
const { state, tally } = Steps.bot(strategy, 1)

/** What stands where something else should. */
const STRANGE = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  "",
  "x",
  "1.50",
  "1e5",
  "BTC/USDT",
  "0".repeat(500),
  [],
  {},
  [null]
]

/** The value with one place changed, for every place in it: something strange, gone, or something beside it. */
function* spoiled(value: unknown): Generator<unknown> {
  yield* STRANGE
  if (Array.isArray(value)) {
    yield [...value, ...value]
    for (const [index, part] of value.entries())
      for (const other of spoiled(part)) yield value.with(index, other)
  } else if (typeof value === "object" && value !== null) {
    yield { ...value, foreign: 1 }
    for (const [name, part] of Object.entries(value)) {
      yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))
      for (const other of spoiled(part)) yield { ...value, [name]: other }
    }
  }
}

const shown = (decoded: Either.Either<unknown, { readonly message: string }>): string =>
  Either.match(decoded, {
    onLeft: ({ message }) => message,
    onRight: (value) => JSON.stringify(Steps.plain(value))
  })

/** Compares both, and returns how many were sound. */
const compared = <A, I>(schema: Schema.Schema<A, I>, rows: Iterable<unknown>): number => {
  const decode = RowDecoder.make(schema)
  const bySchema = Schema.decodeUnknownEither(schema)
  let sound = 0
  for (const row of rows) {
    const decoded = decode(row)
    expect(shown(decoded)).toBe(shown(bySchema(row)))
    if (Either.isRight(decoded)) sound++
  }
  return sound
}

/** Compares both decoders of a text, over many of them. */
const of =
  <A>(schema: Schema.Schema<A, string>) =>
  (rows: Iterable<unknown>) =>
    compared(schema, rows)

const { columns } = Portfolio
const texts = [
  ["an order", of(columns.order), Portfolio.orderText(Steps.order("1-2-0"))],
  ["a fill", of(columns.fill), Portfolio.fillText(Steps.fill("1-2-0", 5))],
  ["a trade", of(columns.trade), Portfolio.tradeText(Steps.trade(90_000_000))],
  ...Steps.postings("1-2-0").map(
    (posting, index) => [`posting ${index + 1}`, of(columns.posting), Portfolio.postingText(posting)] as const
  ),
  ["a bot", of(columns.state), StateText.stateText(state)],
  ["a tally", of(columns.tally), Portfolio.tallyText(tally)]
] as const

describe("a decoder of rows", () => {
  for (const [name, compare, text] of texts)
    test(`decodes ${name} as its schema does, wherever it is spoiled`, () => {
      const rows = [...spoiled(JSON.parse(text))].map((value) => JSON.stringify(value))
      expect(compare([text, "", "{", ...STRANGE])).toBe(1)
      const sound = compare(rows)
      expect(sound).toBeGreaterThan(0)
      expect(sound).toBeLessThan(rows.length)
    })

  test("decodes whole rows as their schemas do", () => {
    const order = { strategy, order: Portfolio.orderText(Steps.order("1")), status: "filled", id: 1 }
    const head = { partition: null, place: 1, hash: new Uint8Array(32) }
    expect(compared(Portfolio.orders.schema, [order, ...spoiled(order)])).toBeGreaterThan(1)
    expect(compared(LedgerChain.HeadRow, [head, ...spoiled(head)])).toBeGreaterThan(1)
  })

  test("leaves to the schema what may be one thing or another", () => {
    const Pair = Schema.Struct({ a: Schema.NumberFromString })
    const either = Schema.Union(
      Pair,
      Schema.Struct({ a: Schema.String }),
      Schema.Record({ key: Schema.String, value: Schema.Int })
    )
    expect(compared(either, [{ a: "1" }, { a: "x" }, { b: 2 }, { a: 1 }, null, []])).toBe(4)
    const optional = Schema.Struct({
      a: Schema.optionalWith(Schema.Int, { default: () => 3 }),
      b: Schema.NullOr(Schema.Date)
    })
    expect(
      compared(optional, [{ b: null }, { a: 1, b: "2020-01-01T00:00:00Z" }, { a: "1", b: null }, {}])
    ).toBe(2)
  })
})
