import * as Config from "effect/Config"
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

export const host = setting("host", Config.string, "127.0.0.1", "address to listen on")
export const port = setting("port", Config.integer, 8080, "port to listen on; 0 picks a free one")
export const prices = setting(
  "prices",
  Config.string,
  "none",
  "where prices come from: none, or replay:PATH, a candle file or a folder of them"
)
export const replaySpeed = setting(
  "replay-speed",
  Config.number,
  60,
  "how many times faster than life a replay runs"
)
export const crudRate = setting(
  "crud-rate",
  Config.integer,
  2,
  "requests a second that an account may make to signals, and likewise to strategies; 0 lifts the limit"
)
export const alertRate = setting(
  "alert-rate",
  Config.integer,
  30,
  "alerts a second that an account may send through each of the two doors; 0 lifts the limit"
)
export const staleAfter = setting(
  "stale-after",
  Config.integer,
  300,
  "seconds after which an entry alert is too old to act on"
)
export const priceWait = setting(
  "price-wait",
  Config.integer,
  10,
  "seconds that an entry alert waits for a fresh price"
)
export const paperUsdt = setting(
  "paper-usdt",
  Config.number,
  10_000,
  "starting balance of a strategy in USDT"
)
export const paperUsd = setting("paper-usd", Config.number, 10_000, "starting balance of a strategy in USD")
export const paperBtc = setting("paper-btc", Config.number, 1, "starting balance of a strategy in BTC")
export const paperEth = setting("paper-eth", Config.number, 10, "starting balance of a strategy in ETH")
export const maxSignals = setting("max-signals", Config.integer, 1000, "signals that an account may hold")
export const maxStrategies = setting(
  "max-strategies",
  Config.integer,
  1000,
  "strategies that an account may hold"
)
export const trustedProxies = setting(
  "trusted-proxies",
  Config.string,
  "",
  "addresses and CIDR blocks of proxies, with commas between, whose X-Forwarded-For is believed"
)
export const maxPairs = setting("max-pairs", Config.integer, 200, "pairs that a strategy may list")

/** The database file where none is named: in systemd's state folder, else in the user's data folder. */
export const unnamedDatabase: Config.Config<string> = Config.string("STATE_DIRECTORY").pipe(
  Config.map((folder) => `${folder}/signalbox.db`),
  Config.orElse(() =>
    Config.map(Config.string("XDG_DATA_HOME"), (folder) => `${folder}/signalbox/signalbox.db`)
  ),
  Config.orElse(() =>
    Config.map(Config.string("HOME"), (home) => `${home}/.local/share/signalbox/signalbox.db`)
  )
)

/** The database file: `SIGNALBOX_DB`, else the unnamed one. Fails only where there is not even a home folder. */
export const database: Config.Config<string> = Config.orElse(
  Config.string("SIGNALBOX_DB"),
  () => unnamedDatabase
)

/** All that `serve` is told. Rates by the second, times in seconds, money in the currency's own unit. */
export interface ServerOptions {
  readonly host: string
  readonly port: number
  readonly trustedProxies: string
  readonly db: string
  readonly prices: string
  readonly replaySpeed: number
  readonly crudRate: number
  readonly alertRate: number
  readonly staleAfter: number
  readonly priceWait: number
  readonly paper: { readonly USDT: number; readonly USD: number; readonly BTC: number; readonly ETH: number }
  readonly maxSignals: number
  readonly maxStrategies: number
  readonly maxPairs: number
}

const read = <A>({ config, fallback }: Setting<A>): Config.Config<A> => Config.withDefault(config, fallback)

/** The same from the environment alone, for those who embed the server. */
export const serverOptions: Config.Config<ServerOptions> = Config.all({
  host: read(host),
  port: read(port),
  trustedProxies: read(trustedProxies),
  db: database,
  prices: read(prices),
  replaySpeed: read(replaySpeed),
  crudRate: read(crudRate),
  alertRate: read(alertRate),
  staleAfter: read(staleAfter),
  priceWait: read(priceWait),
  paper: Config.all({ USDT: read(paperUsdt), USD: read(paperUsd), BTC: read(paperBtc), ETH: read(paperEth) }),
  maxSignals: read(maxSignals),
  maxStrategies: read(maxStrategies),
  maxPairs: read(maxPairs)
})

/** Where prices come from, in parts; none where the text is not understood. */
export const parsePrices = (text: string): Option.Option<{ readonly replay: Option.Option<string> }> => {
  if (text === "none") return Option.some({ replay: Option.none() })
  return text.startsWith("replay:") && text.length > 7
    ? Option.some({ replay: Option.some(text.slice(7)) })
    : Option.none()
}
