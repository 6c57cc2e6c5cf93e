// Every setting of the program, once. The command line's options, the environment variables, the configuration file,
// the type of the server's options, help, completions and the documentation's table all come from these records.

import * as Redacted from "effect/Redacted"
import type { QuoteCurrency } from "../domain/Market.ts"
import * as Bounds from "./Bounds.ts"
import { unnamedDatabase } from "./Places.ts"
import { flag, integer, list, number, secret, setting, text } from "./Setting.ts"
import type { Tree } from "./Tree.ts"

/** The listeners: addresses, ports, certificates, and what each serves. */
export const LISTENING = {
  host: setting("host", text, "127.0.0.1", {
    description:
      "address to listen on; by default only this machine can connect, and 0.0.0.0 stands for every IPv4 address of the machine"
  }),
  port: setting("port", integer, 8080, {
    bounds: Bounds.PORT,
    description: "port to listen on; 0 takes a free one"
  }),
  alertHost: setting("alert-host", text, "", {
    description: "address that the second port (--alert-port) listens on; empty means the address of --host"
  }),
  alertPort: setting("alert-port", integer, 0, {
    bounds: Bounds.PORT,
    description:
      "a second port, which serves only the two alert doors (/v1/signals/charting and /v1/signals/alert) and /healthz; 0 opens none"
  }),
  metricsPort: setting("metrics-port", integer, 0, {
    bounds: Bounds.PORT,
    description: "a port of 127.0.0.1 that serves only /metrics, without a token; 0 opens none"
  }),
  dashboard: setting("dashboard", text, "on", {
    bounds: Bounds.oneOf("on", "off"),
    description: "on serves the dashboard at / and the guide at /guide, off serves the API alone"
  }),
  tlsCert: setting("tls-cert", text, "", {
    description:
      "PEM file with the certificate and its chain; with it and --tls-key, --port and --alert-port speak https, and a changed file is read without a restart; empty means plain http",
    example: "/etc/signalbox/cert.pem"
  }),
  tlsKey: setting("tls-key", text, "", {
    description:
      "PEM file with the certificate's private key, which no other user may read; needed with --tls-cert; empty means plain http",
    example: "/etc/signalbox/key.pem"
  }),
  trustedProxies: setting("trusted-proxies", text, "", {
    description:
      "addresses and CIDR blocks of the proxies in front of the server, separated by commas; the server believes X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host from them alone; empty means from nobody",
    example: "127.0.0.1,10.0.0.0/8"
  }),
  maxConnections: setting("max-connections", integer, 256, {
    bounds: Bounds.NOT_NEGATIVE,
    description:
      "connections that one peer (an IPv4 address, or the first 64 bits of an IPv6 address) may hold open, and at most half of all that the process can hold (ulimit -n); the server closes those beyond, first the ones that never got an answer; 127.0.0.1, ::1 and trusted proxies have no limit of their own; 0 lifts the limit for all; works on Linux only"
  })
}

const STORAGE = {
  db: setting("db", text, "", {
    found: { words: "signalbox.db in the service's or the user's data folder", config: unnamedDatabase },
    description: "path of the database file; signalbox serve creates it"
  }),
  database: setting("database", secret, Redacted.make(""), {
    bounds: Bounds.POSTGRES,
    description:
      "address of a Postgres database to use instead of a file; the variable keeps its password out of the list of processes; empty means the file",
    example: "postgres://signalbox@localhost/signalbox"
  })
}

const CLUSTER = {
  cluster: setting("cluster", flag, false, {
    description:
      "join the other servers of the Postgres database (--database) as one of its nodes; without it the database is this server's alone"
  }),
  nodeHost: setting("node-host", text, "127.0.0.1", {
    description:
      "with --cluster, address at which the other nodes reach this one; beyond 127.0.0.1 it needs --tls-cert and --tls-key",
    example: "10.0.0.2"
  }),
  nodePort: setting("node-port", integer, 8090, {
    bounds: Bounds.PORT,
    description: "with --cluster, port at which the other nodes reach this one; 0 takes a free one"
  })
}

const PRICES = {
  prices: setting("prices", text, "live", {
    description:
      "where prices come from: live (streams of the exchanges), none (no prices: nothing is traded), or replay:PATH (a candle file, or a folder of them)",
    example: "replay:candles/binance_BTC-USDT.csv.gz"
  }),
  record: setting("record", text, "on", {
    bounds: Bounds.oneOf("on", "off"),
    description:
      "on stores one-minute candles of every watched market in the folder candles beside the database, for charts and back-tests, while at least 1 GB of disk is free; off stores none; counts only with --prices live"
  }),
  recordDays: setting("record-days", integer, 400, {
    bounds: Bounds.NOT_NEGATIVE,
    description:
      "days that recorded candles are kept, in whole months; downloaded candles stay; 0 keeps them for ever"
  }),
  recordGb: setting("record-gb", number, 5, {
    bounds: Bounds.NOT_NEGATIVE,
    description:
      "gigabytes that all stored candles may take before the oldest recorded months are removed; 0 sets no bound"
  }),
  exchangeUrls: setting("exchange-urls", text, "", {
    description:
      "base addresses to use instead of the exchanges' own, for a gateway or a test server, separated by commas; empty means the exchanges' own",
    example: "binance=http://127.0.0.1:7001,kraken=http://127.0.0.1:7002"
  }),
  replaySpeed: setting("replay-speed", number, 60, {
    bounds: Bounds.POSITIVE,
    description: "how many times faster than real time a replay runs; counts only with --prices replay:PATH"
  }),
  anyTime: setting("any-time", flag, false, {
    description:
      "read the times in a replay's candle files as milliseconds of any year; without it, they must lie between 2009 and a year from now"
  })
}

