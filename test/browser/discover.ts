// Two people in two browsers: one publishes a strategy and a signal, the other finds, copies, is told of a change,
// syncs, follows and trades on paper; then the first goes private.
import { join } from "node:path"
import { Owner } from "../reliability/Owner.ts"
import { token } from "../reliability/Program.ts"
import { must, until } from "../reliability/prices/until.ts"
import { at } from "./lib/places.ts"
import { recorded } from "./lib/replay.ts"
import type { Site, Suite } from "./lib/Stage.ts"
import { sound } from "./lib/sound.ts"
import type { Visitor } from "./lib/Visitor.ts"
import { phase, SETTINGS, waves } from "./lib/wave.ts"

const BEGINS = Date.UTC(2026, 0, 5, 9, 0)
const UNLIMITED = ["--crud-rate", "0", "--alert-rate", "0"]
const PICTURES = join(import.meta.dir, "../../dist/browser")
const NAMED = "Ann Trades"
const BYBIT = {
  default_exchange_name: "bybit",
  exchanges: [{ exchange_name: "bybit", coin_pairs: ["BTC/USDT"] }]
}

const suite: Suite = async (stage) => {
  const { steps } = stage
  const prices = recorded(stage.folder, waves(BEGINS, 400))
  const site = await stage.serve(["--prices", `replay:${prices}`, "--replay-speed", "60", ...UNLIMITED])
  const bobs = await token(site.db, "bob", "full")
  const bob = new Owner(site.served, bobs)
  const signal = await site.owner.signal("Waves")
  const strategy = await site.owner.strategy(signal, [], {
    ...BYBIT,
    name: "Ride the wave",
    description: "Buys at the start of a wave",
    buy_percentage: 20,
    sell_minprofitpercent: 0.5,
    stop_loss: true,
    stop_loss_percentage: SETTINGS.stop_loss_percentage
  })
  const ann = await stage.visit(site.base, site.token)
  const other = await stage.visit(site.base, bobs)
  const heading = (visitor: Visitor, name: string) =>
    visitor.page.getByRole("heading", { level: 1, name, exact: true }).waitFor()
  const seen = (visitor: Visitor, text: string | RegExp) => visitor.page.getByText(text).first().waitFor()
  const made = { copy: 0, follower: 0 }

  await steps.take("nothing is listed before somebody publishes", async () => {
    await at(other, { address: "discover", heading: "Discover" })
    await seen(other, "Nobody has published a strategy yet")
    other.allow(404, /public\/strategies/)
    await at(other, { address: `discover/strategies/${strategy}`, heading: "Public strategy" })
    await seen(other, "This strategy is not public")
  })
  other.allowNothing()

  await steps.take("publishing asks for a display name, and says what others will see", async () => {
    await at(ann, { address: `strategies/${strategy}/edit`, heading: /Ride the wave/ })
    await ann.page.locator('[name="public"]').check()
    await seen(ann, /they see its name, description, settings and results, but no tokens/)
    await ann.page.locator('[name="display_name"]').fill(NAMED)
    await ann.page.getByRole("button", { name: "Save changes" }).click()
    await heading(ann, "Ride the wave")
    await at(ann, { address: `signals/${signal}/edit`, heading: /Waves/ })
    await ann.page.locator('[name="public"]').check()
    await ann.page.locator('[name="display_name"]').fill(NAMED)
    await ann.page.getByRole("button", { name: "Save" }).click()
    await heading(ann, "Waves")
  })

  await steps.take("a completed trade after that is the record", async () => {
    // Bought near its top, a wave's profit is never reached.
    await until("beginning of a wave", () => isLow(site), 60_000, 100)
    await until("price", () => alerted(site, signal), 20_000)
    await until("trade", () => hasTraded(site, strategy), 60_000)
  })

  await steps.take("the other finds it, with publisher, trades and age", async () => {
    await at(other, { address: "discover", heading: "Discover" })
    await seen(other, "Ride the wave")
    await seen(other, NAMED)
    await seen(other, "1 trade")
    await seen(other, "short record")
    await sound(other.page)
    await other.page.getByLabel("Search").fill("nothing like it")
    await seen(other, "No public strategy is like that")
    await other.page.getByRole("button", { name: "Clear filters" }).click()
    await other.page.getByRole("link", { name: "Ride the wave" }).click()
    await heading(other, "Ride the wave")
  })

  await steps.take("its page has record, curve, periods and settings in words", async () => {
    for (const text of ["Return since published", "Curve of the present period", "Periods of the record"])
      await seen(other, text)
    await seen(other, /cuts losses 5 % under the average/)
    await seen(other, "Too little has happened since it was published")
    await other.page.waitForTimeout(600)
    await other.page.screenshot({ path: join(PICTURES, "discover-strategy.png"), fullPage: true })
    await sound(other.page)
    const text = String(await other.page.evaluate("document.querySelector('main').textContent"))
    must(!/\bann\b/.test(text), "the account's name is shown")
  })

  await steps.take("the other copies it, with a smaller size", async () => {
    await other.page.getByRole("button", { name: "Copy…" }).click()
    await seen(other, "The copy follows the same public signal")
    await other.page.locator('dialog [name="buy_percentage"]').fill("10")
    await sound(other.page)
    await other.page.getByRole("button", { name: "Copy strategy" }).click()
    await other.page.waitForURL(/#\/strategies\/\d+$/)
    made.copy = Number(/(\d+)$/.exec(other.page.url())?.[1])
    await heading(other, "Ride the wave")
    await seen(other, "The original has not changed since")
    await seen(other, "It trades on paper")
  })

  await steps.take(
    "a change of the original is told on the copy's page, and changes nothing by itself",
    async () => {
      await put(site, strategy, { stop_loss_percentage: 3, buy_percentage: 30 })
      await seen(other, "The original changed 2 settings since")
      await seen(other, "stays: you chose it")
      const { buy_percentage, stop_loss_percent } = await stored(site, bob, made.copy)
      must(buy_percentage === 10 && stop_loss_percent === 5, `${buy_percentage} ${stop_loss_percent}`)
      await sound(other.page)
    }
  )

  await steps.take("a sync shows what it takes over, and keeps what the other chose", async () => {
    await other.page.getByRole("button", { name: "Sync…" }).click()
    await sound(other.page)
    await other.page.getByRole("button", { name: "Take over 1 setting" }).click()
    await until("sync", async () => (await stored(site, bob, made.copy)).stop_loss_percent === 3, 5_000)
    must((await stored(site, bob, made.copy)).buy_percentage === 10, "the own size is lost")
  })

  await steps.take("the other follows the signal with a strategy of their own", async () => {
    made.follower = await bob.strategy(0, [], { ...BYBIT, name: "Bob's own", signal_id: null })
    await at(other, { address: "discover?show=signals", heading: "Discover" })
    await other.page.getByRole("link", { name: "Waves" }).click()
    await heading(other, "Waves")
    await other.page.getByRole("button", { name: "Follow…" }).click()
    await other.page.getByLabel("Strategy", { exact: true }).selectOption({ label: "Bob's own" })
    await sound(other.page)
    await other.page.getByRole("button", { name: "Follow with it" }).click()
    await heading(other, "Bob's own")
    await seen(other, "Follows")
  })

  await steps.take("the first's alert moves the copy and the follower, on paper", async () => {
    await until("beginning of a wave", () => isLow(site), 60_000, 100)
    must(await alerted(site, signal), "the alert was refused")
    for (const id of [made.copy, made.follower])
      await until(`position of ${id}`, async () => (await board(site, bob, id)).positions.length > 0, 10_000)
    await at(other, { address: `strategies/${made.copy}`, heading: "Ride the wave" })
    await seen(other, "BTC/USDT")
  })

  await steps.take("what goes private vanishes at once, and the copy stays", async () => {
    await at(other, { address: `discover/strategies/${strategy}`, heading: "Ride the wave" })
    await put(site, strategy, { public: false })
    const answer = await site.served.fetch("/v1/public/strategies", { headers: bob.headers })
    must(JSON.parse(await answer.text()).data.length === 0, "it is still listed")
    other.allow(404, /public\/strategies|origin$|sync$/)
    await other.page.reload()
    await heading(other, "Public strategy")
    await seen(other, "This strategy is not public")
    await at(other, { address: "discover", heading: "Discover" })
    await seen(other, "Nobody has published a strategy yet")
    await at(other, { address: `strategies/${made.copy}`, heading: "Ride the wave" })
    await seen(other, "deleted or not public any more")
    await sound(other.page)
    const sync = await site.served.fetch(`/v1/strategies/${made.copy}/sync`, {
      method: "POST",
      headers: bob.headers
    })
    must(sync.status === 404, `a sync was answered ${sync.status}`)
    // On a slow machine its own take profit may have closed the position by now, and nothing else may.
    const isHeld = (await board(site, bob, made.copy)).positions.length > 0
    const { data } = await read<Closed>(site, bob, `/v1/dashboard/strategies/${made.copy}/trades`)
    must(isHeld || data[0]?.exit_reason === "take_profit", "its position is gone")
  })

  await steps.take("a signal that goes private leaves its followers at once", async () => {
    const answer = await site.served.fetch(`/v1/signals/${signal}`, {
      method: "PUT",
      headers: { ...site.owner.headers, "content-type": "application/json" },
      body: JSON.stringify({ public: false })
    })
    must(answer.ok, `it was answered ${answer.status}`)
    for (const id of [made.copy, made.follower])
      must((await stored(site, bob, id)).signal_id === null, `strategy ${id} follows it still`)
  })
}
export default suite

interface Closed {
  readonly data: ReadonlyArray<{ readonly exit_reason: string }>
}

interface Stored {
  readonly signal_id: number | null
  readonly buy_percentage: number
  readonly stop_loss_percent: number | null
  readonly performance: { readonly summary: { readonly trade_count: number } }
}

const read = async <A>(site: Site, owner: Owner, path: string): Promise<A> => {
  const answer = await site.served.fetch(path, { headers: owner.headers })
  must(answer.ok, `${path} was answered ${answer.status}`)
  return JSON.parse(await answer.text())
}
const stored = (site: Site, owner: Owner, id: number) => read<Stored>(site, owner, `/v1/strategies/${id}`)
const board = (site: Site, owner: Owner, id: number) =>
  read<{ readonly positions: ReadonlyArray<unknown> }>(site, owner, `/v1/dashboard/strategies/${id}`)
const hasTraded = async (site: Site, id: number): Promise<boolean> =>
  (await stored(site, site.owner, id)).performance.summary.trade_count > 0

const put = async (site: Site, id: number, body: object): Promise<void> => {
  const answer = await site.served.fetch(`/v1/strategies/${id}`, {
    method: "PUT",
    headers: { ...site.owner.headers, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  must(answer.ok, `the change was answered ${answer.status}: ${await answer.text()}`)
}

const isLow = async (site: Site): Promise<boolean> => {
  const { now } = await read<{ readonly now: number }>(site, site.owner, "/v1/dashboard/overview")
  return phase(now * 1000, BEGINS) < 3
}

const alerted = async (site: Site, signal: number): Promise<boolean> => {
  const body = JSON.stringify({ signal_id: signal, type: "buy", coin: "BTC", quote_currency: "USDT" })
  const headers = { ...site.owner.headers, "content-type": "application/json" }
  return (await site.served.fetch("/v1/signals/alert", { method: "POST", headers, body })).ok
}
