// Settings for following a chart: the rows of the steps in the form, and the page of a position that was sold in part.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { BrowserContextOptions } from "playwright-core"
import { must, until } from "../reliability/prices/until.ts"
import { at } from "./lib/places.ts"
import { type Minute, recorded } from "./lib/replay.ts"
import type { Site, Suite } from "./lib/Stage.ts"
import { sound } from "./lib/sound.ts"
import type { Visitor } from "./lib/Visitor.ts"

const PICTURES = join(import.meta.dir, "../../dist/browser")
const STEPS = [
  { profit_percent: 2, close_percent: 40 },
  { profit_percent: 4, close_percent: 30 },
  { profit_percent: 8, close_percent: 30 }
]
const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { viewport: { width: 1280, height: 1240 }, colorScheme: "light" },
  dark: { viewport: { width: 1280, height: 1240 }, colorScheme: "dark" },
  phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }
}

/** An hour at 17,000, a rise of 3 %, and a long time there. */
const minutes: ReadonlyArray<Minute> = Array.from({ length: 4000 }, (_, index) => {
  const price = index < 20 ? 17_000 : Math.min(17_510, 17_000 + (index - 20) * 51)
  return [1_790_000_000_000 + index * 60_000, price, price + 4, price - 4, price, 1]
})

const suite: Suite = async (stage) => {
  const { steps } = stage
  mkdirSync(PICTURES, { recursive: true })
  const prices = recorded(stage.folder, minutes, "binance")
  const served = [
    "--prices",
    `replay:${prices}`,
    "--replay-speed",
    "120",
    "--crud-rate",
    "0",
    "--alert-rate",
    "0"
  ]
  const site = await stage.serve(served)
  const signal = await site.owner.signal("Chart")
  const settings = {
    name: "In steps",
    buy_percentage: 50,
    ...{ take_profit_steps: STEPS, break_even_after: 2, stop_loss: true, stop_loss_percentage: 4 }
  }
  const strategy = await site.owner.strategy(signal, ["BTC/USDT"], settings)
  const visitor = await stage.visit(site.base, site.token)
  const { page } = visitor
  const field = (name: string) => page.locator(`[name="${name}"]`)
  const step = (index: number, name: string) => field(`take_profit_steps[${index}].${name}`)

  await steps.take("steps are rows that are added and removed, with their sum and a sentence", async () => {
    await at(visitor, { address: "strategies/new", heading: /./ })
    const total = page.locator(".step-total [role=status]")
    must((await total.textContent())?.startsWith("No steps") === true, "there are steps at first")
    for (const [index, { close_percent, profit_percent }] of STEPS.entries()) {
      await page.getByRole("button", { name: "Add a step" }).click()
      await step(index, "close_percent").fill(String(close_percent))
      await step(index, "profit_percent").fill(String(profit_percent))
    }
    await field("break_even_after").fill("1")
    must((await total.textContent())?.includes("100 %, the whole position") === true, "the sum is not 100 %")
    const said = (await page.locator(".statement").textContent()) ?? ""
    const expected =
      "Sells 40 % at 2 %, 30 % at 4 % and the rest at 8 % profit; after the first step the stop moves to break even"
    must(said.includes(expected), said)
    await page.getByRole("button", { name: "Remove step 3" }).click()
    must((await total.textContent())?.includes("Together: 70 %") === true, "the sum is not 70 %")
  })

  await steps.take("an error of a step is shown beside its number", async () => {
    await step(1, "profit_percent").fill("1")
    await page.locator('[name="take_profit_steps[1].profit_percent"][aria-invalid=true]').waitFor()
    await page.getByText("must be above that of the step before").first().waitFor()
    await step(1, "profit_percent").fill("4")
    await field("break_even_after").fill("3")
    await page.getByText("must be at most 2, the number of steps").first().waitFor()
  })

  await steps.take("a part is sold at the first step", async () => {
    await until("a price", () => alerted(site, signal), 20_000)
    await until("the first step", async () => (await exitsOf(site, strategy)) === 1, 60_000)
  })

  for (const [look, options] of Object.entries(LOOKS)) {
    await steps.check(`the page of a position sold in part, ${look}`, async () => {
      const other = await stage.visit(site.base, site.token, options)
      await at(other, { address: `strategies/${strategy}`, heading: "In steps" })
      await other.page.getByText("Step 2 of 3").first().waitFor()
      await other.page.getByText("Step 3 of 3").first().waitFor()
      await other.page
        .getByText(/40 % of the position: step 1 of 3 at 2 % profit/)
        .first()
        .waitFor()
      await pictured(other, `following-page-${look}`)
      await at(other, { address: `strategies/${strategy}/edit`, heading: /./ })
      await other.page.locator('[name="take_profit_steps[2].close_percent"]').scrollIntoViewIfNeeded()
      await pictured(other, `following-form-${look}`)
      await other.close()
    })
  }
}
export default suite

/** Nothing is wrong with the page, and a picture of it is taken. */
const pictured = async (visitor: Visitor, name: string): Promise<void> => {
  // Charts draw in the next frame.
  await visitor.page.waitForTimeout(600)
  await visitor.page.screenshot({ path: join(PICTURES, `${name}.png`), animations: "disabled" })
  await sound(visitor.page)
}

const alerted = async (site: Site, signal: number): Promise<boolean> => {
  const body = JSON.stringify({ signal_id: signal, type: "buy", coin: "BTC", quote_currency: "USDT" })
  const headers = { ...site.owner.headers, "content-type": "application/json" }
  const answer = await fetch(`${site.base}/v1/signals/alert`, { method: "POST", headers, body })
  return answer.ok
}

const exitsOf = async (site: Site, strategy: number): Promise<number> => {
  const address = `${site.base}/v1/dashboard/strategies/${strategy}`
  const answer = await fetch(address, { headers: site.owner.headers })
  const board: { readonly positions: ReadonlyArray<{ readonly exits: number }> } = JSON.parse(
    await answer.text()
  )
  return board.positions[0]?.exits ?? 0
}
