// The templates of strategies: whole, accepted, and with samples that the product's own back-test gives.
import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import * as Either from "effect/Either"
import * as Samples from "../../scripts/samples.ts"
import * as StrategyRequest from "../../src/domain/requests/StrategyRequest.ts"
import { TEMPLATE_KEYS, TEMPLATES, templateKey } from "../../src/domain/requests/StrategyTemplates.ts"
import { BLANK } from "../../src/web/page/strategies/blank.ts"
import { contradictions } from "../../src/web/page/strategies/contradictions.ts"
import { bodyOf, check, type Form, textOf, withText } from "../../src/web/page/strategies/form.ts"
import { isOver, plotOf, SIZE, widthOf } from "../../src/web/page/strategies/templates/plot.ts"
import { eventsOf, sampleOf } from "../../src/web/page/strategies/templates/sample.ts"
import { startFrom } from "../../src/web/page/strategies/templates/starting.ts"

const filled = (form: Form): Form => ({
  ...withText(form, "name", "Swing"),
  exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT"] }]
})

describe.each(TEMPLATE_KEYS.map((key) => [key] as const))("the template %s", (key) => {
  test("lacks only a pair, and is accepted by the server with one", () => {
    expect(Object.keys(check(startFrom(BLANK, key)))).toEqual(["exchanges"])
    const form = filled(startFrom(BLANK, key))
    expect(check(form)).toEqual({})
    expect(contradictions(form, 0.1)).toEqual([])
    expect(Either.isRight(StrategyRequest.parseBody(bodyOf(form)))).toBe(true)
  })

  test("leaves nothing of another template that was chosen before it", () => {
    for (const other of TEMPLATE_KEYS)
      expect(bodyOf(startFrom(startFrom(BLANK, other), key))).toEqual(bodyOf(startFrom(BLANK, key)))
  })

  test("keeps the name, the pairs and the signal that somebody chose", () => {
    const own = filled(withText(withText(BLANK, "signal_id", "7"), "description", "Mine"))
    const form = startFrom(own, key)
    expect([textOf(form, "name"), textOf(form, "description")]).toEqual(["Swing", "Mine"])
    expect([textOf(form, "signal_id"), form.exchanges]).toEqual(["7", own.exchanges])
  })

  test("trades in its sample, ends it without a position, and follows the last of its alerts", async () => {
    const result = await Samples.resultOf(key)
    expect(result.trades_total).toBeGreaterThan(0)
    expect(result.open).toEqual([])
    expect(result.skipped_lines).toEqual([])
    expect(result.warnings).toEqual([])
    expect(result.ignored).toEqual([])
    expect(result.alerts).toBe(TEMPLATES[key].sample.alerts.length)
  })

  test("shows each alert and each fill once, oldest first, and all labels within the chart and apart", () => {
    const sample = sampleOf(key)
    const events = eventsOf(sample)
    expect(events.length).toBe(sample.alerts.length + sample.fills.length)
    expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).toSorted((a, b) => a - b))
    const { marks } = plotOf(sample)
    for (const [index, mark] of marks.entries()) {
      const half = widthOf(mark.event) / 2
      expect([mark.labelX - half >= 0, mark.labelX + half <= SIZE.width]).toEqual([true, true])
      expect([mark.labelY > 10, mark.labelY < SIZE.height, mark.y < SIZE.height]).toEqual([true, true, true])
      for (const other of marks.slice(0, index)) expect(isOver(mark, other)).toBe(false)
    }
  })
})

test("the samples of the gallery are what the back-test gives today", async () => {
  // Where they differ, `bun run settings` writes them anew.
  expect(readFileSync(Samples.FILE, "utf8")).toBe(await Samples.text())
})

test("the sample of averaging shows every extra entry, and its sale of everything", () => {
  const labels = eventsOf(sampleOf("dca")).map(({ label }) => label)
  expect(labels).toEqual(["alert: buy", "buys", "DCA 1", "DCA 2", "DCA 3", "DCA 4", "sells +1.50 %"])
})

test("a name that is no template's chooses none", () => {
  for (const text of [undefined, "", "Trend", "toString", "__proto__", "trend "])
    expect(templateKey(text)).toBeUndefined()
  expect(templateKey("dca")).toBe("dca")
})
