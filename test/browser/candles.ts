// Settings, Candles: a download from a stub of Binance with its progress, its cancelling, its list and its removal.
import { KlineGateway } from "../exchanges/KlineGateway.ts"
import { token } from "../reliability/Program.ts"
import { must } from "../reliability/prices/until.ts"
import { at } from "./lib/places.ts"
import type { Suite } from "./lib/Stage.ts"
import { sound } from "./lib/sound.ts"

const PAGE = { address: "settings/candles", heading: "Settings" } as const

const suite: Suite = async (stage) => {
  const gateway = await KlineGateway.start()
  const args = ["--prices", "none", "--crud-rate", "0", "--exchange-urls", `binance=${gateway.url}`]
  const site = await stage.serve(args)
  const { steps } = stage
  const visitor = await stage.visit(site.base, site.token)
  const { page } = visitor
  const button = (name: string | RegExp) => page.getByRole("button", { name })
  const fill = async (pair: string, from: string, to: string) => {
    await page.getByLabel("Pair").fill(pair)
    await page.getByLabel("First day (UTC)").fill(from)
    await page.getByLabel("Last day (UTC)").fill(to)
  }

  await steps.take("a download shows its progress, is cancelled, and goes on to its end", async () => {
    await at(visitor, PAGE)
    await page.getByText("No candles are stored yet").waitFor()
    visitor.allow(422, /candles\/download$/)
    await fill("bitcoin", "2026-06-01", "2026-06-04")
    await button("Download").click()
    await page.getByText("must be a pair like BTC/USDT").waitFor()
    gateway.pace = 400
    await fill("btc/usdt", "2026-06-01", "2026-06-04")
    await button("Download").click()
    await page.getByText(/^\d+ %: [\d,]+ of 5,760 candles/).waitFor()
    await page.getByText(/about .* left$/).waitFor()
    await sound(page)
    await button("Cancel").click()
    await page.getByText(/was cancelled/).waitFor()
    gateway.pace = 0
    await button("Download").click()
    await page.getByText(/was downloaded/).waitFor()
    await page.getByText(/3 candles are missing at the exchange itself/).waitFor()
  })

  await steps.take("what is stored is listed with its holes, and removed after a confirmation", async () => {
    const row = page.getByRole("row", { name: /BTC\/USDT/ })
    await row.getByText("5,757").waitFor()
    await page.getByText("1 hole", { exact: true }).click()
    await page.getByText("2026-06-01 01:30 to 2026-06-01 01:32: 3 candles, the exchange has none").waitFor()
    await sound(page)
    const other = await stage.visit(site.base, await token(site.db, "bob", "full"))
    await at(other, PAGE)
    await other.page.getByText(/Only the operator/).waitFor()
    await other.page.getByRole("row", { name: /BTC\/USDT/ }).waitFor()
    must((await other.page.getByRole("button", { name: /Remove|Download/ }).count()) === 0, "bob may write")
    await button("Remove BTC/USDT on binance, 1m").click()
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
    await page.getByText("4 days removed.").waitFor()
    await page.getByText("No candles are stored yet").waitFor()
  })

  await steps.take("a download that fails says why", async () => {
    await fill("NOPE/USDT", "2026-06-01", "2026-06-01")
    await button("Download").click()
    await page.getByText(/does not list NOPE\/USDT/).waitFor()
  })
  await gateway.stop()
}

export default suite
