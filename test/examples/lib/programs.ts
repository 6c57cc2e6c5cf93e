// Runs one example on one runtime: it passes where it ends well, says what it should, and nothing on standard error.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { Redacted } from "effect"
import { bun } from "../../../scripts/command.ts"
import { administrate, isInstalled, urlOf } from "../../lib/postgres/Database.ts"
import { start } from "../../lib/postgres/Server.ts"
import type { Line } from "./line.ts"
import { runIn } from "./shell.ts"

export type Runtime = "Node" | "Bun"

interface Example {
  readonly name: string
  readonly runtimes: ReadonlyArray<Runtime>
  /** What it prints when it has done what it is there for. */
  readonly says: RegExp
}

/** How much of what went wrong is shown, in characters. */
const MOST_SHOWN = 2000

const both = ["Node", "Bun"] as const

/** It needs a Postgres server, and is skipped by name where there is none. */
const ON_POSTGRES = "on-postgres"

export const EXAMPLES: ReadonlyArray<Example> = [
  { name: "every-door", runtimes: ["Node"], says: /^\d{3} doors open, \d{3,4} names behind them$/ },
  { name: "every-door-bun", runtimes: ["Bun"], says: /^\d{3} doors open, \d{3,4} names behind them$/ },
  { name: "guide-1", runtimes: both, says: /net_pnl: 73\.24707,.* trade_count: 1,/ },
  { name: "guide-2", runtimes: both, says: /did you mean stop_loss\?/ },
  { name: "own-storage", runtimes: both, says: /^(\d) of \1 promises of Accounts kept; a token outlives/ },
  { name: "own-exchange", runtimes: both, says: /^(\d) of \1 promises of Exchange kept, and a trade made/ },
  { name: "own-venue", runtimes: both, says: /^buy BTC\/CHF on my-dex, then sell BTC\/CHF on my-dex/ },
  { name: "own-rule", runtimes: both, says: /^refused: "stop_loss must .* it is strategy 1$/ },
  { name: "effect-rule", runtimes: both, says: /^refused: "exchanges lists .* is strategy 1$/ },
  { name: "own-figure", runtimes: both, says: /"profit_per_fee":7\.26,"trades_per_day":1\}$/ },
  { name: "folding-figure", runtimes: both, says: /"winning_streak":1,"mean_quantity":0\.08333\}$/ },
  { name: "volatility-sizing", runtimes: both, says: /^spent 2500 USDT on the calm market, 664 on the wild/ },
  { name: "time-of-day-veto", runtimes: both, says: /no entries outside 0 to 0 h UTC\.$/ },
  { name: "closing-veto", runtimes: both, says: /the gain is kept, and may grow\.$/ },
  { name: "pure-trading", runtimes: both, says: /^4 trades, 100 % won, 201\.68 USDT, and no runtime$/ },
  { name: "year", runtimes: both, says: /^525600 candles, \d+ \+ \d+ \+ \d+ trades in [\d.]+ s$/ },
  { name: "mounted-node", runtimes: both, says: /a record made and listed, 401 for a stranger; my own page/ },
  { name: "mounted-bun", runtimes: ["Bun"], says: /health is 200, a stranger 401; my own page at \/$/ },
  {
    name: "mounted-platform",
    runtimes: both,
    says: /401 for a stranger, and the contract, with its address/
  },
  {
    name: "typed-client",
    runtimes: both,
    says: /^signal 1 was made and listed; .*"there is no such signal"$/
  },
  {
    name: "real-server",
    runtimes: ["Bun"],
    says: /^the dashboard and its scripts are served; "name is taken/
  },
  { name: ON_POSTGRES, runtimes: ["Bun"], says: /^1 trade of \d+\.?\d* USDT, and the next process finds it$/ }
]

/**
 * Those that are tried with each manager and each line of Effect: the README's program, the typed client, parts of one's
 * own, own decisions, and a year of minutes.
 */
export const FEW = ["guide-1", "typed-client", "own-exchange", "own-figure", "time-of-day-veto", "year"]

export const run = async (folder: string, name: string, runtime: Runtime): Promise<Line> => {
  const by = { runtime, command: [runtime === "Node" ? "node" : bun()] }
  if (name !== ON_POSTGRES) return runBy(folder, name, by)
  if (!isInstalled)
    return { name, runtime, milliseconds: undefined, text: "Postgres is not installed", outcome: "skipped" }
  const address = await newDatabase()
  return runBy(folder, name, { ...by, more: { DATABASE: address } })
}

/** The address of a new database, on a server that ends with this process. */
const newDatabase = async (): Promise<string> => {
  const server = await start()
  await administrate(server, "CREATE DATABASE trading")
  return Redacted.value(urlOf(server, "trading"))
}

export interface By {
  readonly runtime: string
  readonly command: ReadonlyArray<string>
  readonly more?: Readonly<Record<string, string>>
}

/** What is wrong with what an example printed, or nothing. */
export const flawOf = (name: string, printed: string): string | undefined => {
  const says = EXAMPLES.find((example) => example.name === name)?.says
  return says?.test(printed) ? undefined : `it does not print ${says}: ${printed}`
}

/** Runs a compiled program by a command. */
export const runBy = async (folder: string, name: string, { command, more, runtime }: By): Promise<Line> => {
  const file = join("out", `${name}.js`)
  const line = (text: string, isGood: boolean, milliseconds: number | undefined): Line => ({
    ...{ name, runtime, milliseconds, text, outcome: isGood ? "passed" : "failed" }
  })
  if (!existsSync(join(folder, file))) return line("there is no such example", false, undefined)
  const started = performance.now()
  const { code, err, out } = await runIn(folder, [...command, file], { more: more ?? {} })
  const milliseconds = performance.now() - started
  const printed = out.split(/\s*\n\s*/).join(" ")
  if (code !== 0 || err !== "")
    return line(`exit ${code}: ${printed}\n${err.slice(0, MOST_SHOWN)}`, false, milliseconds)
  const flaw = flawOf(name, printed)
  return line(flaw ?? printed, flaw === undefined, milliseconds)
}
