// Server options for benches.
import type { ServerOptions } from "../../src/Config.ts"
import { DEFAULTS } from "../lib/options.ts"

/** A server for a bench: on a port of its own, without prices and limits. */
export const OPTIONS: Omit<ServerOptions, "db"> = {
  ...DEFAULTS,
  port: 0,
  prices: "none",
  crudRate: 0,
  alertRate: 0,
  maxSignals: 10,
  maxStrategies: 10,
  maxConnections: 0,
  maxPairs: 10
}
