// The pages that suites visit, with their headings.
import type { Page } from "playwright-core"
import { must, until } from "../../reliability/prices/until.ts"
import type { Visitor } from "./Visitor.ts"

/** A page of the dashboard: its address behind `#/`, and its first heading. */
export interface Place {
  readonly address: string
  readonly heading: string | RegExp
}

/** Every page that needs no record. */
export const PLACES: ReadonlyArray<Place> = [
  { address: "", heading: "Overview" },
  { address: "signals", heading: "Signals" },
  { address: "signals/new", heading: /signal/i },
  { address: "strategies", heading: "Strategies" },
  { address: "strategies/new", heading: /strategy/i },
  { address: "strategies/new?template=dca", heading: /strategy/i },
  { address: "strategies/templates", heading: "Templates" },
  { address: "discover", heading: "Discover" },
  { address: "discover?show=signals", heading: "Discover" },
  { address: "trades", heading: "Trades" },
  { address: "trades?side=short&from=2026-11-01&why=sl", heading: "Trades" },
  { address: "alerts", heading: "Alerts" },
  { address: "alerts?tab=refused", heading: "Alerts" },
  { address: "backtest", heading: /back-test/i },
  ...[
    "",
    "/exchanges",
    "/candles",
    "/accounts",
    "/notifications",
    "/notifications/new",
    "/backup",
    "/about"
  ].map((it) => ({
    address: `settings${it}`,
    heading: "Settings"
  }))
]

/** The pages of one signal and one strategy. */
export const places = (signal: number, strategy: number): ReadonlyArray<Place> => [
  ...PLACES,
  { address: `signals/${signal}`, heading: /./ },
  { address: `signals/${signal}/edit`, heading: /./ },
  { address: `strategies/${strategy}`, heading: /./ },
  { address: `strategies/${strategy}?tab=trades`, heading: /./ },
  { address: `strategies/${strategy}?tab=orders`, heading: /./ },
  { address: `strategies/${strategy}?tab=compare`, heading: /./ },
  { address: `strategies/${strategy}?tab=what-if`, heading: /./ },
  { address: `strategies/${strategy}?tab=settings`, heading: /./ },
  { address: `strategies/${strategy}/edit`, heading: /./ }
]

/** Goes to a page and waits until all its data has arrived. */
export const at = async (visitor: Visitor, { address, heading }: Place): Promise<void> => {
  await visitor.go(address)
  await painted(visitor.page)
  await visitor.page.getByRole("heading", { level: 1, name: heading }).first().waitFor()
  await settled(visitor.page)
}

/** Waits until the page has seen its new address: a heading that fits may be that of the page before. */
const painted = (page: Page) =>
  page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))")

/** Waits until no request is under way. */
export const settled = async (page: Page): Promise<void> => {
  const isBusy =
    "document.querySelector('main .loading, main [aria-busy=true]') !== null || document.querySelector('main') === null"
  await until("page with all its data", async () => !(await page.evaluate(isBusy)), 10_000, 20)
  const failed = await page.locator("main .failed").allTextContents()
  must(failed.length === 0, `${page.url()}: ${failed.join("; ")}`)
}