const paper = (currency: QuoteCurrency, balance: number) =>
  setting(`paper-${currency.toLowerCase()}`, number, balance, {
    bounds: Bounds.AMOUNT,
    description: `paper balance in ${currency} that a strategy with this quote currency starts with; 0 leaves it nothing to buy with`
  })

const TRADING = {
  staleAfter: setting("stale-after", integer, 300, {
    bounds: Bounds.NOT_NEGATIVE,
    description:
      "age in seconds beyond which an entry alert is ignored as stale; 0 ignores every entry that is not decided at once; has no effect in a replay"
  }),
  priceWait: setting("price-wait", integer, 10, {
    bounds: Bounds.NOT_NEGATIVE,
    description:
      "seconds that an entry alert waits for a fresh price before it is ignored; 0 means it does not wait; has no effect in a replay"
  }),
  paper: {
    USDT: paper("USDT", 10_000),
    USD: paper("USD", 10_000),
    BTC: paper("BTC", 1),
    ETH: paper("ETH", 10)
  },
  paperFills: setting("paper-fills", text, "", {
    bounds: Bounds.PAPER_FILLS,
    description:
      "makes the fills of paper trading nearer to life than whole, at once, at the price of the decision: slippage, a spread for prices that have none, latency, limits that the price has to go through; real money is never concerned; latency counts only with --prices live; empty leaves fills as they are",
    example: "slippage=0.05%,spread=0.02%,latency=500ms,limits=through"
  }),
  withoutStrategy: setting("without-strategy", list, "", {
    bounds: Bounds.STRATEGIES,
    description:
      "ids of strategies to set aside at this start, separated by commas or given in several options; the bot of such a strategy does nothing until the strategy gets new settings; empty sets none aside"
  }),
  withStrategy: setting("with-strategy", list, "", {
    bounds: Bounds.STRATEGIES,
    description:
      "ids of strategies that were set aside and shall go on from this start, separated by commas or given in several options; empty changes none"
  })
}

const LIMITS = {
  crudRate: setting("crud-rate", integer, 2, {
    bounds: Bounds.NOT_NEGATIVE,
    description:
      "requests a second that an account may make to signals, and as many each to strategies, notifications and tokens; 0 lifts these limits and that of the dashboard's reads"
  }),
  alertRate: setting("alert-rate", integer, 30, {
    bounds: Bounds.NOT_NEGATIVE,
    description:
      "alerts a second that an account may send through each of the two alert doors, and requests a second with which it may read alerts, outcomes and other records; 0 lifts these limits"
  }),
  maxSignals: setting("max-signals", integer, 1000, {
    bounds: Bounds.COUNT,
    description: "signals that an account may have"
  }),
  maxStrategies: setting("max-strategies", integer, 1000, {
    bounds: Bounds.COUNT,
    description: "strategies that an account may have"
  }),
  maxPairs: setting("max-pairs", integer, 200, {
    bounds: Bounds.COUNT,
    description: "pairs that a strategy may list"
  })
}

const NOTIFICATIONS = {
  allowPrivateTargets: setting("allow-private-targets", flag, false, {
    description:
      "let notifications go to addresses of a private network, and by plain http; without it, only to public addresses by https"
  }),
  telegramUrl: setting("telegram-url", text, "https://api.telegram.org", {
    description: "base address of Telegram's API"
  })
}

/** The program's own: it starts itself anew for each refresh. */
const MARKETS = {
  refreshMarkets: setting("refresh-markets", integer, 24, {
    bounds: Bounds.NOT_NEGATIVE,
    description:
      "hours between two refreshes of all markets from their exchanges, the first soon after the start; 0 means never; counts only with --prices live and without --exchange-urls"
  })
}

/** The program's own: an app that embeds the server has a log of its own. */
const LOG = {
  logFormat: setting("log-format", text, "auto", {
    bounds: Bounds.oneOf("json", "pretty", "auto"),
    description:
      "how the log is written to standard error: json (an object on each line), pretty (for people), or auto (pretty on a terminal, else json)"
  })
}

/** The settings of the server: the keys are those of `ServerOptions`. */
export const SERVER = {
  ...LISTENING,
  ...STORAGE,
  ...CLUSTER,
  ...PRICES,
  ...TRADING,
  ...LIMITS,
  ...NOTIFICATIONS
}

/** All settings. */
export const SETTINGS = { ...SERVER, ...MARKETS, ...LOG }

/** All settings under headings, for the documentation. */
export const HEADINGS: ReadonlyArray<readonly [heading: string, settings: Tree]> = [
  ["Addresses and connections", LISTENING],
  ["Database", STORAGE],
  ["Several machines", CLUSTER],
  ["Prices", PRICES],
  ["Markets", MARKETS],
  ["Trading", TRADING],
  ["Limits", LIMITS],
  ["Notifications", NOTIFICATIONS],
  ["Log", LOG]
]
