// The pages, each loaded when it is first opened.
import type { ComponentType } from "preact"
import type { PageName, PageProps } from "./routes.ts"

export type Page = ComponentType<PageProps>

/** The loader of each page. */
const pages: Readonly<Record<PageName, () => Promise<Page>>> = {
  overview: async () => (await import("./overview/Overview.tsx")).Overview,
  signals: async () => (await import("./signals/Signals.tsx")).Signals,
  strategies: async () => (await import("./strategies/Strategies.tsx")).Strategies,
  strategy: async () => (await import("./strategy/Strategy.tsx")).Strategy,
  discover: async () => (await import("./discover/Discover.tsx")).Discover,
  trades: async () => (await import("./trades/Trades.tsx")).Trades,
  alerts: async () => (await import("./alerts/Alerts.tsx")).Alerts,
  backtest: async () => (await import("./backtest/Backtest.tsx")).Backtest,
  settings: async () => (await import("./settings/Settings.tsx")).Settings
}

const opened = new Map<PageName, Page>()

/** A page that is loaded already. */
export const ready = (name: PageName): Page | undefined => opened.get(name)

/** Loads a page unless it is loaded already. */
export const open = async (name: PageName): Promise<Page> => {
  const page = await pages[name]()
  opened.set(name, page)
  return page
}
