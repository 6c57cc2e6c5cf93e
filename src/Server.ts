// The composition root of the real server, and the only file that knows every folder. Runs on Bun only.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import manifest from "../package.json" with { type: "json" }
import * as Backtests from "./backtests/Children.ts"
import * as Config from "./Config.ts"
import * as Addresses from "./ccxt/Addresses.ts"
import * as Pauses from "./ccxt/Pauses.ts"
import * as Decimal from "./domain/Decimal.ts"
import { SettingRefused } from "./domain/requests/SettingRefused.ts"
import { type Options as ConnectionOptions, Connections } from "./exchange/Connections.ts"
import * as Exchanges from "./exchange/Exchanges.ts"
import * as Wallets from "./exchange/Wallets.ts"
import * as Proxies from "./http/edge/Proxies.ts"
import { type Server as Served, serve } from "./http/serve.ts"
import * as Telemetry from "./otlp/Telemetry.ts"
import * as Post from "./outbound/Post.ts"
import * as CandleFiles from "./prices/CandleFiles.ts"
import * as Recorded from "./prices/Recorded.ts"
import * as Replay from "./prices/Replay.ts"
import * as ReplayClock from "./prices/ReplayClock.ts"
import * as Replayed from "./prices/Replayed.ts"
import * as Source from "./prices/Source.ts"
import * as Streaming from "./prices/streaming/Streaming.ts"
import * as Tape from "./prices/Tape.ts"
import { dataFolderOf } from "./prices/tape/Place.ts"
import { Alerts } from "./services/Alerts.ts"
import { Arming } from "./services/Arming.ts"
import * as LivePricesOnly from "./services/arming/LivePricesOnly.ts"
import { Bots } from "./services/Bots.ts"
import { Charts } from "./services/feeds/Charts.ts"
import * as StreamingFeed from "./services/feeds/StreamingFeed.ts"
import { Limits } from "./services/health/Limits.ts"
import { Meters } from "./services/health/Meters.ts"
import * as OutageAnnouncer from "./services/health/OutageAnnouncer.ts"
import { Refusals } from "./services/health/Refusals.ts"
import * as CommandRunner from "./services/money/CommandRunner.ts"
import { ExchangeDesk } from "./services/money/ExchangeDesk.ts"
import { Notifications } from "./services/Notifications.ts"
import { Performance } from "./services/Performance.ts"
import * as PriceFeed from "./services/PriceFeed.ts"
import * as Notifier from "./services/people/Notifier.ts"
import { RateLimits } from "./services/RateLimits.ts"
import { Overview } from "./services/records/Overview.ts"
import { StrategyPages } from "./services/records/StrategyPages.ts"
import { Strategies } from "./services/Strategies.ts"
import { Tickers } from "./services/Tickers.ts"
import { Tokens } from "./services/Tokens.ts"
import { Validation } from "./services/Validation.ts"
import * as Sqlite from "./sqlite/Sqlite.ts"
import { ENDLESS_PATIENCE, type Patience } from "./trading/Patience.ts"
import * as Vault from "./vault/Vault.ts"
import * as Assets from "./web/Assets.ts"

/** The running server: its addresses, and a description of its price source. */
export class Server extends Context.Tag("signalbox/Server")<Server, Served & { readonly prices: string }>() {}

/** Every setting of the server. */
export type ServerOptions = Config.ServerOptions
export { SettingRefused }

/** The whole server on its database. Closing the scope finishes requests in flight, then stores the bots' state. */
export const layer = (options: ServerOptions) => layerWith(Layer.empty, options)

/**
 * The server with layers of your own, like `Validation.with(rule)`, which may use the services that they replace.
 */
export const layerWith = <Own, E, Beneath>(own: Layer.Layer<Own, E, Beneath>, options: ServerOptions) =>
  Layer.unwrapEffect(
    Effect.map(feedOf(options), ({ feed, money, patience }) =>
      listening(options).pipe(
        Layer.provideMerge(domainWith(own, options, patience, money)),
        Layer.provideMerge(feed),
        Layer.provide(Layer.merge(Meters.layer, telemetry))
      )
    )
  )

/** Sends telemetry where OpenTelemetry's variables name an endpoint; loaded only then. */
export const telemetry = Telemetry.layer(manifest.version)

/** Every setting from the environment, else its default. */
export const settings = Config.serverOptions

