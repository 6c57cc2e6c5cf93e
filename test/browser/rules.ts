// A new user's rule, with nothing from outside but an exchange: made from a template, tried on downloaded candles, seen on the
// chart, and then at work on paper, where it buys and sells. The exchange is a stand-in, whose price moves as it is told.
import type { Locator } from "playwright-core"
import { must } from "../reliability/prices/until.ts"
import { MinuteMarket } from "./lib/MinuteMarket.ts"
import { at, settled } from "./lib/places.ts"
import type { Suite } from "./lib/Stage.ts"
import { sound } from "./lib/sound.ts"

/** The longest wait for a download or a back-test. */
const PATIENCE_MS = 60_000
/** The longest wait for what an exchange is asked for. */
const SOON_MS = 20_000
/** The longest wait for a rule: a candle of a minute, and until it is looked at. */
const CANDLE_MS = 80_000
/** How far the price moves: up enough to cross the average, then down through it, and not as far as the rule's stop. */
const RISE = 120
const FALL = 70

const suite: Suite = async (stage) => {
  const { steps } = stage
  const market = await MinuteMarket.open()
  const args = ["--crud-rate", "0", "--exchange-urls", `binance=${market.stub.url}`]
  const site = await stage.serve(args)
  const visitor = await stage.visit(site.base, site.token)
  const { page } = visitor
  const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor()
  const button = (name: string | RegExp) => page.getByRole("button", { name })

  try {
    await steps.take(
      "a template makes a rule, and each condition is in words while it is written",
      async () => {
        await at(visitor, { address: "signals/new", heading: "New signal" })
        await page.getByLabel("Name", { exact: true }).fill("Minutes crossing")
        await page.getByLabel("A rule of its own").check()
        await page.getByLabel("Begin with").selectOption({ label: "Moving averages crossing" })
        await page.getByLabel("Candles").selectOption("1m")
        await page.getByLabel("Numbers").fill("fast = 1, slow = 2")
        await page.getByText(/crosses above the exponential average of the close over 2 candles/).waitFor()
        await sound(page)
        await page.getByLabel("Targets in steps").first().fill("50 of nothing")
        await page.getByText(/step 1: write it as 50 % at/).waitFor()
        await page.getByLabel("Targets in steps").first().fill("")
        await button("Create signal").click()
        await heading("Minutes crossing")
      }
    )

    await steps.take("a server that has stored nothing yet draws the exchange's candles", async () => {
      const panel = page.getByRole("region", { name: "Rule on the chart" })
      await panel
        .getByText(/^The exchange's candles, since too few are stored here/)
        .waitFor({ timeout: SOON_MS })
      await panel
        .getByRole("img", { name: /with 3 lines of the rule and \d+ places where it fires/ })
        .waitFor()
      await sound(page)
    })

    await steps.take(
      "one click downloads what is missing, and says what the rule would have done",
      async () => {
        await page.getByRole("heading", { name: "What would this have done?" }).waitFor()
        await button(/^Download \d+ days$/).click()
        await page.getByRole("heading", { name: "Result" }).waitFor({ timeout: PATIENCE_MS })
        const alerts = page.getByRole("table", { name: "Alerts of the rule" })
        await alerts
          .getByText(/ema\(close, fast\)/)
          .first()
          .waitFor()
        await page
          .getByRole("region", { name: "Completed trades" })
          .getByText("Net P&L", { exact: true })
          .first()
          .waitFor()
        await sound(page)
        return (await page.getByText(/^Rule of the request/).textContent())?.slice(0, 100)
      }
    )

    await steps.take(
      "the chart has the lines of the rule, and says where it fires and by which values",
      async () => {
        await page.reload()
        await heading("Minutes crossing")
        const panel = page.getByRole("region", { name: "Rule on the chart" })
        await panel
          .getByRole("img", { name: /with 3 lines of the rule and \d+ places where it fires/ })
          .waitFor()
        await panel.getByText(/The rule fires \d+ times here/).waitFor()
        const values = panel.getByRole("table", { name: "Values of the rule at present" })
        await values.getByText("ema(close, slow)").first().waitFor()
        await settled(page)
        await sound(page)
        await button(/^Try it on the last \d+ days?$/).click()
        await page.getByRole("heading", { name: "Result" }).waitFor({ timeout: PATIENCE_MS })
        must((await button(/^Download/).count()) === 0, "there is still a button to download")
      }
    )

    await steps.take("a strategy follows the rule on paper", async () => {
      await page.getByRole("link", { name: "create one" }).click()
      await heading("New strategy")
      await page.locator('[name="name"]').fill("By the rule")
      await page.locator('[name="sell_minprofitpercent"]').fill("")
      await page.getByLabel(/^Find pairs on /).fill("BTC")
      await page.getByRole("button", { name: "BTC/USDT", exact: true }).click()
      await button("Create strategy").click()
      await heading("By the rule")
      await page.getByText("Nothing is open now").waitFor()
    })

    await steps.take("the rule buys as the price crosses the average, with its stop", async () => {
      market.move(market.price + RISE)
      const positions = page.getByRole("table", { name: "Open positions" })
      await positions.getByText("BTC/USDT").first().waitFor({ timeout: CANDLE_MS })
      market.move(market.price - FALL)
      await settled(page)
      return (await positions.getByRole("row").nth(1).textContent())?.trim().slice(0, 110)
    })

    await steps.take(
      "its alert has the candle, the values that raised it, and what became of it",
      async () => {
        await page.getByRole("link", { name: "Alerts", exact: true }).click()
        await heading("Alerts")
        const alerts = page.getByRole("table", { name: "Received alerts" })
        await alerts.getByText("acted").first().waitFor()
        await alerts
          .getByRole("button", { name: /details/ })
          .first()
          .click()
        const received = page.getByRole("region", { name: "As received" })
        await received.getByText(/^Raised by on\[0\], version 1 of the rule, as the 1m candle/).waitFor()
        await received.getByText(/^By the signal's own rule, alert 1\./).waitFor()
        const values = received.getByRole("table", { name: "Values that decided" })
        const [fast = Number.NaN, slow = Number.NaN] = await Promise.all(
          ["ema(close, fast)", "ema(close, slow)"].map((part) => numberOf(values, part))
        )
        must(fast > slow, `the fast average was ${fast}, and the slow one ${slow}`)
        const done = page.getByRole("region", { name: "What strategies did" })
        await done.getByText("By the rule").waitFor()
        await sound(page)
        return (await received.getByText(/^Raised by/).textContent())?.trim()
      }
    )

    await steps.take("the rule sells as it crosses back, and the trade says so", async () => {
      await page.getByRole("link", { name: "Trades", exact: true }).click()
      await heading("Trades")
      const row = page.locator("table tbody tr").first()
      await row.getByText("Closing alert").waitFor({ timeout: CANDLE_MS })
      return (await row.textContent())?.trim().slice(0, 110)
    })

    await steps.check("nothing came from outside: two alerts, both of the rule, each once", async () => {
      const answer = await fetch(`${site.base}/v1/dashboard/alerts?limit=10`, { headers: site.owner.headers })
      const { data }: { readonly data: ReadonlyArray<Incoming> } = JSON.parse(await answer.text())
      const found = data.map(({ door, rule, type }) => [type, door, rule?.by])
      must(
        Bun.deepEquals(found, [
          ["sell", "rule", "on[1]"],
          ["buy", "rule", "on[0]"]
        ]),
        JSON.stringify(found)
      )
    })
  } finally {
    await market.close()
  }
}

export default suite

interface Incoming {
  readonly type: string
  readonly door: string
  readonly rule?: { readonly by: string }
}

/** The value beside a part of a condition. */
const numberOf = async (values: Locator, part: string): Promise<number> => {
  const row = values.getByRole("row").filter({ hasText: part })
  return Number((await row.locator(".number").textContent())?.replaceAll(",", ""))
}
