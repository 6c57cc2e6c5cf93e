// Every setting of the program, once: name, default, bounds and description. Command line, environment and
// configuration file all read this table.
import * as Config from "effect/Config"
import * as Option from "effect/Option"
import { AMOUNT, type Bounds, COUNT, isWithin, NOT_NEGATIVE, PORT } from "./config/Bounds.ts"
import { flag, integer, number, type Setting, setting, text, variable } from "./config/Setting.ts"
import * as Watchdog from "./config/Watchdog.ts"

export type { Bounds } from "./config/Bounds.ts"
export type { Kind, Setting } from "./config/Setting.ts"

export const host = setting("host", text, "127.0.0.1", "address to listen on")
export const port = setting("port", integer, 8080, "port to listen on; 0 picks a free one")
export const alertPort = setting(
  "alert-port",
  integer,
  0,
  "a second port, where only the two alert doors and /healthz answer; 0 opens none"
)
export const alertHost = setting(
  "alert-host",
  text,
  "",
  "address that the second port listens on; that of --host where it is left out"
)
export const metricsPort = setting(
  "metrics-port",
  integer,
  0,
  "a port of 127.0.0.1 where /metrics, and nothing else, answers without a token; 0 opens none"
)
export const dashboard = setting("dashboard", text, "on", "whether the dashboard is served at /: on or off")
export const tlsCert = setting(
  "tls-cert",
  text,
  "",
  "PEM file of a certificate with its chain: both ports speak https, and read the file anew when it changes"
)
export const tlsKey = setting("tls-key", text, "", "PEM file of the certificate's private key")
export const prices = setting(
  "prices",
  text,
  "live",
  "where prices come from: live (the exchanges), none, or replay:PATH, a candle file or a folder of them"
)
export const record = setting(
  "record",
  flag,
  false,
  "keep one-minute candles of the markets that are watched, in the folder candles beside the database"
)
export const exchangeUrls = setting(
  "exchange-urls",
  text,
  "",
  "where exchanges are reached instead of at their own addresses: binance=http://127.0.0.1:7001,okx=..."
)
export const replaySpeed = setting("replay-speed", number, 60, "how many times faster than life a replay is")
export const anyTime = setting("any-time", flag, false, "take made-up times in a replay: ms of any year")
export const crudRate = setting(
  "crud-rate",
  integer,
  2,
  "requests a second that an account may make to signals, and likewise to strategies; 0 lifts the limit"
)
export const alertRate = setting(
  "alert-rate",
  integer,
  30,
  "alerts a second that an account may send through each of the two doors; 0 lifts the limit"
)
export const staleAfter = setting(
  "stale-after",
  integer,
  300,
  "seconds after which an entry alert is too old to act on"
)
export const priceWait = setting(
  "price-wait",
  integer,
  10,
  "seconds that an entry alert waits for a fresh price"
)
export const paperUsdt = setting("paper-usdt", number, 10_000, "starting balance of a strategy in USDT")
export const paperUsd = setting("paper-usd", number, 10_000, "starting balance of a strategy in USD")
export const paperBtc = setting("paper-btc", number, 1, "starting balance of a strategy in BTC")
export const paperEth = setting("paper-eth", number, 10, "starting balance of a strategy in ETH")
export const maxSignals = setting("max-signals", integer, 1000, "signals that an account may hold")
export const maxStrategies = setting("max-strategies", integer, 1000, "strategies that an account may hold")
export const trustedProxies = setting(
  "trusted-proxies",
  text,
  "",
  "addresses and CIDR blocks of proxies, with commas between, whose X-Forwarded-For is believed"
)
export const maxConnections = setting(
  "max-connections",
  integer,
  256,
  "connections that one peer may hold open; 0 lifts the limit"
)
export const logFormat = setting(
  "log-format",
  text,
  "auto",
  "how the log is written: json, a line each; pretty, for people; or auto: pretty on a terminal, else json"
)
export const maxPairs = setting("max-pairs", integer, 200, "pairs that a strategy may list")
export const allowPrivateTargets = setting(
  "allow-private-targets",
  flag,
  false,
  "let notifications go to addresses of this network, and by plain http"
)
export const telegramUrl = setting(
  "telegram-url",
  text,
  "https://api.telegram.org",
  "where Telegram is reached"
)