/**
 * The same with every setting from the environment.
 *
 * @example
 * ```ts
 * import { BunRuntime } from "@effect/platform-bun"
 * import { Layer } from "effect"
 * import * as Server from "signalbox/server"
 *
 * BunRuntime.runMain(Layer.launch(Server.layerConfig))
 * ```
 */
export const layerConfig = Layer.unwrapEffect(Effect.map(settings, (options) => layer(options)))

/** Everything below http, over any price source. */
export const domain = (options: ServerOptions, patience: Patience) =>
  domainWith(Layer.empty, options, patience, { feed: "Live", urls: new Map(), pauses: Pauses.make() })

/**
 * The price source (only streaming prices may move real money), the exchanges' addresses, and the pauses that
 * exchanges asked for.
 */
type Money = Required<Pick<ConnectionOptions, "urls" | "pauses">> & {
  readonly feed: Source.PriceSource["_tag"]
}

const domainWith = <Own, E, Beneath>(
  own: Layer.Layer<Own, E, Beneath>,
  options: ServerOptions,
  patience: Patience,
  money: Money
) =>
  Layer.mergeAll(
    StrategyPages.layer({ paper: paperOf(options) }),
    Charts.layer({ paper: paperOf(options) }),
    Overview.layer({ paper: paperOf(options) })
  ).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Strategies.layer({ maxPairs: options.maxPairs, paper: paperOf(options) }),
        Alerts.layer,
        Tokens.layer,
        Refusals.layer,
        Notifications.layer(notifyingOf(options)),
        Notifier.layer(notifyingOf(options)),
        Backtests.layer({ database: options.db }),
        OutageAnnouncer.layer
      )
    ),
    Layer.provideMerge(Layer.mergeAll(ExchangeDesk.layer, CommandRunner.layer)),
    Layer.provideMerge(Arming.layer(money.feed === "Live" ? {} : { closed: LivePricesOnly.REASON })),
    Layer.provide(Post.layer(notifyingOf(options))),
    Layer.provideMerge(Bots.layer({ paper: paperOf(options), patience, ...Config.admissionOf(options) })),
    Layer.provideMerge(own),
    Layer.provideMerge(
      Layer.mergeAll(
        Validation.layer,
        Performance.layer,
        ratesOf(options),
        Exchanges.layer,
        Wallets.layer,
        money.feed === "Replay" ? LivePricesOnly.layer : Layer.empty
      )
    ),
    Layer.provideMerge(Connections.layer(money)),
    Layer.provideMerge(
      Layer.provide(Layer.merge(Sqlite.layerExchangeAccounts, Sqlite.layerTargets), Vault.layer)
    ),
    Layer.provideMerge(Sqlite.layerPorts),
    Layer.provideMerge(Sqlite.layerRetention),
    Layer.provideMerge(Sqlite.layerBackups({ filename: options.db })),
    Layer.provideMerge(Sqlite.layer({ filename: options.db })),
    Layer.provideMerge(Sqlite.layerLock({ filename: options.db })),
    Layer.provide(Layer.succeed(Limits, { signals: options.maxSignals, strategies: options.maxStrategies }))
  )

/** Where the server listens, and what it serves there. */
export type Listening = Config.Listening

/** Settings for sending notifications, shared by the server and the commands. */
export const notifyingOf = ({
  allowPrivateTargets,
  telegramUrl
}: Pick<ServerOptions, "allowPrivateTargets" | "telegramUrl">) => ({
  allowPrivate: allowPrivateTargets,
  telegramUrl
})

/** Listens once every layer below is ready. */
export const listening = (options: Listening) =>
  Layer.scoped(
    Server,
    Effect.gen(function* () {
      const { describe } = yield* Tickers
      const proxies = yield* proxiesOf(options)
      const certificates = yield* certificatesOf(options)
      const { alertHost, alertPort, host, metricsPort, port } = options
      const server = yield* serve({
        version: manifest.version,
        host,
        port,
        proxies,
        ...(options.dashboard === "off" ? {} : { pages: Assets.make() }),
        ...(alertPort === 0 ? {} : { alerts: { host: alertHost || host, port: alertPort } }),
        ...(metricsPort === 0 ? {} : { metrics: { port: metricsPort } }),
        ...(certificates === undefined ? {} : { certificates })
      })
      const Doorkeeper = yield* Effect.promise(() => import("./sockets/Doorkeeper.ts"))
      const ports = [server, server.alerts].flatMap((it) => (it === undefined ? [] : [it.port]))
      yield* Effect.forkScoped(Doorkeeper.keep({ ports, proxies, perPeer: options.maxConnections }))
      return { ...server, prices: describe }
    })
  )

