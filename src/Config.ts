import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Either from "effect/Either"
import * as Option from "effect/Option"

/** One setting: its name on the command line and in the environment (`SIGNALBOX_…`), its default, what it does. */
export interface Setting<A> {
  readonly name: string
  readonly variable: string
  readonly config: Config.Config<A>
  readonly fallback: A
  readonly description: string
}

const setting = <A>(
  name: string,
  read: (variable: string) => Config.Config<A>,
  fallback: A,
  description: string
): Setting<A> => {
  const variable = `SIGNALBOX_${name.toUpperCase().replaceAll("-", "_")}`
  return { name, variable, config: read(variable), fallback, description }
}

// A variable that is empty counts as one that is not set.
const text = Config.nonEmptyString
const numeric = (isWhole: boolean) => (variable: string) =>
  Config.mapOrFail(Config.nonEmptyString(variable), (written) => {
    const value = Number(written)
    return Number.isNaN(value) || (isWhole && !Number.isInteger(value))
      ? Either.left(ConfigError.InvalidData([], `${isWhole ? "a whole number" : "a number"} is expected`))
      : Either.right(value)
  })
const flag = (variable: string) => Config.boolean(variable)
const integer = numeric(true)
const number = numeric(false)

export const host = setting("host", text, "127.0.0.1", "address to listen on")
export const port = setting("port", integer, 8080, "port to listen on; 0 picks a free one")
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
export const replaySpeed = setting(
  "replay-speed",
  number,
  60,
  "how many times faster than life a replay runs"
)
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

/** The database file where none is named: in systemd's state folder, else in the user's data folder. */
export const unnamedDatabase: Config.Config<string> = text("STATE_DIRECTORY").pipe(
  Config.map((folder) => `${folder}/signalbox.db`),
  Config.orElse(() => Config.map(text("XDG_DATA_HOME"), (folder) => `${folder}/signalbox/signalbox.db`)),
  Config.orElse(() => Config.map(text("HOME"), (home) => `${home}/.local/share/signalbox/signalbox.db`))
)

/** The database file: `SIGNALBOX_DB`, else the unnamed one. Fails only where there is not even a home folder. */
export const database: Config.Config<string> = Config.orElse(text("SIGNALBOX_DB"), () => unnamedDatabase)

/** All that `serve` is told. Rates by the second, times in seconds, money in the currency's own unit. */
export interface ServerOptions {
  readonly host: string
  readonly port: number
  readonly trustedProxies: string
  readonly db: string
  readonly prices: string
  readonly record: boolean
  readonly exchangeUrls: string
  readonly replaySpeed: number
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
}

const read = <A>({ config, fallback }: Setting<A>): Config.Config<A> => Config.withDefault(config, fallback)

/** The same from the environment alone, for those who embed the server. */
export const serverOptions: Config.Config<ServerOptions> = Config.all({
  host: read(host),
  port: read(port),
  trustedProxies: read(trustedProxies),
  db: database,
  prices: read(prices),
  record: read(record),
  exchangeUrls: read(exchangeUrls),
  replaySpeed: read(replaySpeed),
  crudRate: read(crudRate),
  alertRate: read(alertRate),
  staleAfter: read(staleAfter),
  priceWait: read(priceWait),
  paper: Config.all({ USDT: read(paperUsdt), USD: read(paperUsd), BTC: read(paperBtc), ETH: read(paperEth) }),
  maxSignals: read(maxSignals),
  maxStrategies: read(maxStrategies),
  maxPairs: read(maxPairs),
  allowPrivateTargets: read(allowPrivateTargets),
  telegramUrl: read(telegramUrl)
})

type Rule = readonly [Setting<number>, (options: ServerOptions) => number, Bounds]
interface Bounds {
  readonly least: number
  readonly most?: number
  readonly words: string
}
const NOT_NEGATIVE: Bounds = { least: 0, words: "a number of 0 or more" }
const COUNT: Bounds = { least: 1, words: "a number of 1 or more" }

const RULES: ReadonlyArray<Rule> = [
  [port, ({ port }) => port, { least: 0, most: 65_535, words: "a number from 0 to 65535" }],
  [replaySpeed, (it) => it.replaySpeed, { least: Number.MIN_VALUE, words: "a number above 0" }],
  [crudRate, (it) => it.crudRate, NOT_NEGATIVE],
  [alertRate, (it) => it.alertRate, NOT_NEGATIVE],
  [staleAfter, (it) => it.staleAfter, NOT_NEGATIVE],
  [priceWait, (it) => it.priceWait, NOT_NEGATIVE],
  [paperUsdt, ({ paper }) => paper.USDT, NOT_NEGATIVE],
  [paperUsd, ({ paper }) => paper.USD, NOT_NEGATIVE],
  [paperBtc, ({ paper }) => paper.BTC, NOT_NEGATIVE],
  [paperEth, ({ paper }) => paper.ETH, NOT_NEGATIVE],
  [maxSignals, (it) => it.maxSignals, COUNT],
  [maxStrategies, (it) => it.maxStrategies, COUNT],
  [maxPairs, (it) => it.maxPairs, COUNT]
]

/** What is wrong with the first number that cannot be served with, in a line. */
export const flawOf = (options: ServerOptions): Option.Option<string> =>
  Option.map(
    Option.fromNullable(
      RULES.find(
        ([, of, { least, most = Number.MAX_VALUE }]) => !(of(options) >= least && of(options) <= most)
      )
    ),
    ([{ name, variable }, of, { words }]) => `--${name} (${variable}) takes ${words}, and not ${of(options)}`
  )

/** Where prices come from. */
export type PriceSource =
  | { readonly _tag: "Live" }
  | { readonly _tag: "None" }
  | { readonly _tag: "Replay"; readonly path: string }

/** None where the text is not understood. */
export const parsePrices = (text: string): Option.Option<PriceSource> => {
  if (text === "live") return Option.some({ _tag: "Live" })
  if (text === "none") return Option.some({ _tag: "None" })
  return text.startsWith("replay:") && text.length > 7
    ? Option.some({ _tag: "Replay", path: text.slice(7) })
    : Option.none()
}
