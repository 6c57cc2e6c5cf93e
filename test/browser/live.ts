// Real money on the dashboard at a stub of Binance: from the exchange's keys to the sale of the last coin.
import { join } from "node:path"
import * as Decimal from "../../src/domain/Decimal.ts"
import { Venue } from "../reliability/orders/Venue.ts"
import { command } from "../reliability/Program.ts"
import { must, until } from "../reliability/prices/until.ts"
import { at } from "./lib/places.ts"
import type { Site, Suite } from "./lib/Stage.ts"
import { sound } from "./lib/sound.ts"

const SOON_MS = 20_000
const SERVED = ["--crud-rate", "0", "--alert-rate", "0"]
/** A master key for this test alone. */
const MASTER_KEY = "7b".repeat(32)
const NAME = "Real & <b>earnest</b>"

const suite: Suite = async (stage) => {
  const { steps } = stage
  const venue = await Venue.start("binance")
  try {
    const { desk } = venue
    const env = {
      HOME: stage.folder,
      XDG_CONFIG_HOME: join(stage.folder, "config"),
      SIGNALBOX_MASTER_KEY: MASTER_KEY,
      SIGNALBOX_EXCHANGE_URLS: `binance=${venue.stub.url}`
    }
    const site = await stage.serve(SERVED, "live", env)
    const signal = await site.owner.signal("Real")
    const settings = {
      buy_percentage: 10,
      sell_minprofitpercent: 50,
      stop_loss: true,
      stop_loss_percentage: 20
    }
    const strategy = await site.owner.strategy(signal, ["BTC/USDT", "ETH/USDT"], { ...settings, name: NAME })
    await site.owner.strategy(signal, ["SOL/USDT"], { name: "Still on paper" })
    const visitor = await stage.visit(site.base, site.token)
    const { page } = visitor
    const button = (name: string | RegExp) => page.getByRole("button", { name })
    const strategyPage = (tab = "") => at(visitor, { address: `strategies/${strategy}${tab}`, heading: NAME })
    const ordered = () => desk.book.orders.length

    await steps.take("an account that the command connected appears in the settings", async () => {
      const { apiKey, secret } = desk.credentials
      const ended = await connect(site, env, `${apiKey}\n${secret}\n`)
      must(ended.exitCode === 0, ended.printed)
      await at(visitor, { address: "settings/accounts", heading: "Settings" })
      await button("Check now whether main works").click()
      await page.getByText("main works.").waitFor()
      await page.getByText("OK", { exact: true }).waitFor()
      for (const text of [await page.content(), ended.printed])
        must(!text.includes(apiKey) && !text.includes(secret), "keys are shown")
    })

    await steps.take("a strategy cannot be armed with more than the balance", async () => {
      visitor.allow(422, /\/arming$/)
      await strategyPage()
      await button(/^Trade with real money/).click()
      await page.getByLabel("Exchange account").selectOption({ label: "main: binance" })
      await page.getByLabel("Capital").fill("1000000")
      await page.getByLabel("Largest order").fill("500")
      await page.getByLabel("Daily loss limit").fill("50")
      await button("Continue").click()
      await page.locator("[name=capital]:focus").waitFor()
      const words = await page.locator(".field-error").textContent()
      visitor.allowNothing()
      return words ?? ""
    })

    await steps.take("arming shows its terms first, and needs the strategy's name", async () => {
      await page.getByLabel("Capital").fill("1000")
      await page.getByRole("switch", { name: /Keep the stop loss/ }).check()
      await button("Continue").click()
      const agreed = page.getByLabel("Type the strategy")
      await agreed.waitFor()
      const statement = (await page.locator(".statement").textContent()) ?? ""
      must(/1,?000/.test(statement) && statement.includes("main"), statement)
      must(ordered() === 0 && (await modeOf(site, strategy)) === "paper", "it is armed already")
      await sound(page)
      await agreed.fill(NAME)
      await button("Arm with real money").click()
      await page.getByText("LIVE", { exact: true }).first().waitFor()
      await page.getByText(/^Period 2, at the exchange/).waitFor()
      await page.getByText("1,000.00 USDT").first().waitFor()
      must((await modeOf(site, strategy)) === "live", "it is not armed")
      return statement
    })

    await steps.take("an alert becomes an order at the exchange, with its fills and a stop", async () => {
      await strategyPage("?tab=orders")
      await alert(site, signal, "BTC", "buy")
      await until("order at the exchange", () => ordered() > 0, SOON_MS)
      const row = page.getByRole("row").filter({ hasText: "Entry" })
      await row.getByText("filled", { exact: true }).waitFor({ timeout: SOON_MS })
      await row.getByText("live", { exact: true }).waitFor()
      await row.getByRole("button", { name: /, fills$/ }).click()
      const [order] = desk.book.orders
      await page.locator("code", { hasText: order?.ticket.clientId ?? "none" }).waitFor()
      must(
        (await page.getByRole("list", { name: "Fills" }).getByRole("listitem").count()) > 0,
        "no fill is listed"
      )
      await page.getByText("Stop at the exchange").waitFor({ timeout: SOON_MS })
      await page.getByText("Protective stop").waitFor({ timeout: SOON_MS })
      await sound(page)
    })

    await steps.take("real money is never added up with paper", async () => {
      await at(visitor, { address: "", heading: "Overview" })
      await page.getByRole("tab", { name: "USDT at main", selected: true }).waitFor()
      const figure = () =>
        page.locator(".figure", { hasText: "Equity" }).first().locator(".figure-value").textContent()
      const live = (await figure()) ?? ""
      must(/^(99\d|1,00\d)\./.test(live), `at the exchange there are ${live}`)
      await page.getByRole("tab", { name: "USDT on paper" }).click()
      must((await figure()) === "10,000.00 USDT", `on paper there are ${await figure()}`)
      await at(visitor, { address: "strategies", heading: "Strategies" })
      must((await page.getByText("LIVE", { exact: true }).count()) === 1, "the paper one is called live")
    })

    await steps.take("one press halts entries until the halt is ended", async () => {
      await at(visitor, { address: "", heading: "Overview" })
      const before = ordered()
      await button("Halt entries").click()
      const banner = page.getByRole("region", { name: "Entries are halted" })
      await banner.waitFor()
      await strategyPage()
      await banner.waitFor()
      await alert(site, signal, "ETH", "buy")
      await page
        .getByText(/entries are halted/)
        .first()
        .waitFor({ timeout: SOON_MS })
      must(ordered() === before, "an order was sent")
      await banner.getByRole("button", { name: "Resume" }).click()
      await banner.getByRole("button", { name: "Resume entries" }).click()
      await banner.waitFor({ state: "detached" })
      await alert(site, signal, "ETH", "buy")
      await until("order after the halt", () => ordered() > before, SOON_MS)
      await page.getByRole("row").filter({ hasText: "ETH/USDT" }).first().waitFor({ timeout: SOON_MS })
    })

    await steps.take("a halt by the command appears on the page too", async () => {
      const halted = await run(site, env, ["halt"])
      must(halted.exitCode === 0, halted.printed)
      const banner = page.getByRole("region", { name: "Entries are halted" })
      await banner.waitFor({ timeout: SOON_MS })
      await banner.getByRole("button", { name: "Resume" }).click()
      await banner.getByRole("button", { name: "Resume entries" }).click()
      await banner.waitFor({ state: "detached" })
    })

    await steps.take("an account in use cannot be removed", async () => {
      visitor.allow(409, /\/exchange-accounts\/\d+$/)
      await at(visitor, { address: "settings/accounts", heading: "Settings" })
      await page.getByRole("link", { name: `Strategy ${strategy}` }).waitFor()
      await button("Remove main").click()
      await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
      await page
        .getByRole("dialog")
        .getByRole("alert")
        .getByText(/disarm/)
        .waitFor()
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
      visitor.allowNothing()
    })

    await steps.take("disarming sells the position, and the results of real money stay apart", async () => {
      await strategyPage("?tab=trades")
      await button("Disarm and close now").click()
      await page.getByRole("dialog").getByRole("button", { name: "Disarm and close" }).click()
      const isSold = () =>
        ["BTC", "ETH"].every((coin) => Decimal.toNumber(desk.book.funds.total(coin)) < 1e-3) &&
        desk.book.orders.every(({ isDone }) => isDone)
      await until("everything sold", isSold, SOON_MS)
      await page.getByText("on paper", { exact: true }).first().waitFor({ timeout: SOON_MS })
      await page.getByText(/^Period 3, on paper/).waitFor({ timeout: SOON_MS })
      await page.getByText(/of all 3 periods/).waitFor()
      const rows = page.getByRole("row").filter({ hasText: "live" })
      await until("two trades told as live", async () => (await rows.count()) === 2, SOON_MS)
      await page.getByText("10,000.00 USDT").first().waitFor()
      await sound(page)
    })

    await steps.take("the account is removed with its keys", async () => {
      await at(visitor, { address: "settings/accounts", heading: "Settings" })
      await button("Remove main").click()
      await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
      await page.getByText("No account is connected yet").waitFor()
    })
  } finally {
    await venue.stop()
  }
}
export default suite

type Environment = Readonly<Record<string, string>>

/** Runs a command beside the server, with secrets on standard input only. */
const run = async (site: Site, env: Environment, args: ReadonlyArray<string>, input = "") => {
  const { exitCode, stderr, stdout } = await command([...args, "--db", site.db], {
    ...{ env, input },
    signal: AbortSignal.timeout(30_000)
  })
  return { exitCode, printed: stdout + stderr }
}

const connect = (site: Site, env: Environment, input: string) =>
  run(site, env, ["account", "connect", "binance", "--name", "main"], input)

const modeOf = async ({ base, owner }: Site, strategy: number): Promise<string> => {
  const answer = await fetch(`${base}/v1/strategies/${strategy}/arming`, { headers: owner.headers })
  const { mode }: { readonly mode?: unknown } = JSON.parse(await answer.text())
  return String(mode)
}

const alert = async ({ owner, served }: Site, signal: number, coin: string, type: string): Promise<void> => {
  const body = new URLSearchParams({ signal_id: `${signal}`, coin, quote_currency: "USDT", type })
  const answer = await served.fetch("/v1/signals/alert", {
    method: "POST",
    headers: owner.headers,
    body
  })
  must(answer.ok, `the alert was answered ${answer.status}`)
}