/** Loaded only if a certificate is set. */
const certificatesOf = Effect.fnUntraced(function* ({ tlsCert, tlsKey }: Listening) {
  if (tlsCert === "" || tlsKey === "") return undefined
  const Certificates = yield* Effect.promise(() => import("./tls/Certificates.ts"))
  return yield* Certificates.watch({ certificate: tlsCert, key: tlsKey })
})

const proxiesOf = ({ trustedProxies }: Pick<ServerOptions, "trustedProxies">) =>
  Effect.mapError(
    Proxies.parse(trustedProxies),
    () =>
      new SettingRefused({
        message: "--trusted-proxies takes addresses and CIDR blocks: 10.0.0.0/8,::1"
      })
  )

const ratesOf = ({ alertRate, crudRate }: ServerOptions) =>
  RateLimits.layerMemory({ alert: alertRate, crud: crudRate })

const paperOf = ({ paper }: ServerOptions) => Record.map(paper, Decimal.fromNumber)

/** The price source. In a replay an alert waits for the next candle, however far off, as in a back-test. */
const feedOf = Effect.fnUntraced(function* (options: ServerOptions) {
  const error = Config.errorOf(options)
  if (Option.isSome(error)) return yield* new SettingRefused({ message: error.value })
  if ((options.tlsCert === "") !== (options.tlsKey === "")) {
    return yield* new SettingRefused({ message: "--tls-cert and --tls-key go together" })
  }
  // Reject bad settings before a database is made.
  yield* proxiesOf(options)
  const urls = yield* addressesOf(options)
  const source = yield* Effect.mapError(
    Source.parse(options.prices),
    () => new SettingRefused({ message: "--prices takes live, none, or replay:PATH" })
  )
  if (options.record && source._tag !== "Live") {
    return yield* new SettingRefused({
      message: "--record goes with --prices live: there is nothing to record"
    })
  }
  const money = { feed: source._tag, urls, pauses: Pauses.make() }
  const patience = { entryMs: options.staleAfter * 1000, priceMs: options.priceWait * 1000 }
  switch (source._tag) {
    case "None":
      return {
        feed: Layer.merge(PriceFeed.layerNone, Recorded.layer({ folder: dataFolderOf(options.db) })),
        money,
        patience
      }
    case "Live":
      return { feed: live(options, money), money, patience }
    case "Replay":
      return { feed: yield* replayed(source.path, options), money, patience: ENDLESS_PATIENCE }
  }
})

const live = ({ db, record }: ServerOptions, { pauses, urls }: Money) =>
  Layer.merge(Streaming.layer({ urls, record, pauses }), charted(dataFolderOf(db))).pipe(
    Layer.provideMerge(StreamingFeed.layerOf(Streaming.describe(urls))),
    Layer.provide(record ? Tape.layer({ folder: dataFolderOf(db) }) : Tape.Tape.layerNone)
  )

const charted = (folder: string) =>
  Layer.unwrapEffect(Effect.map(StreamingFeed.StreamingFeed, ({ seen }) => Recorded.layer({ folder, seen })))

const replayed = Effect.fnUntraced(function* (path: string, { anyTime, replaySpeed: speed }: ServerOptions) {
  const recordings = yield* CandleFiles.load(path, anyTime)
  const clock = ReplayClock.make(Replay.beginning(recordings), speed)
  const describe = `replay of ${recordings.length} ${recordings.length === 1 ? "recording" : "recordings"}`
  return Replay.layer(recordings, clock, speed).pipe(
    Layer.provideMerge(PriceFeed.layer(describe)),
    Layer.merge(Replayed.layer(recordings)),
    Layer.provideMerge(Layer.setClock(clock))
  )
})

const addressesOf = ({ exchangeUrls }: ServerOptions) =>
  Effect.mapError(
    Addresses.parse(exchangeUrls),
    (error) => new SettingRefused({ message: `--exchange-urls ${error}` })
  )
