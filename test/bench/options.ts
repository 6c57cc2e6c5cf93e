// Server options for benches.
import type { ServerOptions } from "../../src/Config.ts"

/** A server for a bench: on a port of its own, without prices and limits. */
export const OPTIONS: Omit<ServerOptions, "db"> = {
  host: "127.0.0.1",
  port: 0,
  prices: "none",
  record: false,
  exchangeUrls: "",
  anyTime: false,
  replaySpeed: 60,
  crudRate: 0,
  alertRate: 0,
  staleAfter: 300,
  priceWait: 10,
  paper: { USDT: 10_000, USD: 10_000, BTC: 1, ETH: 10 },
  maxSignals: 10,
  maxStrategies: 10,
  maxConnections: 0,
  trustedProxies: "",
  alertHost: "",
  alertPort: 0,
  metricsPort: 0,
  dashboard: "on",
  tlsCert: "",
  tlsKey: "",
  maxPairs: 10,
  allowPrivateTargets: false,
  telegramUrl: "https://api.telegram.org",
  withoutStrategy: "",
  withStrategy: ""
}