export const withoutStrategy = setting(
  "without-strategy",
  text,
  "",
  "a strategy to set aside at the start, by its number: its bot gets no events until the strategy has new settings"
)
export const withStrategy = setting(
  "with-strategy",
  text,
  "",
  "a strategy that is set aside, by its number: its bot goes on from this start"
)

export const db = setting(
  "db",
  text,
  "",
  "the database file; by default signalbox.db in the service's or the user's data folder"
)

/** The database file if none is named: in systemd's state folder, else in the user's data folder. */
export const unnamedDatabase: Config.Config<string> = variable("STATE_DIRECTORY").pipe(
  Config.map((folder) => `${folder}/signalbox.db`),
  Config.orElse(() => Config.map(variable("XDG_DATA_HOME"), (folder) => `${folder}/signalbox/signalbox.db`)),
  Config.orElse(() => Config.map(variable("HOME"), (home) => `${home}/.local/share/signalbox/signalbox.db`))
)

/** The database file. Fails only if neither a setting nor a home folder names one. */
export const database: Config.Config<string> = Config.orElse(db.config, () => unnamedDatabase)

/** systemd's watchdog socket and interval, see config/Watchdog.ts. */
export const watchdog = Watchdog.watchdog

/** The configuration file that the environment names; this file has to exist. */
export const namedFile: Config.Config<Option.Option<string>> = Config.option(variable("SIGNALBOX_CONFIG"))

/** The default configuration file, read if it exists: in systemd's configuration folder, else in the user's. */
export const unnamedFile: Config.Config<Option.Option<string>> = variable("CONFIGURATION_DIRECTORY").pipe(
  // systemd separates several folders with colons.
  Config.map((folders) => `${folders.split(":")[0]}/signalbox.toml`),
  Config.orElse(() =>
    Config.map(variable("XDG_CONFIG_HOME"), (folder) => `${folder}/signalbox/signalbox.toml`)
  ),
  Config.orElse(() => Config.map(variable("HOME"), (home) => `${home}/.config/signalbox/signalbox.toml`)),
  Config.option
)

/** Where the server listens, and what it serves there. */
export interface Listening {
  readonly host: string
  readonly port: number
  readonly alertHost: string
  readonly alertPort: number
  readonly metricsPort: number
  readonly dashboard: string
  readonly tlsCert: string
  readonly tlsKey: string
  readonly trustedProxies: string
  readonly maxConnections: number
}

/** Options of `serve`. Rates are per second, times in seconds, amounts in their currency. */
export interface ServerOptions extends Listening {
  readonly db: string
  readonly prices: string
  readonly record: boolean
  readonly exchangeUrls: string
  readonly replaySpeed: number
  readonly anyTime: boolean
  readonly crudRate: number
  readonly alertRate: number
  readonly staleAfter: number
  readonly priceWait: number
  readonly paper: { readonly USDT: number; readonly USD: number; readonly BTC: number; readonly ETH: number }
  readonly maxSignals: number
  readonly maxStrategies: number
  readonly maxPairs: number
  readonly allowPrivateTargets: boolean
  readonly telegramUrl: string
  /** Strategy ids, separated by commas. */
  readonly withoutStrategy: string
  readonly withStrategy: string
}

const read = <A>({ config, fallback }: Setting<A>): Config.Config<A> => Config.withDefault(config, fallback)

