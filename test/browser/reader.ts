// Readers elsewhere: the browser's zone decides times and days, and its language decides numbers. The adversary is a page
// that shows one reader another's time, or a number that means a thousand times as much.
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Page } from "playwright-core"
import { command } from "../reliability/Program.ts"
import { must, until } from "../reliability/prices/until.ts"
import { type Furnished, furnished } from "./lib/furnished.ts"
import { at } from "./lib/places.ts"
import { example } from "./lib/replay.ts"
import type { Stage, Suite } from "./lib/Stage.ts"
import { sound } from "./lib/sound.ts"

const READERS = [
  { timezoneId: "Europe/Berlin", locale: "de-DE" },
  { timezoneId: "America/New_York", locale: "fr-FR" },
  { timezoneId: "Asia/Kolkata", locale: "en-IN" },
  { timezoneId: "Pacific/Apia", locale: "ar-EG" }
] as const
type Reader = (typeof READERS)[number]

/** The digits in Latin, so that texts of all readers compare. */
const latin = (text: string): string =>
  [...text].map((sign) => (/[٠-٩]/.test(sign) ? String("٠١٢٣٤٥٦٧٨٩".indexOf(sign)) : sign)).join("")

/** `13 Dec 2022, 19:05:10` in a zone, by the runtime of the tests. */
const told = (seconds: number, timeZone: string): string =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone })
    .format(new Date(seconds * 1000))
    .replace(" at ", ", ")

const money = (value: number, locale: string): string =>
  new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(
    Math.abs(value)
  )

interface Closed {
  readonly opened_at: number
  readonly closed_at: number
  readonly pnl: number
  readonly exit_price: number
}

const suite: Suite = async (stage) => {
  const { steps } = stage
  const site = await furnished(stage)
  const answer = await fetch(`${site.base}/v1/dashboard/strategies/${site.strategy}/trades`, {
    headers: site.owner.headers
  })
  const { data }: { readonly data: ReadonlyArray<Closed> } = JSON.parse(await answer.text())
  const [trade] = data
  if (trade === undefined) throw new Error("there is no trade to look at")
  for (const reader of READERS) await read(stage, site, trade, reader)
  await steps.check("a report that is opened from disk has the times and numbers of its reader", () =>
    reported(stage)
  )
}
export default suite

