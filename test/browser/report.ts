// The report of a back-test, opened from disk without a network: it is drawn, accessible, and requests nothing.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { command } from "../reliability/Program.ts"
import { must } from "../reliability/prices/until.ts"
import { DESKTOP, onEachSize, opened } from "./lib/offline.ts"
import { example } from "./lib/replay.ts"
import type { Suite } from "./lib/Stage.ts"
import { sound, walked } from "./lib/sound.ts"

const NAME = `</script><img src=x onerror="alert(1)"><!-- %DATA% \u2028 $&`

const suite: Suite = async (stage) => {
  const { folder, steps } = stage
  const { candles, folder: given, strategy } = await example(folder)
  const file = join(folder, "report.html")

  await steps.take("the command writes the report of a strategy with a hostile name", async () => {
    await Bun.write(join(folder, "hostile.json"), JSON.stringify({ ...strategy, name: NAME }))
    const files = ["--strategy", join(folder, "hostile.json"), "--alerts", `${given}/alerts.jsonl`]
    const ran = await command(["backtest", ...files, "--candles", `BTC/USDT=${candles}`, "--html", file])
    must(ran.exitCode === 0, ran.stderr)
    return `${Math.round(readFileSync(file).length / 1000)} kB`
  })

  const open = opened(stage, file, async (page) => {
    await page.getByRole("heading", { level: 1, name: `${NAME}: back-test` }).waitFor()
    await page.getByRole("region", { name: "Equity" }).locator("canvas").first().waitFor()
    await page.getByRole("region", { name: "Prices and fills" }).locator("canvas").first().waitFor()
  })
  await onEachSize(stage, open)

  await steps.check(
    "its trades are sorted, its settings unfold, and its colours change, all by keyboard",
    async () => {
      const page = await open(DESKTOP)
      await walked(page)
      const trades = page.getByRole("table", { name: "Trades of the back-test" })
      await trades.getByRole("button", { name: "P&L" }).press("Enter")
      await trades
        .getByRole("columnheader", { name: "P&L" })
        .and(page.locator("[aria-sort=descending]"))
        .waitFor()
      await page.getByText("Show the strategy's file").press("Enter")
      await page.getByText('"default_quote_currency": "USDT"').waitFor()
      await page.getByRole("button", { name: "Colours: system. Change to light" }).press("Enter")
      await page.locator("html[data-theme=light]").waitFor()
      await page.getByRole("button", { name: "Colours: light. Change to dark" }).press("Enter")
      await page.locator("html[data-theme=dark]").waitFor()
      await sound(page)
    }
  )
}
export default suite
