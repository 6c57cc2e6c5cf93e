// The result of one check: a level and a line of text; unless all is well also advice, and where the guide says more.

/** A check that found nothing to do. */
interface Well {
  readonly name: string
  readonly level: "ok"
  readonly text: string
  readonly advice?: undefined
  readonly guide?: undefined
}

/** A check that found something: `warn` leaves the exit code alone, `FAIL` makes it 1. */
interface Problem {
  readonly name: string
  readonly level: "warn" | "FAIL"
  readonly text: string
  readonly advice: string
  readonly guide: Topic
}

export type Check = Well | Problem

/** Where the guide says more about a problem. A test looks up each heading. */
export const GUIDE = {
  arm: "/guide/real-money#arm",
  aside: "/guide/bots#bots-set-aside",
  astray: "/guide/reasons#astray",
  belowMinimum: "/guide/reasons#below_min_notional",
  bounds: "/guide/bots#bounds",
  checks: "/guide/running#checks",
  connect: "/guide/real-money#connect",
  cooldown: "/guide/reasons#cooldown",
  dailyLoss: "/guide/reasons#daily_loss",
  database: "/guide/running#database",
  disarming: "/guide/reasons#disarming",
  exchanges: "/guide/bots#exchanges",
  files: "/guide/security#files",
  halted: "/guide/reasons#halted",
  inactive: "/guide/reasons#strategy_inactive",
  keys: "/guide/real-money#keys",
  marketClosed: "/guide/reasons#market_closed_for_buying",
  markets: "/guide/running#markets",
  masterKey: "/guide/real-money#the-master-key",
  noBalance: "/guide/reasons#insufficient_balance",
  notifications: "/guide/notifications#secrets",
  recordings: "/guide/backtests#recordings",
  overMost: "/guide/reasons#over_max_order",
  postgres: "/guide/postgres#what-doctor-checks",
  postgresSetup: "/guide/postgres#role-and-database",
  prices: "/guide/running#prices",
  quote: "/guide/reasons#quote_not_default",
  restore: "/guide/running#restore",
  settings: "/guide/running#settings",
  signal: "/guide/bots#signal_id",
  targets: "/guide/bots#by-hand",
  tokens: "/guide/security#tokens",
  upgrades: "/guide/running#upgrades",
  webhooks: "/guide/webhooks#address",
  zeroPercent: "/guide/reasons#zero_buy_percentage"
} as const
export type Topic = (typeof GUIDE)[keyof typeof GUIDE]

export const ok = (name: string, text: string): Check => ({ name, level: "ok", text })
export const warn = (name: string, text: string, advice: string, guide: Topic): Check => ({
  ...{ name, level: "warn", text },
  ...{ advice, guide }
})
export const fail = (name: string, text: string, advice: string, guide: Topic): Check => ({
  ...{ name, level: "FAIL", text },
  ...{ advice, guide }
})

/** One line for each check; below a problem what to do, and the page of the guide. */
export const render = (checks: ReadonlyArray<Check>): string =>
  checks
    .flatMap((check) => [
      `${check.level.padEnd(4)}  ${check.name.padEnd(8)}  ${check.text}`,
      ...(check.advice === undefined ? [] : [below(check.advice), below(`see ${check.guide} on the server`)])
    ])
    .join("\n")

const below = (text: string): string => `${" ".repeat(16)}${text}`

/** Writes a command for the examined database: `signalbox verify --db FILE`. */
export type Say = (words: string) => string

/** Leaves out `--db` if the command would find the database without it. */
export const say =
  (db: string, isNamed: boolean): Say =>
  (words) =>
    `signalbox ${words}${isNamed ? ` --db ${quoted(db)}` : ""}`

const quoted = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
