import type { ComponentType } from "preact"
import type { PageName, PageProps } from "./routes.ts"

export type Page = ComponentType<PageProps>

/** How each page is fetched when it is first opened. */
export const pages: Readonly<Record<PageName, () => Promise<Page>>> = {
  overview: async () => (await import("./overview/Overview.tsx")).Overview,
  signals: async () => (await import("./signals/Signals.tsx")).Signals,
  strategies: async () => (await import("./strategies/Strategies.tsx")).Strategies,
  strategy: async () => (await import("./strategy/Strategy.tsx")).Strategy,
  alerts: async () => (await import("./alerts/Alerts.tsx")).Alerts,
  backtest: async () => (await import("./backtest/Backtest.tsx")).Backtest,
  settings: async () => (await import("./settings/Settings.tsx")).Settings
}