const read = async (stage: Stage, site: Furnished, trade: Closed, reader: Reader): Promise<void> => {
  const { steps } = stage
  const { locale, timezoneId } = reader
  const { page, ...visitor } = await visited(stage, site, reader)
  const who = `a reader of ${locale} in ${timezoneId}`
  const local = told(trade.closed_at, timezoneId)

  await steps.check(
    `${who} sees trades at the own time, with UTC as the title, and the own numbers`,
    async () => {
      await visitor.open(`strategies/${site.strategy}?tab=trades`)
      const table = page.getByRole("table", { name: "Completed trades", exact: true })
      const moment = table.locator(`time[datetime^="${iso(trade.closed_at).slice(0, 19)}"]`).first()
      await moment.waitFor()
      must(
        latin((await moment.textContent()) ?? "") === local.replace(", ", ""),
        `${await moment.textContent()}`
      )
      must(
        (await moment.getAttribute("title")) === utc(trade.closed_at),
        `${await moment.getAttribute("title")}`
      )
      const row = (await table.locator("tbody tr").first().textContent()) ?? ""
      for (const number of [money(trade.pnl, locale), money(trade.exit_price, locale)])
        must(row.includes(number), `no ${number} in ${row}`)
      return `${local}; ${money(trade.exit_price, locale)}`
    }
  )

  await steps.check(`${who} reads the chart at the own time`, async () => {
    await visitor.open(`strategies/${site.strategy}`)
    const chart = page.getByRole("slider", { name: "Read the chart" }).first()
    await chart.focus()
    await page.keyboard.press("Home")
    const text = latin((await chart.getAttribute("aria-valuetext")) ?? "")
    // The replay's first candles are of 13:26 UTC on its day.
    const first = told(Date.UTC(2022, 11, 13, 13, 26) / 1000, timezoneId)
    must(text.startsWith(first.slice(0, 14)), `${text} instead of ${first}`)
    await sound(page)
    return text.slice(0, 60)
  })

  await steps.check(`${who} filters by the own days`, async () => {
    await visitor.open("trades")
    const day = new Intl.DateTimeFormat("sv-SE", { timeZone: timezoneId }).format(
      new Date(trade.closed_at * 1000)
    )
    for (const label of ["Closed from", "Closed to"]) {
      const asked = page.waitForRequest(new RegExp(label === "Closed from" ? "from=" : "[?&]to="))
      await page.getByLabel(label).fill(day)
      const params = new URL((await asked).url()).searchParams
      const instant = Number(params.get(label === "Closed from" ? "from" : "to"))
      must(
        told(instant, timezoneId).endsWith(label === "Closed from" ? "00:00:00" : "23:59:59"),
        `${label}: ${utc(instant)}`
      )
    }
    await page
      .locator(`time[datetime^="${iso(trade.closed_at).slice(0, 19)}"]`)
      .first()
      .waitFor()
  })

  await steps.check(`${who} has all times in UTC by keyboard alone, and keeps that`, async () => {
    await visitor.open(`strategies/${site.strategy}?tab=trades`)
    await page.getByRole("button", { name: "Show UTC" }).press("Enter")
    const moment = page.locator(`time[datetime^="${iso(trade.closed_at).slice(0, 19)}"]`).first()
    const shown = async () =>
      latin((await moment.textContent()) ?? "") === told(trade.closed_at, "UTC").replace(", ", "")
    await until("time in UTC", shown, 3000, 20)
    const title = latin((await moment.getAttribute("title")) ?? "")
    must(title.startsWith(`${local} (`), title)
    await page.reload()
    await until("time in UTC after loading again", shown, 5000, 20)
    await page.getByRole("button", { name: /^Show [A-Z][a-z]+\// }).press("Enter")
    // Chromium calls Asia/Kolkata by its older name.
    await page.getByText(/^Times in [A-Z][a-z]+\//).waitFor()
  })

  if (locale !== "de-DE") return
  await steps.check(`${who} is told to write a dot, and no thousand is guessed`, async () => {
    await visitor.open(`strategies/${site.strategy}/edit`)
    const field = page.locator('[name="buy_percentage"]')
    await page.getByText("Decimals with a dot: 1234.5.").first().waitFor()
    await field.fill("10.000")
    await page.getByRole("button", { name: /save/i }).first().click()
    await page.getByText("10.000 could be 10000 or 10: write the one that you mean").first().waitFor()
    await field.fill("12,5")
    await page.getByText("10.000 could be").waitFor({ state: "detached" })
  })
}

/** A visitor with the zone and language of a reader. */
const visited = async (stage: Stage, site: Furnished, reader: Reader) => {
  const visitor = await stage.visit(site.base, site.token, reader)
  return { page: visitor.page, open: (address: string) => at(visitor, { address, heading: /./ }) }
}

const reported = async (stage: Stage): Promise<string> => {
  const { candles, folder, strategy } = await example(stage.folder)
  const file = join(stage.folder, "reader.html")
  await Bun.write(join(stage.folder, "reader.json"), JSON.stringify(strategy))
  const files = ["--strategy", join(stage.folder, "reader.json"), "--alerts", `${folder}/alerts.jsonl`]
  const ran = await command(["backtest", ...files, "--candles", `BTC/USDT=${candles}`, "--html", file])
  must(ran.exitCode === 0, ran.stderr)
  const [, reader] = READERS
  const { page } = await stage.visit("http://nowhere.invalid", undefined, { ...reader, offline: true })
  await page.goto(pathToFileURL(file).href)
  const texts = await timesOf(page)
  for (const { datetime, text, title } of texts) {
    const seconds = Date.parse(datetime) / 1000
    const local = told(seconds, reader.timezoneId)
    // Tables have the day and the time in two lines.
    must(text.replace(", ", "") === local.replace(", ", ""), `${text} instead of ${local}`)
    must(title === utc(seconds), title)
  }
  await page.getByRole("button", { name: "Show UTC" }).press("Enter")
  await page.getByText("Times in UTC").waitFor()
  const [first] = await timesOf(page)
  must(first?.text === told(Date.parse(first?.datetime ?? "") / 1000, "UTC"), `${first?.text}`)
  return `${texts.length} times`
}

const timesOf = async (page: Page) => {
  await page.locator("time").first().waitFor()
  const found: ReadonlyArray<{ readonly datetime: string; readonly text: string; readonly title: string }> =
    JSON.parse(
      String(
        await page.evaluate(
          "JSON.stringify([...document.querySelectorAll('time')].map((it) => ({ datetime: it.dateTime, text: it.textContent, title: it.title })))"
        )
      )
    )
  return found
}

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString()
const utc = (seconds: number): string => `${iso(seconds).slice(0, 19).replace("T", " ")} UTC`
