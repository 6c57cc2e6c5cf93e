// A new user's rule, with nothing from outside but an exchange: made from a template, tried on downloaded candles, and seen
// on the chart. The exchange is a stand-in.
import { must } from "../reliability/prices/until.ts"
import { MinuteMarket } from "./lib/MinuteMarket.ts"
import { at, settled } from "./lib/places.ts"
import type { Suite } from "./lib/Stage.ts"
import { sound } from "./lib/sound.ts"

/** The longest wait for a download or a back-test. */
const PATIENCE_MS = 60_000

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
  } finally {
    await market.close()
  }
}

export default suite
