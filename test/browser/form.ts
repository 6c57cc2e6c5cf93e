// The strategy form: every setting appears with its switch, reports its errors, and is stored.

import type { Locator } from "playwright-core"
import { type Row, rows } from "../../src/domain/requests/StrategyView.ts"
import { command } from "../reliability/Program.ts"
import { must, until } from "../reliability/prices/until.ts"
import { at } from "./lib/places.ts"
import type { Suite } from "./lib/Stage.ts"
import type { Visitor } from "./lib/Visitor.ts"

/** Settings that are not one field, and one that appears with another. */
const SPECIAL = new Set(["exchanges", "take_profit_steps", "display_name"])
const switches = rows.filter(({ role }) => role === "switch")
const valuesOf = ({ feature }: Row) => rows.filter((it) => it.role === "value" && it.feature === feature)
const plain = rows.filter((it) => it.role !== "switch" && it.role !== "value" && !SPECIAL.has(it.request))

/** The typed values: each number is different, so that none can be taken for another. */
const typed = new Map<string, number>(
  rows
    .filter(({ role }) => role === "value")
    .map(({ request }, index) => [
      request,
      /aftertime|maxretries|cooldown|close/.test(request) ? 3 + index : 1.5 + index
    ])
)

interface Market {
  readonly pair: string
  readonly active: boolean
}

