// The composition root of the real server, and the only file that knows every folder. Runs on Bun only.
import type * as SqlClient from "@effect/sql/SqlClient"
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import manifest from "../package.json" with { type: "json" }
import * as Backtests from "./backtests/Children.ts"
import * as Composition from "./Composition.ts"
import * as Config from "./Config.ts"
import * as Decimal from "./domain/Decimal.ts"
import { clusterRefusal } from "./domain/internal/ClusterSettings.ts"
import * as Database from "./domain/requests/Database.ts"
import { SettingRefused } from "./domain/requests/SettingRefused.ts"
import { Connections } from "./exchange/Connections.ts"
import * as Exchanges from "./exchange/Exchanges.ts"
import * as Wallets from "./exchange/Wallets.ts"
import * as Feed from "./Feed.ts"
import type { CertificateRefused } from "./http/edge/Certificate.ts"
import type { ServeError } from "./http/edge/Listener.ts"
import * as Proxies from "./http/edge/Proxies.ts"
import { docs, docsBeside } from "./http/ReferencePage.ts"
import { type Server as Served, serve, sha256 } from "./http/serve.ts"
import { manualForm } from "./http/views/ManualViews.ts"
import * as Telemetry from "./otlp/Telemetry.ts"
import * as Post from "./outbound/Post.ts"
import type { RecordingUnreadable } from "./prices/CandleFiles.ts"
import { dataFolderOf } from "./prices/tape/Place.ts"
import * as Records from "./Records.ts"
import * as PaperOnly from "./services/arming/PaperOnly.ts"
import type { Backtester } from "./services/Backtester.ts"
import { EngineLimits } from "./services/engine/EngineLimits.ts"
import * as ManualForms from "./services/engine/orders/ManualForms.ts"
import * as EquitySampler from "./services/equity/EquitySampler.ts"
import { Limits } from "./services/health/Limits.ts"
import { Meters } from "./services/health/Meters.ts"
import * as OutageAnnouncer from "./services/health/OutageAnnouncer.ts"
import { Digest } from "./services/internal/Digest.ts"
import * as ChatListener from "./services/notify/ChatListener.ts"
import * as Couriers from "./services/notify/Couriers.ts"
import { Tickers } from "./services/Tickers.ts"
import type { ChangeWatch } from "./sql/client/ChangeWatch.ts"
import type { DatabaseNewer, DatabaseServed, DatabaseUnavailable } from "./sql/client/DatabaseErrors.ts"
import type { Ownership } from "./sql/client/Ownership.ts"
import type { AlertPatience } from "./trading/AlertPatience.ts"
import * as MasterKey from "./vault/MasterKey.ts"
import { sources } from "./vault/Sources.ts"
import * as Vault from "./vault/Vault.ts"
import * as Assets from "./web/Assets.ts"
import { GUIDE_PATH, headingOf } from "./web/guide/Addresses.ts"

/** The running server: its addresses, and a description of its price source. */
export class Server extends Context.Tag("signalbox/Server")<Server, Served & { readonly prices: string }>() {}

/** Every setting of the server. */
export type ServerOptions = Config.ServerOptions
export { SettingRefused }

/** The server's services, without its listener. */
export type Services =
  | Composition.UseCases
  | Composition.Ports
  | Connections
  | ChangeWatch
  | Ownership
  | SqlClient.SqlClient

/** The services that layers of your own may use. */
export type Beneath = Exclude<Services, Composition.UseCases | Backtester>

/** Why a server does not start on its database and its settings. */
export type StartError = SettingRefused | DatabaseNewer | DatabaseServed | DatabaseUnavailable

/** Why it does not listen, or has no prices. */
export type ListenError = CertificateRefused | ConfigError | RecordingUnreadable | ServeError

/** The whole server on its database. Closing the scope finishes requests in flight, then stores the bots' state. */
export const layer = (options: ServerOptions): Layer.Layer<Server | Services, StartError | ListenError> =>
  layerWith(Layer.empty, options)

/**
 * The server with layers of your own, like `Validation.with(rule)`, which may use the services that they replace.
 */
export const layerWith = <Own, E, Needs>(
  own: Layer.Layer<Own, E, Needs>,
  options: ServerOptions
): Layer.Layer<Own | Server | Services, E | StartError | ListenError, Exclude<Needs, Beneath>> =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      yield* checked(options)
      const node = yield* nodeOf(options)
      const { feed, money, patience } = yield* Feed.of(options)
      const served = Layer.provideMerge(domainWith(own, { ...options, node }, patience, money), feed)
      const needed: Layer.Layer<Services, E | StartError, Exclude<Needs, Beneath>> = served
      // A node listens to the others first, and for longest: it gives its bots back while requests are still answered.
      const front = Layer.provide(listening(options), node?.running ?? Layer.empty)
      return Layer.merge(served, Layer.provide(front, needed)).pipe(
        Layer.provide(Layer.merge(Meters.layer, telemetry))
      )
    })
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
export const layerConfig: Layer.Layer<Server | Services, StartError | ListenError> = Layer.unwrapEffect(
  Effect.map(settings, (options) => layer(options))
)

/** Everything below http, over any price source. */
export const domain = (
  options: ServerOptions,
  patience: AlertPatience
): Layer.Layer<Services, StartError, Composition.Prices> =>
  domainWith(Layer.empty, options, patience, Feed.direct())

/** The options, and the server's part in a cluster, if it has one. */
interface Placed extends ServerOptions {
  readonly node?: Effect.Effect.Success<ReturnType<typeof nodeOf>>
}

