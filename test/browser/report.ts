// The report of a back-test, opened from disk without a network: it is drawn, accessible, and requests nothing.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { command } from "../reliability/Program.ts"
import { must } from "../reliability/prices/until.ts"
import { inPage } from "./lib/inPage.ts"
import { example } from "./lib/replay.ts"
import type { Stage, Suite } from "./lib/Stage.ts"
import { sound, walked } from "./lib/sound.ts"

const NAME = `</script><img src=x onerror="alert(1)"><!-- %DATA% \u2028 $&`
const DESKTOP = { viewport: { width: 1280, height: 800 } }
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }

/** Opens the report in a browser without a network. */
const opened = async (stage: Stage, file: string, options: Parameters<Stage["visit"]>[2]) => {
  const { page } = await stage.visit("http://nowhere.invalid", undefined, { ...options, offline: true })
  const requests: Array<string> = []
  page.on("request", (request) => requests.push(request.url()))
  await page.goto(pathToFileURL(file).href)
  await page.getByRole("heading", { level: 1, name: `${NAME}: back-test` }).waitFor()
  await page.getByRole("region", { name: "Equity" }).locator("canvas").first().waitFor()
  await page.getByRole("region", { name: "Prices and fills" }).locator("canvas").first().waitFor()
  must(requests.length === 1, `it requested ${requests.join(", ")}`)
  return page
}

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

  for (const [size, options] of [
    ["a desktop", DESKTOP],
    ["a telephone", PHONE]
  ] as const)
    for (const colorScheme of ["light", "dark"] as const)
      await steps.check(`it opens from disk on ${size}, ${colorScheme}, and requests nothing`, async () => {
        const page = await opened(stage, file, { ...options, colorScheme })
        const flaws = [
          ...(await inPage(page, "width")),
          ...(options === PHONE ? await inPage(page, "targets") : [])
        ]
        must(flaws.length === 0, flaws.join("\n"))
        await sound(page)
      })

  await steps.check(
    "its trades are sorted, its settings unfold, and its colours change, all by keyboard",
    async () => {
      const page = await opened(stage, file, DESKTOP)
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