const suite: Suite = async (stage) => {
  const site = await stage.serve()
  const { steps } = stage
  const signal = await site.owner.signal("To follow")
  const visitor = await stage.visit(site.base, site.token)
  const { page } = visitor
  const field = (name: string) => page.locator(`[name="${name}"]`)
  const read = async (id: number): Promise<Record<string, unknown>> =>
    JSON.parse(
      await (await fetch(`${site.base}/v1/strategies/${id}`, { headers: site.owner.headers })).text()
    )
  const isOff = async () => {
    const address = `${site.base}/v1/dashboard/markets?exchange=binance&search=ETH/USDT`
    const answer = await fetch(address, { headers: site.owner.headers })
    const { data }: { readonly data: ReadonlyArray<Market> } = JSON.parse(await answer.text())
    return data.some(({ active, pair }) => pair === "ETH/USDT" && !active)
  }

  await steps.take("every setting has a name and a sentence", async () => {
    await at(visitor, { address: "strategies/new", heading: /./ })
    for (const { request } of [...plain, ...switches]) await explained(visitor, request)
    must((await field("display_name").count()) === 0, "a private strategy is asked for a display name")
    await field("public").check()
    await explained(visitor, "display_name")
    await field("public").uncheck()
    must((await field("display_name").count()) === 0, "the display name stays")
    return `${plain.length} fields, ${switches.length} switches`
  })

  await steps.take("dependent fields appear and disappear with their switch", async () => {
    for (const row of switches) {
      // Some switches are on in a new form.
      await field(row.request).uncheck()
      for (const { request } of valuesOf(row))
        must((await field(request).count()) === 0, `${request} is there before`)
      await field(row.request).check()
      for (const { request } of valuesOf(row)) await explained(visitor, request)
      await field(row.request).uncheck()
      for (const { request } of valuesOf(row)) must((await field(request).count()) === 0, `${request} stays`)
    }
    return `${typed.size} fields`
  })

  await steps.take("an error is shown beside its field, and nothing is created", async () => {
    visitor.allow(422, /^\/v1\/strategies/)
    await field("stop_loss").check()
    await field("stop_loss_percentage").fill("500")
    await field("buy_percentage").fill("150")
    await save(visitor)
    for (const name of ["name", "buy_percentage", "stop_loss_percentage"]) await wrong(visitor, name)
    const focused = await page.evaluate("document.activeElement?.getAttribute('name')")
    must(focused === "name", `the focus is at ${focused}`)
    await field("stop_loss").uncheck()
  })

  await steps.take("an error that only the server finds is shown beside its field too", async () => {
    await field("name").fill("Everything")
    await field("buy_percentage").fill("12.5")
    await field("description").fill("All settings at once")
    await toggle(visitor, "ETH/USDT")
    // The market is switched off outside the form, so that only the server finds the error.
    const off = await command(["market", "disable", "binance", "ETH/USDT", "--db", site.db])
    must(off.exitCode === 0, off.stderr)
    // The server notices other processes' changes within a tenth of a second, or later under load.
    await until("ETH/USDT switched off", isOff, 10_000)
    await save(visitor)
    const said = page.locator(".field-error").filter({ hasText: "ETH/USDT" })
    await said.waitFor()
    await command(["market", "enable", "binance", "ETH/USDT", "--db", site.db])
    return (await said.textContent()) ?? ""
  })

  await steps.take("all settings are stored as typed", async () => {
    await toggle(visitor, "BTC/USDT")
    await field("maker_fee").fill("0.02")
    await field("taker_fee").fill("0.05")
    await field("sell_minprofitpercent").fill("2.25")
    await field("signal_id").selectOption(String(signal))
    await field("signal_ignores_sell_min_profit_percent").check()
    for (const row of switches) {
      await field(row.request).check()
      for (const { request } of valuesOf(row)) await field(request).fill(String(typed.get(request)))
    }
    await save(visitor)
    await page.waitForURL(/#\/strategies\/\d+/)
    const made = await read(1)
    for (const { model, request } of rows.filter(({ role }) => role === "value"))
      must(made[model] === typed.get(request), `${model} is ${made[model]}, not ${typed.get(request)}`)
    const expected = {
      name: "Everything",
      description: "All settings at once",
      maker_fee: 0.02,
      taker_fee: 0.05,
      buy_percentage: 12.5,
      min_profit_percent: 2.25,
      signal_id: signal,
      signal_ignores_sell_min_profit_percent: true
    }
    for (const [name, value] of Object.entries(expected))
      must(made[name] === value, `${name} is ${made[name]}, not ${value}`)
  })

  await steps.take("the edit form shows stored values, and saves what was changed", async () => {
    const before = await read(1)
    await at(visitor, { address: "strategies/1/edit", heading: /./ })
    for (const [request, value] of typed)
      must(
        Number(await field(request).inputValue()) === value,
        `${request} shows ${await field(request).inputValue()}`
      )
    await field("description").fill("Edited")
    await field("strategy_dca_switch").uncheck()
    await save(visitor)
    await page.waitForURL(/#\/strategies\/1$/)
    const after = await read(1)
    const changed = Object.keys(before).filter(
      (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key])
    )
    const expected = [
      ...["description", "updated_at", "dca_enabled", "dca_after_time", "dca_max_retries"],
      ...["dca_percentage_trigger", "dca_order_size"]
    ]
    const surplus = changed.filter((it) => !expected.includes(it))
    must(
      surplus.length === 0 && after["description"] === "Edited" && after["dca_enabled"] === false,
      `changed: ${changed}`
    )
  })
}
export default suite

const save = ({ page }: Visitor) =>
  page
    .getByRole("button", { name: /^(create|make|save)/i })
    .last()
    .click()

/** Checks that a field has a label and an explanation. */
const explained = async ({ page }: Visitor, name: string): Promise<void> => {
  const field = page.locator(`[name="${name}"]`)
  await field.waitFor({ state: "attached" })
  const label = await field.evaluate((it) => String(it.labels?.[0]?.textContent ?? ""))
  const sentence = await described(field)
  must(label.trim().length > 1, `${name} has no label`)
  must(sentence.trim().length > 10, `${name} is not explained`)
}

/** Checks that a field is marked as invalid with a reason. */
const wrong = async ({ page }: Visitor, name: string): Promise<void> => {
  const field = page.locator(`[name="${name}"]`)
  await page.locator(`[name="${name}"][aria-invalid=true]`).waitFor()
  const said = await described(field)
  must(said.length > 3, `${name} does not say what is wrong`)
}

/** The texts of a field's description. */
const described = (field: Locator): Promise<string> =>
  field.evaluate((it) =>
    String(it.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((id) => it.ownerDocument.getElementById(id)?.textContent ?? "")
      .join(" ")
  )

/** Adds or removes a pair. */
const toggle = async ({ page }: Visitor, pair: string): Promise<void> => {
  await page.getByLabel("Find pairs on binance").fill(pair)
  await page
    .getByRole("list", { name: "Pairs found on binance" })
    .getByRole("button", { name: pair, exact: true })
    .click()
}
