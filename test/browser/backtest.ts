// The back-test page: input from files and recorded prices, errors beside fields, running, stopping, results, saving.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { record, wave } from "../backtests/prices.ts"
import { must } from "../reliability/prices/until.ts"
import { at, settled } from "./lib/places.ts"
import type { Suite } from "./lib/Stage.ts"
import { sound } from "./lib/sound.ts"

const MINUTE = 60_000
const DECEMBER = Date.UTC(2025, 11, 1)
/** The beginning of the list of trades. */
const NEW_YEAR = Date.UTC(2024, 0, 1)
const PAGE = { address: "backtest?strategy=1", heading: "Back-test" } as const
/** Alerts of half a day, one every ten minutes. */
const alerts = Array.from({ length: 72 }, (_, index) =>
  JSON.stringify({
    time: DECEMBER + index * 10 * MINUTE,
    coin: index % 2 === 0 ? "BTC" : "ETH",
    quote_currency: "USDT",
    type: index % 5 === 4 ? "sell" : "buy"
  })
).join("\n")

const suite: Suite = async (stage) => {
  const site = await stage.serve()
  const { steps } = stage
  for (const pair of ["BTC/USDT", "ETH/USDT"]) record(stage.folder, pair, "2025-12", wave(DECEMBER, 12 * 60))
  const signal = await site.owner.signal("Crossing")
  await site.owner.strategy(signal, ["BTC/USDT", "ETH/USDT"], {
    name: "<img src=x onerror=alert(1)>",
    buy_percentage: 30,
    sell_minprofitpercent: 2,
    stop_loss: true,
    stop_loss_percentage: 3,
    strategy_dca_switch: true,
    dca_aftertime: 0,
    dca_maxretries: 1,
    dca_percentagetrigger: 1,
    dca_ordersize: 50
  })
  const visitor = await stage.visit(site.base, site.token)
  const { page } = visitor
  const run = () => page.getByRole("button", { name: "Run back-test" }).click()
  const result = () => page.getByRole("heading", { name: "Result" }).waitFor()
  const file = (name: string, text: string | Uint8Array) => ({
    name,
    mimeType: "application/octet-stream",
    buffer: Buffer.from(text)
  })
  const tradesOf = async () =>
    Number(
      await page
        .locator(".figure", { has: page.locator("dt", { hasText: /^Trades$/ }) })
        .locator(".figure-value")
        .textContent()
    )

  const net = () =>
    page
      .locator(".figure", { has: page.locator("dt", { hasText: /^Net P&L$/ }) })
      .locator(".figure-value")
      .textContent()

  await steps.take("a missing value is reported beside its field", async () => {
    await at(visitor, PAGE)
    await page.getByLabel("Source").selectOption("file")
    await run()
    await page.getByText("choose a file or recorded prices").waitFor()
    await page.getByText("choose a file", { exact: true }).waitFor()
  })

  await steps.take("a back-test of recorded prices and a file of alerts shows its result", async () => {
    const markets = page.getByLabel("Add recorded prices")
    await markets.selectOption("binance:BTC/USDT:spot")
    await markets.selectOption("binance:ETH/USDT:spot")
    await page.getByLabel("Choose a file of alerts").setInputFiles(file("alerts.jsonl", alerts))
    await page.getByText("alerts.jsonl: 72 alerts").waitFor()
    await run()
    await result()
    must((await tradesOf()) > 0, "no trade was completed")
    await page.locator(".chart canvas").first().waitFor()
    await settled(page)
    return `${await tradesOf()} trades`
  })

  for (const colorScheme of ["light", "dark"] as const)
    await steps.check(`the result is accessible: ${colorScheme}`, async () => {
      await page.emulateMedia({ colorScheme })
      // The colours of buttons need a moment to change.
      await page.waitForTimeout(300)
      await sound(page)
    })

  await steps.check("the other market has its chart, and trades can be sorted", async () => {
    await page.getByLabel("Market", { exact: true }).selectOption({ index: 1 })
    await page.getByRole("img", { name: /Prices of ETH\/USDT/ }).waitFor()
    await page.getByRole("button", { name: /^P&L/ }).click()
    await page.locator("th[aria-sort=descending]", { hasText: "P&L" }).waitFor()
  })

  await steps.check("the page says when settings have changed since the run", async () => {
    await page.getByLabel("Starting balance").fill("500")
    await page.getByText("The settings have changed since").waitFor()
  })

  await steps.check(
    "fills nearer to life are folded away, and the result says with which values they were",
    async () => {
      const panel = page.getByRole("region", { name: "Fills nearer to life" })
      await panel.getByText("Off: each order fills whole").waitFor()
      must(!(await panel.getByLabel("Latency").isVisible()), "the panel is open at first")
      const before = await net()
      await panel.getByText("Slippage, spread, latency, limits and funding").click()
      await panel.getByLabel("Slippage (optional)").fill("11")
      await run()
      await panel.getByText("must be from 0 to 10").waitFor()
      await panel.getByLabel("Slippage (optional)").fill("0.2")
      await panel.getByLabel("Latency").fill("500")
      await panel.getByLabel("Limit orders").selectOption("through")
      await panel.getByText("On: the result says so").waitFor()
      await run()
      await page.getByText("--fills slippage=0.2%,latency=500ms,limits=through").waitFor()
      await settled(page)
      must((await net()) !== before, "the fills changed nothing")
      await sound(page)
    }
  )

  await steps.check("nothing is wider than the screen on a phone", async () => {
    await page.setViewportSize({ width: 360, height: 760 })
    await page.waitForTimeout(200)
    const width = Number(await page.evaluate("document.documentElement.scrollWidth"))
    must(width <= 360, `the page is ${width} wide`)
    const save = await page.getByRole("button", { name: "Save as strategy" }).boundingBox()
    must(save !== null && save.x >= 0, "a button is cut off")
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  await steps.check("a back-test of packed candle files and a list of trades shows its result", async () => {
    await page.reload()
    await at(visitor, PAGE)
    await page
      .getByLabel("Choose candle files")
      .setInputFiles([
        file("binance_BTCUSDT_1m.csv", wave(NEW_YEAR, 600)),
        file("ETHUSDT.csv.gz", Bun.gzipSync(wave(NEW_YEAR, 600)))
      ])
    // The next file is chosen while the first ones are still being read.
    await page.getByLabel("Source").selectOption("file")
    const list = readFileSync(join(import.meta.dir, "../backtests/list-of-trades.csv"), "utf8")
    await page.getByLabel("Choose a file of alerts").setInputFiles(file("trades.csv", list))
    const pairs = page.getByLabel("Pair", { exact: true })
    must((await pairs.nth(0).inputValue()) === "BTC/USDT", "the first file's name was not understood")
    must((await pairs.nth(1).inputValue()) === "ETH/USDT", "the second file's name was not understood")
    await page.getByText("a list of trades with 6 rows").waitFor()
    await page.getByText("read as UTC").waitFor()
    await run()
    await result()
    await page.getByText("Line 2: the trade was still open at the end of the list").waitFor()
    must((await tradesOf()) > 0, "no trade was completed")
  })

  await steps.check("the result is saved as a report that opens from disk", async () => {
    const waiting = page.waitForEvent("download")
    await page.getByRole("button", { name: "Save as HTML report" }).click()
    const saved = await waiting
    must(/^[a-z0-9-]+\.html$/.test(saved.suggestedFilename()), saved.suggestedFilename())
    const path = join(stage.folder, "saved.html")
    await saved.saveAs(path)
    const alone = await stage.visit("http://nowhere.invalid", undefined, { offline: true })
    await alone.page.goto(pathToFileURL(path).href)
    await alone.page.getByRole("table", { name: "Trades of the back-test" }).waitFor()
    await alone.page.getByRole("region", { name: "Equity" }).locator("canvas").first().waitFor()
    await alone.close()
  })

  await steps.check("an error from the server is shown beside its field", async () => {
    visitor.allow(422, /backtests$/)
    await page.getByLabel("Choose candle files").setInputFiles(file("SOLUSDT.csv", "1,2,3\n"))
    await run()
    await page.getByText("line 1: has 3 fields").waitFor()
    await page.getByText("correct the marked fields").waitFor()
    await page.getByRole("button", { name: "Remove SOLUSDT.csv" }).click()
  })

  await steps.check("a value out of bounds is not sent", async () => {
    await page.getByText("Change the settings").click()
    await page.getByLabel("Buy percentage").fill("101")
    await run()
    await page.getByText("must be from 0 to 100").waitFor()
    await page.getByLabel("Buy percentage").fill("25")
  })

  await steps.check("a running back-test can be stopped", async () => {
    // The request is held back, because the run may end before the button is found.
    await page.route("**/v1/dashboard/backtests", () => {})
    await run()
    await page.getByText(/^Running for/).waitFor()
    await page.getByRole("button", { name: "Stop" }).click()
    await page.getByText("Stopped.").waitFor()
    await page.unroute("**/v1/dashboard/backtests")
  })

  await steps.check("the copy becomes a strategy of its own that is switched off", async () => {
    await page.getByRole("button", { name: "Save as strategy" }).click()
    await page.getByLabel("Name").fill("Tried first")
    await page.getByRole("button", { name: "Create strategy" }).click()
    await page.getByRole("heading", { level: 1, name: "Tried first" }).waitFor()
    const answer = await fetch(`${site.base}/v1/strategies/2`, { headers: site.owner.headers })
    const made: unknown = await answer.json()
    const shown = JSON.stringify(made)
    must(shown.includes('"buy_percentage":25') && shown.includes('"active":false'), shown)
  })
}
export default suite
