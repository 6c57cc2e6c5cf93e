// Events arrive on every open page by themselves, also after a restart of the server.

import type { Page } from "playwright-core"
import { must, until } from "../reliability/prices/until.ts"
import type { Suite } from "./lib/Stage.ts"

const HEARD_MS = 5_000
/** How long to wait for a reconnect: browsers try after three seconds, and later if they were refused. */
const BACK_MS = 15_000
const ARGS = ["--prices", "none", "--crud-rate", "0", "--alert-rate", "0"]
const COINS = ["BTC", "ETH", "SOL", "XRP", "ADA", "LTC"]

const suite: Suite = async (stage) => {
  const site = await stage.serve(ARGS)
  const { steps } = stage
  const signal = await site.owner.signal("Live")
  await site.owner.strategy(
    signal,
    COINS.map((coin) => `${coin}/USDT`)
  )
  const visitor = await stage.visit(site.base, site.token)
  // A server that shuts down refuses immediate reconnects.
  visitor.allow(503, /\/events$/)
  const first = visitor.page
  const second = await visitor.context.newPage()
  const port = Number(new URL(site.base).port)
  const again = { served: site.served }
  let sent = 0
  const alert = async () => {
    const coin = COINS[sent++ % COINS.length]
    const fields = { signal_id: String(signal), coin: coin ?? "", quote_currency: "USDT", type: "buy" }
    const body = new URLSearchParams(fields)
    const answer = await fetch(`${site.base}/v1/signals/alert`, {
      method: "POST",
      headers: site.owner.headers,
      body,
      keepalive: false
    })
    must(answer.ok, `the alert was answered ${answer.status}`)
  }

  await steps.take("two tabs of one browser are live", async () => {
    await visitor.go("alerts")
    await second.goto(`${site.base}/#/alerts`)
    for (const page of [first, second]) await status(page, "Online")
  })

  await steps.take("an alert appears on both tabs by itself", async () => {
    await alert()
    const began = performance.now()
    for (const page of [first, second]) await listed(page, 1, HEARD_MS)
    return `within ${Math.round(performance.now() - began)} ms`
  })

  await steps.take("both tabs notice that the server is gone", async () => {
    visitor.away()
    await site.served.stop("SIGTERM")
    for (const page of [first, second]) await status(page, "Connecting")
  })

  await steps.take("the server comes back, and both tabs show what happened meanwhile", async () => {
    again.served = await stage.start(site.db, ARGS, port)
    await alert()
    await alert()
    const began = performance.now()
    for (const page of [first, second]) await status(page, "Online", BACK_MS)
    const took = performance.now() - began
    visitor.back()
    for (const page of [first, second]) await listed(page, 3, HEARD_MS)
    return `live again after ${(took / 1000).toFixed(1)} s`
  })

  await steps.take("later alerts arrive on both tabs too", async () => {
    await alert()
    for (const page of [first, second]) await listed(page, 4, HEARD_MS)
  })

  await steps.take("a stream that is refused for a while continues where it stopped", async () => {
    visitor.away()
    const refused = new Set<Page>()
    await visitor.context.route("**/v1/events**", (route) => {
      refused.add(route.request().frame().page())
      return route.fulfill({ status: 503 })
    })
    await again.served.stop("SIGTERM")
    await stage.start(site.db, ARGS, port)
    await until("stream that is refused", () => refused.size === 2, BACK_MS)
    visitor.back()
    await alert()
    await visitor.context.unroute("**/v1/events**")
    for (const page of [first, second]) await status(page, "Online", BACK_MS)
    for (const page of [first, second]) await listed(page, 5, HEARD_MS)
  })

  await steps.take("a page whose stream is refused from the start misses nothing either", async () => {
    visitor.allow(503, /\/events$/)
    const third = await visitor.context.newPage()
    let refusals = 0
    await third.route("**/v1/events**", (route) => {
      refusals += 1
      return route.fulfill({ status: 503 })
    })
    await third.goto(`${site.base}/#/alerts`)
    await listed(third, 5, HEARD_MS)
    await until("stream that is refused", async () => refusals > 0, BACK_MS)
    await alert()
    await third.unroute("**/v1/events**")
    await status(third, "Online", BACK_MS)
    await listed(third, 6, HEARD_MS)
    await third.close()
  })
}
export default suite

const status = (page: Page, word: string, timeout = HEARD_MS) =>
  page.getByRole("banner").getByRole("status").filter({ hasText: word }).waitFor({ timeout })

/** Rows of the page's list of alerts, and those that one row stands for. */
const listed = async (page: Page, count: number, within: number): Promise<void> => {
  const main = page.getByRole("main")
  const folded = async () =>
    (await main.getByText(/^\d+ ignored alerts/).allTextContents()).reduce(
      (sum, text) => sum + Number.parseInt(text, 10),
      0
    )
  const isThere = async () => (await main.getByText(/\bbuy\b/i).count()) + (await folded()) >= count
  await until(`${count} alerts on the page`, isThere, within)
}
