import { describe, expect, test } from "bun:test"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { documentOf, ofDocument } from "../../src/domain/fills/FillModel.ts"
import { ofText, textOf } from "../../src/domain/fills/FillText.ts"
import { wordsOf } from "../../src/domain/fills/FillWords.ts"

const wrong = (text: string) => Either.getOrThrow(Either.flip(ofText(text)))
const read = (text: string) => Either.getOrThrow(ofText(text))

describe("the text of fills nearer to life", () => {
  test("names each part once, in any sequence, with spaces or capitals", () => {
    expect(read("slippage=0.05%,spread=0.02%,latency=500ms,limits=through,funding=on")).toEqual({
      slippagePercent: 0.05,
      spreadPercent: 0.02,
      latencyMs: 500,
      limits: "through",
      funding: true
    })
    expect(read(" Latency = 500 MS , slippage=2 ticks")).toEqual({ latencyMs: 500, slippageTicks: 2 })
    expect(read("slippage=1tick")).toEqual({ slippageTicks: 1 })
  })

  test("is nothing where everything is off", () => {
    for (const text of [
      "",
      " , ",
      "slippage=0%",
      "slippage=0ticks,spread=0%,latency=0ms,limits=touched,funding=off"
    ])
      expect(read(text)).toBeUndefined()
  })

  test("is refused where a unit is missing, a name is unknown or a number out of bounds", () => {
    const form = /^takes slippage=0\.05% or slippage=2ticks/
    const texts = [
      "slippage=0.05",
      "slippage=5bps",
      "latency=1s",
      "speed=1%",
      "slippage",
      "limits=maybe",
      "spread=1ticks"
    ]
    for (const text of texts) expect(wrong(text)).toMatch(form)
    for (const text of ["slippage=-1%", "slippage=1e1%", "slippage=0x1%", "slippage==1%", "slippage=NaN%"])
      expect(wrong(text)).toMatch(form)
    expect(wrong("slippage=11%")).toBe("slippage must be from 0 to 10")
    expect(wrong("slippage=1.5ticks")).toBe("slippage must be a whole number from 0 to 1000")
    expect(wrong("latency=600001ms")).toBe("latency must be a whole number of ms from 0 to 600000")
    expect(wrong("slippage=1%,slippage=2ticks")).toBe("names slippage twice")
  })

  test("says the same of every model as the document does", () => {
    const percent = FastCheck.double({ min: 0, max: 10, noNaN: true })
    const documents = FastCheck.record(
      {
        slippage: FastCheck.oneof(
          percent.map((slippage_percent) => ({ slippage_percent })),
          FastCheck.integer({ min: 0, max: 1000 }).map((slippage_ticks) => ({ slippage_ticks }))
        ),
        spread: FastCheck.oneof(
          percent.map((spread_percent) => ({ spread_percent })),
          FastCheck.constant({ spread: "recorded" as const })
        ),
        latency_ms: FastCheck.integer({ min: 0, max: 600_000 }),
        limits: FastCheck.constantFrom("touched" as const, "through" as const),
        funding: FastCheck.boolean()
      },
      { noNullPrototype: true }
    )
    FastCheck.assert(
      FastCheck.property(documents, ({ slippage, spread, ...rest }) => {
        const model = Either.getOrThrow(ofDocument({ ...slippage, ...spread, ...rest }))
        if (model === undefined) return
        expect(Either.getOrThrow(ofDocument(documentOf(model)))).toEqual(model)
        expect(read(textOf(model))).toEqual(model)
        expect(wordsOf(documentOf(model)).length).toBe(Object.keys(model).length)
      })
    )
  })

  test("contradicts itself with slippage in two units, or with two spreads", () => {
    expect(ofDocument({ slippage_percent: 1, slippage_ticks: 1 })).toEqual(
      Either.left({
        field: "slippage_percent",
        text: "slippage is given in percent and in ticks: give one of the two"
      })
    )
    expect(ofDocument({ spread_percent: 1, spread: "recorded" })).toEqual(
      Either.left({
        field: "spread_percent",
        text: "the spread is given in percent and as recorded: give one of the two"
      })
    )
    expect(wrong("spread=recorded,spread=1%")).toBe("names spread twice")
    expect(Either.getOrThrow(ofDocument({ slippage_percent: 0, slippage_ticks: 1 }))).toEqual({
      slippageTicks: 1
    })
  })
})
