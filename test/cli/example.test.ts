// `signalbox example`: each template's files back-test to the very trades that its sample chart shows.
import { afterAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { RECORDED_DAYS, TEMPLATE_KEYS, TEMPLATES } from "../../src/domain/requests/StrategyTemplates.ts"
import { sampleOf } from "../../src/web/page/strategies/templates/sample.ts"
import { ended, program } from "../lib/cli.ts"

const folder = mkdtempSync(join(tmpdir(), "example-"))
afterAll(() => rmSync(folder, { recursive: true }))

const signalbox = (...args: ReadonlyArray<string>) =>
  ended(Bun.spawn([...program, ...args], { cwd: folder, stdout: "pipe", stderr: "pipe" }))

const inputs = (key: string, pair: string, files: ReadonlyArray<string>) => {
  const candles = files.find((name) => name.endsWith(".csv.gz")) ?? ""
  return [
    ...["--strategy", `${key}/strategy.json`, "--alerts", `${key}/alerts.jsonl`],
    ...["--candles", `${pair}=${key}/${candles}`, "--balance", "1000", "--json"]
  ]
}

test.each(TEMPLATE_KEYS.map((key) => [key] as const))(
  "the files of the template %s make the trades of its chart, and can be swept",
  async (key) => {
    const made = await signalbox("example", key, "--template", key, "--json")
    expect([made.code, made.error]).toEqual([0, ""])
    const { files }: { readonly files: ReadonlyArray<string> } = JSON.parse(made.out)
    const given = inputs(key, RECORDED_DAYS[TEMPLATES[key].sample.recorded].pair, files)
    const tested = await signalbox("backtest", ...given)
    expect([tested.code, tested.error]).toEqual([0, ""])
    const { trades }: { readonly trades: ReadonlyArray<Record<string, unknown>> } = JSON.parse(tested.out)
    expect(trades.map(({ exit_reason, profit_pct }) => [exit_reason, profit_pct])).toEqual(
      sampleOf(key).trades.map(({ exit_reason, profit_pct }) => [exit_reason, profit_pct])
    )
    const swept = await signalbox("sweep", ...given, "--grid", `${key}/grid.json`)
    expect([swept.code, swept.error]).toEqual([0, ""])
    expect(JSON.parse(swept.out)).toMatchObject({ skipped: 0 })
  },
  30_000
)

test("the example with a rule of its own trades by nothing but candles, and its numbers can be swept", async () => {
  const { files }: { readonly files: ReadonlyArray<string> } = JSON.parse(
    (await signalbox("example", "own", "--template", "rule", "--json")).out
  )
  expect(files).toContain("rule.json")
  const [strategy, , , , candles, source] = inputs("own", "BTC/USDT", files)
  const given = [strategy, "own/strategy.json", candles, source, "--rule", "own/rule.json", "--json"].flatMap(
    (text) => text ?? []
  )
  const tested = await signalbox("backtest", ...given)
  expect([tested.code, tested.error]).toEqual([0, ""])
  const { rule, trades } = JSON.parse(tested.out)
  expect([trades.length, rule.alerts_total]).toEqual([4, 9])
  const swept = await signalbox("sweep", ...given, "--grid", "own/grid.json")
  expect([swept.code, swept.error]).toEqual([0, ""])
  expect(JSON.parse(swept.out)).toMatchObject({ ran: 40, skipped: 0 })
}, 30_000)

test("files that are there stay without --force, and an unknown template names those that there are", async () => {
  expect((await signalbox("example", "twice")).code).toBe(0)
  const again = await signalbox("example", "twice", "--template", "dca")
  expect([again.code, again.error]).toEqual([
    1,
    expect.stringContaining("already exists: --force replaces it")
  ])
  const unknown = await signalbox("example", "other", "--template", "moon")
  expect([unknown.code, unknown.error]).toEqual([2, expect.stringContaining("scalping")])
})