const domainWith = <Own, E, Needs>(
  own: Layer.Layer<Own, E, Needs>,
  options: Placed,
  patience: AlertPatience,
  money: Feed.Money
): Layer.Layer<Own | Services, E | StartError, Exclude<Needs, Beneath> | Composition.Prices> => {
  const notifying = notifyingOf(options)
  const replaced = Layer.provideMerge(own, beneath(options, money))
  const read: Layer.Layer<Beneath, E | StartError, Exclude<Needs, Beneath> | Composition.Prices> = replaced
  const beside = Backtests.layer({
    database: options.db,
    paperFills: Config.paperFillsOf(options.paperFills),
    ...(Database.isAbsent(options.database) ? {} : { postgres: options.database })
  })
  const ports = Layer.merge(Layer.provide(beside, read), replaced)
  const placed = {
    ...notifying,
    ...Config.admissionOf(options),
    ...(money.feed === "Live" ? {} : { closed: PaperOnly.NOT_LIVE }),
    ...(options.node === undefined ? {} : { isShared: true }),
    maxPairs: options.maxPairs,
    paper: paperOf(options),
    paperFills: Config.paperFillsOf(options.paperFills),
    patience
  }
  const server = Composition.over(ports, placed, options.node?.routes).pipe(
    Layer.provide([Layer.succeed(Digest, sha256), EngineLimits.layer(!Database.isAbsent(options.database))])
  )
  const sampled: Layer.Layer<Services, E | StartError, Exclude<Needs, Beneath> | Composition.Prices> = server
  const running = Layer.mergeAll(
    EquitySampler.layer,
    ChatListener.layer(notifying),
    Couriers.layer(notifying),
    OutageAnnouncer.layer,
    Records.layerRetention
  )
  return Layer.merge(server, Layer.provide(running, sampled))
}

/** Everything but the use cases: the database, exchanges and prices. */
const beneath = (options: Placed, money: Feed.Money) => {
  const rates = { alert: options.alertRate, crud: options.crudRate }
  const rules = Composition.rules(rates)
  return Layer.mergeAll(
    Layer.context<Composition.Prices>(),
    options.node === undefined ? rules : Layer.merge(rules, Records.layerRateLimits(rates)),
    Exchanges.layer,
    Wallets.layer,
    Post.layer(notifyingOf(options)),
    money.feed === "Replay" ? PaperOnly.layer : Layer.empty
  ).pipe(Layer.provideMerge(Connections.layer(money)), Layer.provideMerge(stored(options)))
}

const stored = (options: Placed) =>
  Layer.merge(Records.layerExchangeAccounts, Records.layerTargets).pipe(
    Layer.provide(Vault.layer),
    Layer.provideMerge(recordsOf(options)),
    Layer.provide(Layer.succeed(Limits, { signals: options.maxSignals, strategies: options.maxStrategies }))
  )

const recordsOf = (options: Placed) => {
  const [database, folder] = [Database.of(options), dataFolderOf(options.db)]
  const { version } = manifest
  return options.node !== undefined && database._tag === "Postgres"
    ? Records.layerNode(database, folder, { version, protocol: options.node.protocol })
    : Records.layerServed(database, folder)
}

/** The options of the listeners. */
export type Listening = Config.Listening

/** Settings for sending notifications, shared by the server and the commands. */
export const notifyingOf = (options: Pick<ServerOptions, "allowPrivateTargets" | "telegramUrl">) => ({
  allowPrivate: options.allowPrivateTargets,
  telegramUrl: options.telegramUrl
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
        ...(options.dashboard === "off"
          ? { docs }
          : {
              docs: docsBeside({ guide: GUIDE_PATH }),
              pages: Assets.make(),
              help: (code: string) => headingOf("errors", code)
            }),
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

/** Makes this server a node of a cluster. Other servers never load that code. */
const nodeOf = Effect.fnUntraced(function* (options: ServerOptions) {
  if (!options.cluster) return undefined
  const { bytes } = yield* Effect.mapError(
    Effect.flatMap(Effect.orDie(sources), MasterKey.read),
    ({ reason }) => new SettingRefused({ message: `the nodes of a cluster share a master key: ${reason}` })
  )
  const Node = yield* Effect.promise(() => import("./cluster/Node.ts"))
  const { nodeHost: host, nodePort: port, tlsCert, tlsKey } = options
  return Node.make({
    place: { host, port },
    masterKey: bytes,
    certificate: yield* Node.certificateOf({ certificate: tlsCert, key: tlsKey }),
    forms: [ManualForms.text, manualForm]
  })
})

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

/** An own currency does not take the place of one that has a setting. */
const paperOf = ({ ownPaper, paper }: ServerOptions) => ({
  ...Record.map(ownPaper ?? {}, Decimal.fromNumber),
  ...Record.map(paper, Decimal.fromNumber)
})

/** Refuses bad settings before a database is made. */
const checked = Effect.fnUntraced(function* (options: ServerOptions) {
  const error = Config.errorOf(options)
  if (Option.isSome(error)) return yield* new SettingRefused({ message: error.value })
  if ((options.tlsCert === "") !== (options.tlsKey === "")) {
    return yield* new SettingRefused({ message: "--tls-cert and --tls-key go together" })
  }
  const isPostgres = !Database.isAbsent(options.database)
  const refusal =
    Config.paperFillsRefusal(options.paperFills, options.prices) ?? clusterRefusal({ ...options, isPostgres })
  if (refusal !== undefined) return yield* new SettingRefused({ message: refusal })
  yield* proxiesOf(options)
})
