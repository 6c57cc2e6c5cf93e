// The settings pages: changes take effect on the server, and secrets are shown once.
import { existsSync, readdirSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { addressOf } from "../lib/postgres/Runner.ts"
import { token } from "../reliability/Program.ts"
import { must } from "../reliability/prices/until.ts"
import { at } from "./lib/places.ts"
import { Receiver } from "./lib/Receiver.ts"
import type { Site, Suite } from "./lib/Stage.ts"
import { sound } from "./lib/sound.ts"
import type { Visitor } from "./lib/Visitor.ts"

const SERVED = ["--prices", "none", "--crud-rate", "0", "--alert-rate", "0", "--allow-private-targets"]

const suite: Suite = async (stage) => {
  const site = await stage.serve(SERVED)
  const { steps } = stage
  const visitor = await stage.visit(site.base, site.token, {
    permissions: ["clipboard-read", "clipboard-write"]
  })
  const { page } = visitor
  const button = (name: string | RegExp) => page.getByRole("button", { name })
  const section = (name: string) => at(visitor, { address: `settings/${name}`, heading: "Settings" })
  const status = async (path: string, key: string) =>
    (await fetch(site.base + path, { headers: { authorization: `Bearer ${key}` } })).status

  await steps.take("a new token is shown once, copied, and accepted", async () => {
    await section("tokens")
    await page.getByRole("radio", { name: /^full/ }).check()
    await page.getByLabel("Expires").selectOption("own")
    await page.getByLabel("Days").fill("a week")
    await button("Create token").click()
    await page.getByText("must be a whole number of days").waitFor()
    visitor.allow(422, /^\/v1\/(tokens|notifications)$/)
    await page.getByLabel("Days").fill("4000")
    await button("Create token").click()
    await page.getByText(/whole number from 1 to/).waitFor()
    await page.getByLabel("Days").fill("7")
    await button("Create token").click()
    await page.getByRole("heading", { name: "Token 2 is created" }).waitFor()
    await button("Copy").click()
    await button(/^Copied$/).waitFor()
    const copied = String(await page.evaluate("navigator.clipboard.readText()"))
    must((await status("/v1/signals", copied)) === 200, "it is not let in")
    await button("I have copied it").click()
    await page.reload()
    await row(visitor, "Token 2").waitFor()
    must(!(await page.content()).includes(copied), "the secret is shown again")

    await row(visitor, "Token 2").getByRole("button", { name: "Revoke token 2" }).click()
    await button("Cancel").click()
    must((await status("/v1/signals", copied)) === 200, "it is revoked by a cancelled question")
    await row(visitor, "Token 2").getByRole("button", { name: "Revoke token 2" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click()
    await row(visitor, "Token 2").waitFor({ state: "detached" })
    must((await status("/v1/signals", copied)) === 401, "it is let in after it was revoked")
  })

  await steps.take(
    "a market that is switched off by keyboard takes no strategy until it is on again",
    async () => {
      await section("exchanges")
      await page.getByLabel("Find a market").fill("btc/usdt")
      const toggle = page.getByRole("switch", { name: "strategies may use BTC/USDT spot" })
      await page.getByText(/^\d markets?\.$/).waitFor()
      await toggle.focus()
      await page.keyboard.press("Space")
      await page.getByText("BTC/USDT spot on binance: off.").waitFor()
      const refused = await refusal(site)
      must(/not active on binance/.test(refused), `it was made all the same: ${refused}`)
      await page.reload()
      must(!(await toggle.isChecked()), "it is on after a reload")
      await toggle.check()
      await page.getByText("BTC/USDT spot on binance: on.").waitFor()
      must((await refusal(site)) === "", "it is refused all the same")

      await page.getByRole("switch", { name: "bots may buy on BTC/USDT spot" }).uncheck()
      await page.getByText("on, but closed for buying").waitFor()
      must(/not enabled for buying/.test(await refusal(site)), "it was made all the same")
      await page.getByRole("switch", { name: "bots may buy on BTC/USDT spot" }).check()
      // The previous message may still be visible.
      await page.getByText("BTC/USDT spot on binance: on.").last().waitFor()
      return /"detail":"([^"]*)"/.exec(refused)?.[1]
    }
  )

  await steps.take("switching an exchange off needs a confirmation", async () => {
    await section("exchanges")
    const toggle = page.getByRole("switch", { name: "strategies may use binance" })
    await toggle.click()
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
    must(await toggle.isChecked(), "it is off without an answer")
    await toggle.click()
    await sound(page)
    await page.getByRole("dialog").getByRole("button", { name: "Switch off" }).click()
    await page.getByText("binance is off.").waitFor()
    must(/not active at the moment/.test(await refusal(site)), "a strategy was made all the same")
    // The page requests the list again after the answer.
    await page.getByRole("switch", { name: "strategies may use binance", checked: false }).waitFor()
    await toggle.check()
    await page.getByText("binance is on: strategies may use it again.").waitFor()
  })

  await steps.take(
    "a button refreshes markets, shows its progress, and says why an exchange failed",
    async () => {
      // The server of this suite has no network: its answers are those of one that has.
      const why = "okx is not refreshed: it cannot be reached"
      const state = { stage: "done" }
      await page.route("**/v1/dashboard/markets/refreshes", async (route) => {
        if (route.request().method() === "POST") state.stage = "running"
        const failure = state.stage === "failed" ? why : null
        const okx = { exchange: "okx", stage: state.stage, at: 1_700_000_000, not_before: null, failure }
        await route.fulfill({ json: { is_on: true, data: [okx] } })
      })
      await page.reload()
      await page
        .getByText(/^as shipped, /)
        .first()
        .waitFor()
      await button("Refresh now the markets of okx").click()
      await page.getByText(/^Asking okx\. /).waitFor()
      must(await button(/^Asking… the markets of okx/).isDisabled(), "it can be asked for twice")
      await sound(page)
      state.stage = "failed"
      await page.getByText(/okx\. The reason: it cannot be reached\. Their lists stay/).waitFor()
      state.stage = "done"
      await button("Refresh all markets now").click()
      await page.getByText(/^Asking okx\. /).waitFor()
      await page.unroute("**/v1/dashboard/markets/refreshes")
      // This server refreshes nothing, and so has no button.
      await section("tokens")
      await section("exchanges")
      await button("Refresh all markets now").waitFor({ state: "detached" })
    }
  )

  await steps.take("a user who is not the operator can look and is told so", async () => {
    const other = await stage.visit(site.base, await token(site.db, "bob", "full"))
    await at(other, { address: "settings/exchanges?search=ETH", heading: "Settings" })
    await other.page.getByText(/Only the operator/).waitFor()
    const switches = other.page.getByRole("switch")
    must((await switches.count()) > 8, "there is little to see")
    for (const one of await switches.all()) must(await one.isDisabled(), "a switch can be used")
    await at(other, { address: "settings/backup", heading: "Settings" })
    must(await other.page.getByRole("button", { name: "Back up now" }).isDisabled(), "a backup can be made")
    await other.close()
  })

  const receiver = new Receiver()
  try {
    await steps.take("a new webhook receives a test with a valid signature", async () => {
      await section("notifications")
      await page.getByRole("link", { name: "Add a notification" }).click()
      await page.getByLabel("Name").fill("<b>Mine</b>")
      await page.getByLabel("Address").fill("ftp://127.0.0.1/")
      await button("Add notification").click()
      await page.getByText(/must begin with https/).waitFor()
      await page.locator("[name=url]:focus").waitFor()
      for (const box of await page.getByRole("checkbox").all()) await box.uncheck()
      await page.getByLabel("Address").fill(receiver.url)
      await button("Add notification").click()
      await page.getByText("choose at least one").waitFor()
      await page.getByRole("checkbox", { name: /^Closed/ }).check()
      await button("Add notification").click()
      await page.getByRole("heading", { name: "<b>Mine</b> is added" }).waitFor()
      await sound(page)
      const secret = (await page.locator(".copy-block pre").textContent()) ?? ""
      await button("Send a test to <b>Mine</b>").click()
      await page.getByText("The test was delivered.").waitFor()
      must(receiver.isSigned(secret), "no request came that is signed with the secret")
      await page.getByRole("link", { name: "Go to the notifications" }).click()
      await page.getByRole("heading", { name: "<b>Mine</b>", exact: true }).waitFor()
      must(!(await page.content()).includes(secret), "the secret is shown again")
      return `${receiver.count} requests`
    })

    await steps.take("a failed test gives its reason, and a deleted target is gone", async () => {
      receiver.status = 500
      await button("Send a test to <b>Mine</b>").click()
      const told = page.getByText(/The test was not delivered/)
      await told.waitFor()
      await button("Delete <b>Mine</b>").click()
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
      await page.getByText("No notifications yet").waitFor()
    })
  } finally {
    await receiver.stop()
  }

  await steps.take("a backup is written beside the database, as the page says", async () => {
    await section("backup")
    if (addressOf(site.db) !== undefined) visitor.allow(409, /^\/v1\/dashboard\/backup$/)
    await button("Back up now").click()
    if (addressOf(site.db) !== undefined) {
      await page.getByText("back it up with the tools of Postgres").waitFor()
      return "refused on Postgres, which has tools of its own"
    }
    await page.getByText("is written and verified").waitFor()
    const folder = join(dirname(site.db), "backups")
    const [file = ""] = existsSync(folder) ? readdirSync(folder) : []
    must(file.endsWith(".db") && statSync(join(folder, file)).size > 0, `there is ${file} in ${folder}`)
    for (const text of [`backups/${file} is written`, `signalbox restore backups/${file} --force`])
      await page.getByText(text).waitFor()
    return file
  })

  await steps.take("the page describes the server, and the chosen colours are kept", async () => {
    await section("about")
    for (const name of ["API reference", "OpenAPI document"]) {
      const path = await page.getByRole("main").getByRole("link", { name }).getAttribute("href")
      must((await fetch(site.base + path)).ok, `${name} leads nowhere`)
    }
    await page.getByRole("radio", { name: "Dark" }).check()
    await page.reload()
    must(await page.getByRole("radio", { name: "Dark" }).isChecked(), "the colours are not kept")
    must(
      (await page.evaluate("getComputedStyle(document.documentElement).colorScheme")) === "dark",
      "it is not dark"
    )
    must(/Settings · Signalbox$/.test(await page.title()), await page.title())
    await sound(page)
  })

  await steps.take("revoking the own token signs out, as the page says", async () => {
    await section("tokens")
    await row(visitor, "this session")
      .getByRole("button", { name: /Revoke/ })
      .click()
    await page.getByText(/you will be signed out/).waitFor()
    await button("Revoke and sign out").click()
    await page.getByLabel("Token or code").waitFor()
    must((await page.getByText("has ended").count()) === 0, "it speaks of a session that has ended")
    must((await status("/v1/signals", site.token)) === 401, "the token is let in")
  })
}
export default suite

const row = ({ page }: Visitor, text: string) => page.getByRole("row").filter({ hasText: text })

/** The reason why a strategy on binance's BTC/USDT is refused; empty if it is accepted. */
const refusal = (site: Site): Promise<string> =>
  site.owner
    .signal("Any")
    .then((signal) => site.owner.strategy(signal, ["BTC/USDT"]))
    .then(
      () => "",
      (error: unknown) => String(error)
    )
