// The guide's page of the rule language: its table of functions is the code's own, and everything that it shows is read.
import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import * as Either from "effect/Either"
import { markdown, rows } from "../../src/cli/rule/functions.ts"
import { exampleOf } from "../../src/domain/expression/Examples.ts"
import { FUNCTION_NAMES } from "../../src/domain/expression/Functions.ts"
import { MAX_CHARACTERS, MAX_DEPTH, MAX_LOOKBACK, MAX_NODES } from "../../src/domain/expression/Syntax.ts"
import { Pair } from "../../src/domain/Market.ts"
import * as Expression from "../../src/domain/signalRule/Expression.ts"
import { MAX_HELD } from "../../src/domain/signalRule/RuleMemory.ts"
import { MAX_MARKETS, MAX_RULE_CHARACTERS, read, readText } from "../../src/domain/signalRule/RuleReading.ts"
import { MAX_SCHEDULES } from "../../src/domain/signalRule/RuleSchedules.ts"
import { RULE_TEMPLATES } from "../../src/domain/signalRule/RuleTemplates.ts"
import { MAX_ENTRIES, MAX_PARAMS } from "../../src/domain/signalRule/SignalRule.ts"

const PAGE = readFileSync(`${import.meta.dir}/../../src/guide/signal-rules.md`, "utf8")
const sectionOf = (heading: string): string => PAGE.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? ""

const isRead = (text: string): boolean =>
  (["boolean", "number"] as const).some((type) =>
    Either.isRight(Expression.read(text, type, { params: new Map([["fast", 9]]), timeframe: "1h" }))
  )

test("the table of functions is the code's own", () => expect(sectionOf("Functions")).toContain(markdown()))

test("each function has an example that is read, and a warm-up", () => {
  for (const name of FUNCTION_NAMES) expect([name, isRead(exampleOf(name))]).toEqual([name, true])
  expect(rows().map(({ warmup }) => warmup)).not.toContain("undefined")
})

test("the rule that is shown is read", () => {
  const blocks = [...PAGE.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = ""]) => text)
  expect(blocks.map((text) => Either.isRight(readText(text)))).toEqual([true])
})

test("each expression that is the same as in Pine, or stands for it, is read", () => {
  const shown = [...sectionOf("Coming from Pine").matchAll(/^\| .* \| (?:`([^`]+)`.*) \|$/gm)].map(
    ([, text = ""]) => text
  )
  expect(shown.length).toBe(14)
  for (const text of shown) expect([text, isRead(text)]).toEqual([text, true])
})

test("the bounds are those of the code", () => {
  const bounds = [MAX_CHARACTERS, MAX_NODES, MAX_DEPTH, MAX_LOOKBACK, MAX_RULE_CHARACTERS, MAX_HELD]
  const numbers = [...bounds, MAX_MARKETS, MAX_PARAMS, MAX_ENTRIES, MAX_SCHEDULES].map((it) =>
    it.toLocaleString("en")
  )
  for (const number of numbers) expect(PAGE).toMatch(new RegExp(`\\b${number}\\b`))
})

describe("each template is a rule", () => {
  test.each(RULE_TEMPLATES.map((it) => [it.name, it.rule] as const))("%s", (_, rule) => {
    const markets = [{ exchange: "binance" as const, kind: "spot" as const, pairs: [Pair.make("BTC/USDT")] }]
    expect(Either.getOrThrow(read({ markets, ...rule })).document).toEqual({ markets, ...rule })
  })
})