/** All server options from the environment alone, for embedders. */
export const serverOptions: Config.Config<ServerOptions> = Config.all({
  host: read(host),
  port: read(port),
  alertHost: read(alertHost),
  alertPort: read(alertPort),
  metricsPort: read(metricsPort),
  dashboard: read(dashboard),
  tlsCert: read(tlsCert),
  tlsKey: read(tlsKey),
  trustedProxies: read(trustedProxies),
  maxConnections: read(maxConnections),
  db: database,
  prices: read(prices),
  record: read(record),
  exchangeUrls: read(exchangeUrls),
  replaySpeed: read(replaySpeed),
  anyTime: read(anyTime),
  crudRate: read(crudRate),
  alertRate: read(alertRate),
  staleAfter: read(staleAfter),
  priceWait: read(priceWait),
  paper: Config.all({ USDT: read(paperUsdt), USD: read(paperUsd), BTC: read(paperBtc), ETH: read(paperEth) }),
  maxSignals: read(maxSignals),
  maxStrategies: read(maxStrategies),
  maxPairs: read(maxPairs),
  allowPrivateTargets: read(allowPrivateTargets),
  telegramUrl: read(telegramUrl),
  withoutStrategy: read(withoutStrategy),
  withStrategy: read(withStrategy)
})

type Rule = readonly [Setting<number>, (options: ServerOptions) => number, Bounds]

const RULES: ReadonlyArray<Rule> = [
  [port, ({ port }) => port, PORT],
  [alertPort, (it) => it.alertPort, PORT],
  [metricsPort, (it) => it.metricsPort, PORT],
  [replaySpeed, (it) => it.replaySpeed, { least: Number.MIN_VALUE, words: "a number above 0" }],
  [crudRate, (it) => it.crudRate, NOT_NEGATIVE],
  [alertRate, (it) => it.alertRate, NOT_NEGATIVE],
  [staleAfter, (it) => it.staleAfter, NOT_NEGATIVE],
  [priceWait, (it) => it.priceWait, NOT_NEGATIVE],
  [paperUsdt, ({ paper }) => paper.USDT, AMOUNT],
  [paperUsd, ({ paper }) => paper.USD, AMOUNT],
  [paperBtc, ({ paper }) => paper.BTC, AMOUNT],
  [paperEth, ({ paper }) => paper.ETH, AMOUNT],
  [maxConnections, (it) => it.maxConnections, NOT_NEGATIVE],
  [maxSignals, (it) => it.maxSignals, COUNT],
  [maxStrategies, (it) => it.maxStrategies, COUNT],
  [maxPairs, (it) => it.maxPairs, COUNT]
]

/** The bounds that a value violates, if any. */
export const brokenBy = (name: string, value: unknown): Option.Option<Bounds> =>
  Option.fromNullable(RULES.find(([setting]) => setting.name === name)).pipe(
    Option.map(([, , bounds]) => bounds),
    Option.filter((bounds) => typeof value === "number" && !isWithin(bounds, value))
  )

const IDS = /^(?:[1-9]\d{0,14}(?:,[1-9]\d{0,14})*)?$/
const idsOf = (written: string): ReadonlyArray<number> =>
  written === "" ? [] : written.split(",").map((id) => Number(id))

/** Strategy ids that the operator sets aside or takes back at the start. */
export const admissionOf = ({ withStrategy, withoutStrategy }: ServerOptions) => ({
  with: idsOf(withStrategy),
  without: idsOf(withoutStrategy)
})

/** One line about the first setting whose value the server cannot use. */
export const errorOf = (options: ServerOptions): Option.Option<string> =>
  Option.orElse(numbersError(options), () => {
    const errors = [
      [withStrategy, options.withStrategy] as const,
      [withoutStrategy, options.withoutStrategy] as const
    ].find(([, written]) => !IDS.test(written))
    return Option.map(
      Option.fromNullable(errors),
      ([{ name, variable }]) => `--${name} (${variable}) takes numbers of strategies, like 3 or 3,7`
    )
  })

const numbersError = (options: ServerOptions): Option.Option<string> =>
  Option.map(
    Option.fromNullable(RULES.find(([, of, bounds]) => !isWithin(bounds, of(options)))),
    ([{ name, variable }, of, { words }]) => `--${name} (${variable}) takes ${words}, and not ${of(options)}`
  )
