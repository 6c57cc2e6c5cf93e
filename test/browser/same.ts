// The back-test page and `signalbox backtest`: the same candles, alerts and settings come to the same figures.
import { command } from "../reliability/Program.ts"
import { must } from "../reliability/prices/until.ts"
import { at } from "./lib/places.ts"
import { example } from "./lib/replay.ts"
import type { Suite } from "./lib/Stage.ts"

const suite: Suite = async (stage) => {
  const site = await stage.serve()
  const { alerts, candles, folder, strategy } = await example(stage.folder)
  const { steps } = stage
  const told = { text: "" }

  await steps.take("the command runs over the example", async () => {
    const files = ["--strategy", `${folder}/strategy.json`, "--alerts", `${folder}/alerts.jsonl`]
    const ran = await command(["backtest", ...files, "--candles", `BTC/USDT=${candles}`, "--json"])
    must(ran.exitCode === 0, ran.stderr)
    told.text = ran.stdout
    return `${JSON.parse(told.text).trades.length} trades of ${alerts.trim().split("\n").length} alerts`
  })

  await steps.take("the page computes and shows the same figures", async () => {
    const made = await site.served.fetch("/v1/strategies", {
      method: "POST",
      headers: { ...site.owner.headers, "content-type": "application/json" },
      body: JSON.stringify(strategy)
    })
    must(made.status === 201, await made.text())
    const { page } = await stage.visit(site.base, site.token).then(async (visitor) => {
      await at(visitor, { address: "backtest?strategy=1", heading: "Back-test" })
      return visitor
    })
    await page.getByLabel("Choose candle files").setInputFiles(candles)
    await page.getByLabel("Pair", { exact: true }).fill("BTC/USDT")
    await page.getByLabel("Choose a file of alerts").setInputFiles(`${folder}/alerts.jsonl`)
    await page.getByText(/^alerts\.jsonl: \d+ alerts/).waitFor()
    const answered = page.waitForResponse((it) => it.url().endsWith("/v1/dashboard/backtests"))
    await page.getByRole("button", { name: "Run back-test" }).click()
    const onPage = JSON.parse(await (await answered).text())
    const byCommand = JSON.parse(told.text)
    const { summary } = byCommand.performance
    must(
      JSON.stringify(onPage.performance) === JSON.stringify(byCommand.performance),
      JSON.stringify(onPage.performance)
    )
    must(onPage.candles === byCommand.candles, `${onPage.candles} candles, not ${byCommand.candles}`)
    must(
      onPage.ambiguous_candles === byCommand.ambiguous_candles,
      `${onPage.ambiguous_candles} are ambiguous`
    )
    const results = (all: ReadonlyArray<{ readonly pnl: number; readonly exit_reason: string }>) =>
      all.map(({ exit_reason, pnl }) => `${exit_reason} ${pnl.toFixed(6)}`).join("; ")
    must(results(onPage.trades) === results(byCommand.trades), results(onPage.trades))
    const figure = async (label: string) => {
      const term = page.locator("dt", { hasText: new RegExp(`^${label}$`) })
      const panel = page.getByRole("region", { name: "Completed trades", exact: true })
      const value = panel.locator(".figure", { has: term }).locator(".figure-value")
      return (await value.textContent()) ?? ""
    }
    await page.getByRole("heading", { name: "Result" }).waitFor()
    const shown = [
      await figure("Net P&L"),
      await figure("Fees paid"),
      await figure("Drawdown of closed trades"),
      await figure("Trades")
    ]
    const wanted = [
      `+${summary.net_pnl.toFixed(2)} USDT`,
      `${summary.fees_paid.toFixed(2)} USDT`,
      `${summary.max_drawdown_pct.toFixed(2)} %`,
      `${summary.trade_count}`
    ]
    const plain = (text: string) =>
      text
        .replaceAll("−", "-")
        .replaceAll(/[\u00a0\u202f]/g, " ")
        .trim()
    must(shown.map(plain).join() === wanted.join(), `shown: ${shown.join(", ")}; not ${wanted.join(", ")}`)
    return shown.join(", ")
  })
}
export default suite
