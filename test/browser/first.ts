// The first ten minutes in the browser: from a token and an empty account to the first trade, on replayed prices.
import { must, until } from "../reliability/prices/until.ts"
import { copied } from "./lib/copied.ts"
import { recorded } from "./lib/replay.ts"
import type { Suite } from "./lib/Stage.ts"
import { inWords } from "./lib/Steps.ts"
import { phase, SETTINGS, waves } from "./lib/wave.ts"

/** The server's clock follows the prices. */
const BEGINS = Date.UTC(2026, 0, 5, 9, 0)
const SPEED = 60
const HEARD_MS = 20_000

const suite: Suite = async (stage) => {
  const { steps } = stage
  const prices = recorded(stage.folder, waves(BEGINS, 90))
  // The usual limits apply, because the page must work with them.
  const site = await stage.serve(["--prices", `replay:${prices}`, "--replay-speed", `${SPEED}`])
  const visitor = await stage.visit(site.base, undefined, {
    permissions: ["clipboard-read", "clipboard-write"]
  })
  const { page } = visitor
  const began = performance.now()
  const pasted = { url: "", message: "" }
  const get = async (path: string) => {
    const answer = await fetch(site.base + path, { headers: site.owner.headers })
    must(answer.ok, `${path} was answered ${answer.status}`)
    return answer.text()
  }
  const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor()

  await steps.take("signing in leads to the first steps", async () => {
    await visitor.go()
    await page.getByLabel("Token").fill(site.token)
    await page.getByRole("button", { name: "Sign in" }).click()
    await heading("Overview")
    await page.getByRole("heading", { name: "First steps" }).waitFor()
  })

  await steps.take("a new user creates a signal", async () => {
    await page.getByRole("link", { name: "Create a signal" }).click()
    await heading("New signal")
    await page.getByLabel("Name").fill("Trend, 15 minutes")
    await page.getByLabel("Description").fill("Crossing averages")
    await page.getByRole("button", { name: "Create signal" }).click()
    await heading("Trend, 15 minutes")
  })

  await steps.take("the webhook address and a message are copied", async () => {
    await page.getByRole("button", { name: "Make a webhook address" }).click()
    pasted.url = await copied(page, "Webhook address")
    must(pasted.url.startsWith(`${site.base}/v1/signals/charting?key=`), `copied: ${pasted.url}`)
    pasted.message = await copied(page, /^buy: /)
    must(/"type":\s*"buy"/.test(pasted.message) && pasted.message.includes("{{ticker}}"), pasted.message)
    await visitor.page.reload()
    await heading("Trend, 15 minutes")
    const text = String(await page.evaluate("document.body.textContent"))
    must(!text.includes(new URL(pasted.url).searchParams.get("key") ?? "?"), "the token is shown again")
  })

  await steps.take("a test alert says that nobody follows, and changes nothing", async () => {
    await page.getByRole("button", { name: "Test it" }).click()
    await page
      .getByText(/no .*strategy.*follows|nobody follows/i)
      .first()
      .waitFor()
    must(JSON.parse(await get("/v1/alerts")).data.length === 0, "an alert was stored")
  })

  await steps.take("a new user creates a strategy with DCA, a trail and a stop", async () => {
    await page.getByRole("link", { name: "Strategies" }).click()
    await heading("Strategies")
    await page
      .getByRole("link", { name: /^(new|create a) strategy$/i })
      .first()
      .click()
    await heading("New strategy")
    await page.locator('[name="name"]').fill("Averages in, trail out")
    await page.locator('[name="buy_percentage"]').fill("20")
    await page.locator('[name="sell_minprofitpercent"]').fill("")
    await page.locator('[name="default_exchange_name"]').selectOption("bybit")
    await page.getByRole("button", { name: "Remove binance" }).click()
    await page.getByLabel("Another exchange").selectOption("bybit")
    await page.getByRole("button", { name: "Add", exact: true }).click()
    await page.getByLabel("Find pairs on bybit").fill("BTC")
    await page.getByRole("button", { name: "BTC/USDT", exact: true }).click()
    await page.locator('select[name="signal_id"]').selectOption({ label: "Trend, 15 minutes" })
    for (const name of ["strategy_dca_switch", "trailing_sell", "stop_loss"])
      await page.locator(`[name="${name}"]`).check()
    for (const [name, value] of Object.entries(SETTINGS))
      await page.locator(`[name="${name}"]`).fill(`${value}`)
    await page.getByRole("button", { name: "Create strategy" }).click()
    await heading("Averages in, trail out")
    await page.getByText("Nothing is open now").waitFor()
  })

  await steps.take("a test alert tells what the strategy would do, and changes nothing", async () => {
    await page.getByRole("link", { name: "Trend, 15 minutes" }).first().click()
    await heading("Trend, 15 minutes")
    await page.getByRole("button", { name: "Test it" }).click()
    await page.getByRole("link", { name: "Averages in, trail out" }).first().waitFor()
    // Between two minutes of a replay no price is fresh, and the alert would wait for the next one.
    const told = page.getByText(/BTC\/USDT at 1[67]\d{3}|waits for a fresh price/).first()
    await told.waitFor()
    must(JSON.parse(await get("/v1/alerts")).data.length === 0, "an alert was stored")
    must(JSON.parse(await get("/v1/dashboard/overview")).positions_total === 0, "something was bought")
    return (await told.textContent())?.trim().slice(0, 90)
  })

  await steps.take("the pasted alert opens a position, which appears by itself", async () => {
    await page.getByRole("link", { name: "Strategies" }).click()
    await page.getByRole("link", { name: "Averages in, trail out" }).first().click()
    await heading("Averages in, trail out")
    await page.getByText("Nothing is open now").waitFor()
    // The alert comes early in a wave, so that a slow machine still shows the levels before the DCA buy.
    const isTime = async () => {
      const { now } = JSON.parse(await get("/v1/dashboard/overview"))
      return phase(now * 1000, BEGINS) < 0.5
    }
    const waited = await until("time to buy", isTime, 60_000, 100)
    const { now } = JSON.parse(await get("/v1/dashboard/overview"))
    const message = pasted.message
      .replace("{{ticker}}", "BTCUSDT")
      .replace("{{timenow}}", new Date(now * 1000).toISOString())
    const sent = performance.now()
    const answer = await fetch(pasted.url, {
      method: "POST",
      headers: { "content-type": "text/plain" },
      body: message,
      keepalive: false
    })
    must(answer.ok, `the webhook answered ${answer.status}: ${await answer.text()}`)
    const row = page.getByRole("table", { name: "Open positions" }).getByText("BTC/USDT").first()
    await row.waitFor({ timeout: HEARD_MS })
    return `${inWords(performance.now() - sent)} after the alert (the moment to buy was waited for ${inWords(waited)})`
  })

  await steps.take("the position's levels are listed and drawn on the chart", async () => {
    const levels = page.getByRole("list", { name: "What BTC/USDT waits for" })
    for (const rule of ["Stop loss", "Next DCA"]) await levels.getByText(rule).waitFor()
    const chart = page.getByRole("img", { name: /^Prices of BTC\/USDT on bybit/ })
    await chart.waitFor()
    const words = (await chart.getAttribute("aria-label")) ?? ""
    must(Number(/(\d+) levels?/.exec(words)?.[1]) >= 3, words)
    await page.locator("canvas").first().waitFor()
    return words
  })

  await steps.take("the strategy buys more when the price falls, and sells on its trail", async () => {
    const timeline = page.getByRole("region", { name: "Timeline" })
    const sentence = timeline.getByText(/^Ordered to sell/).first()
    await sentence.waitFor({ timeout: HEARD_MS })
    await page.getByText("Nothing is open now").waitFor()
    const lines = (await timeline.getByRole("listitem").allTextContents()).join("\n")
    must(/DCA|again/i.test(lines), `no second entry: ${lines}`)
    must(/trail|peak/i.test(lines), `no trail: ${lines}`)
    return (await sentence.textContent())?.trim().slice(0, 140)
  })

  await steps.take("performance, equity and trade are shown as the API has them", async () => {
    const { performance: done } = JSON.parse(await get("/v1/strategies/1"))
    must(done.summary.trade_count === 1 && done.summary.net_pnl > 0, JSON.stringify(done.summary))
    await page.getByRole("img", { name: /^Equity from .*, deepest drawdown/ }).waitFor()
    await page.getByRole("tab", { name: "Trades" }).click()
    const trades = page.getByRole("table", { name: "Completed trades", exact: true })
    await trades.getByText("Trailing sell").waitFor()
    must((await trades.getByRole("row").count()) === 2, "there are more trades")
    return `net ${done.summary.net_pnl.toFixed(2)} USDT`
  })

  await steps.take("the downloaded CSV equals the API's", async () => {
    const coming = page.waitForEvent("download")
    await page.getByRole("link", { name: "Download as CSV" }).click()
    const download = await coming
    const file = await Bun.file(await download.path()).text()
    must(file === (await get("/v1/dashboard/strategies/1/trades.csv")), `downloaded: ${file}`)
    must(file.trim().split("\n").length === 2 && file.includes("trailing_sell"), file)
    must(/\.csv$/.test(download.suggestedFilename()), download.suggestedFilename())
    return download.suggestedFilename()
  })

  await steps.take("the alert is listed with its outcome, and its body without the token", async () => {
    await page.getByRole("link", { name: "Alerts", exact: true }).click()
    await heading("Alerts")
    const list = page.getByRole("table", { name: "Received alerts" })
    await list.getByText("acted").first().waitFor()
    await list
      .getByRole("button", { name: /details/ })
      .first()
      .click()
    await page.getByText('"BTCUSDT"').first().waitFor()
    const key = new URL(pasted.url).searchParams.get("key") ?? "?"
    must(!String(await page.evaluate("document.body.textContent")).includes(key), "the token is shown")
  })

  await steps.take("the alert leads to its order, and the order to its trade", async () => {
    const [trade] = JSON.parse(await get("/v1/dashboard/trades")).data
    await page.getByRole("link", { name: "its order, price and trade" }).click()
    const line = page.getByRole("region", { name: "Orders" }).getByText(/^Its trade: in at/)
    await line.waitFor()
    const text = String(await line.textContent())
    must(text.includes(`${trade.profit_pct.toFixed(2)} %`), `${text} is not ${JSON.stringify(trade)}`)
    await line.getByRole("link", { name: "Its trade" }).click()
    await page.getByRole("table", { name: "Trades of all strategies" }).getByText("Trailing sell").waitFor()
    return text
  })

  await steps.take(
    "a strategy's page that is opened directly shows times by the server's clock",
    async () => {
      await page.goto("about:blank")
      await visitor.go("strategies/1")
      await heading("Averages in, trail out")
      const made =
        (await page
          .getByText(/^Created /)
          .first()
          .textContent()) ?? ""
      must(/^Created (just now|[^,]* ago), changed (just now|[^,]* ago)/.test(made), made)
      return made
    }
  )

  await steps.take("clicking quickly through all pages meets no limit", async () => {
    for (let round = 0; round < 3; round++)
      for (const name of ["Signals", "Strategies", "Alerts", "Back-test", "Settings", "Overview"]) {
        await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name }).click()
        await heading(name)
      }
    for (let round = 0; round < 3; round++)
      for (const address of ["settings/tokens", "settings/notifications", "signals/1/edit", "signals/1"])
        await visitor.go(address)
    await heading("Trend, 15 minutes")
    await page.getByRole("button", { name: "Test it" }).waitFor()
  })

  await steps.check("a new user reaches the first trade within ten minutes", async () => {
    const took = performance.now() - began
    must(took < 600_000, `it took ${inWords(took)}`)
    return `${inWords(took)} from the sign-in; nothing had to wait for the limits`
  })
}
export default suite
