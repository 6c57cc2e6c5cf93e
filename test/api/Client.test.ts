// The typed client against a whole server in memory: every operation of the contract is called once.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { HttpApi } from "@effect/platform"
import { Effect, Fiber, Layer, ManagedRuntime, Option, Redacted, Schema, Tracer } from "effect"
import { Api } from "../../src/api/Api.ts"
import type * as Client from "../../src/api/Client.ts"
import * as Problems from "../../src/api/shared/Problems.ts"
import { ExchangeAccountId } from "../../src/domain/Arming.ts"
import { PairingId } from "../../src/domain/notify/Chat.ts"
import type { ListingDraft } from "../../src/domain/requests/StrategyDraft.ts"
import { Http } from "../../src/http/Mount.ts"
import * as Memory from "../../src/Memory.ts"
import { Accounts } from "../../src/services/Accounts.ts"
import { ExchangeAccounts } from "../../src/services/ExchangeAccounts.ts"
import { signalDraft, strategyRequest } from "../../src/testing/Fixtures.ts"
import * as UnlimitedWallets from "../../src/testing/UnlimitedWallets.ts"
import { clientOf } from "../lib/client.ts"
import { undeclared } from "../lib/declared.ts"

const runtime = ManagedRuntime.make(
  Http.layer().pipe(
    Layer.provideMerge(Memory.layerWith(UnlimitedWallets.layer, { rates: { crud: 0, alert: 0 } }))
  )
)

const issue = (scope: "full" | "alerts") =>
  Effect.flatMap(Accounts, (accounts) =>
    Effect.map(accounts.issue("ann", scope, Option.none()), ({ secret }) => secret)
  )

/** Every text in the spans of an effect. */
const traced = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const texts: Array<string> = []
    const tracer = Tracer.make({
      span: (name, parent, context, links, startTime, kind) => ({
        _tag: "Span",
        name,
        parent,
        context,
        links,
        kind,
        spanId: `${texts.length}`,
        traceId: "trace",
        sampled: true,
        status: { _tag: "Started", startTime },
        attributes: new Map(),
        attribute: (key, value) => void texts.push(`${key}=${String(value)}`),
        event: () => {},
        addLinks: () => {},
        end: () => {}
      }),
      context: (execute) => execute()
    })
    yield* Effect.withTracer(self, tracer)
    return texts
  })

test("no span has the token, though the webhook's address has it; other requests are traced", async () => {
  const texts = await runtime.runPromise(
    Effect.gen(function* () {
      const token = yield* issue("full")
      const client = yield* clientOf(token)
      const { id } = yield* client.signals.create({ payload: signalDraft() })
      const payload = alert({ signalId: id })
      const found = yield* traced(
        Effect.zip(client.charting.charting({ payload }), client.signals.list(), { concurrent: false })
      )
      return found.map((text) => (text.includes(Redacted.value(token)) ? "the token" : text))
    })
  )
  expect(texts).toContain("url.path=/v1/signals")
  expect(texts).not.toContain("the token")
})

/** A client, a record of each noun, and what makes another one. */
const make = Effect.gen(function* () {
  const token = yield* issue("full")
  const client = yield* clientOf(token)
  const { identity } = yield* Effect.map(
    Effect.flatMap(Accounts, (accounts) => accounts.authenticate(Redacted.value(token))),
    (found) => ({ identity: Option.getOrThrow(found) })
  )
  const signal = client.signals.create({ payload: signalDraft() })
  const strategy = client.strategies.create({ payload: strategyRequest() })
  const target = client.notifications.create({ payload: { kind: "webhook", url: "https://a.example/" } })
  const connected = (name: string) =>
    Effect.flatMap(ExchangeAccounts, (accounts) =>
      accounts.add(identity.account, {
        ...{ name, exchange: "binance", sandbox: false },
        credentials: { apiKey: Redacted.make("key"), secret: Redacted.make("secret") }
      })
    )
  return {
    ...{ client, token, signal, strategy, target, connected },
    signalId: (yield* signal).id,
    strategyId: (yield* strategy).strategy_id,
    account: (yield* connected("first")).id
  }
})

type World = Effect.Effect.Success<typeof make>
type Services = Http | Accounts | ExchangeAccounts
type Call = (world: World) => Effect.Effect<unknown, unknown, Services>

const alert = ({ signalId }: Pick<World, "signalId">) =>
  ({ signal_id: signalId, coin: "BTC", quote_currency: "USDT", type: "buy" }) as const
const terms = ({ account }: World) => ({ account, capital: 100, max_order: 50, max_daily_loss: 50 })

const copied = ({ client, strategyId }: Pick<World, "client" | "strategyId">) =>
  client.copies.copy({ path: { id: strategyId }, payload: { buy_percentage: 7 }, headers: {} })

const market = { exchange: "binance", pair: "BTC/USDT" } as const

/** One call of each operation. An operation that is missing here does not compile. */
const CALLS: {
  readonly [Group in keyof Client.Client]: { readonly [Name in keyof Client.Client[Group]]: Call }
} = {
  signals: {
    list: ({ client }) => client.signals.list(),
    create: ({ client }) =>
      client.signals.create({ payload: signalDraft(), headers: { "idempotency-key": "k" } }),
    get: ({ client, signalId }) => client.signals.get({ path: { id: signalId } }),
    template: ({ client, signalId }) => client.signals.template({ path: { id: signalId } }),
    update: ({ client, signalId }) =>
      client.signals.update({ path: { id: signalId }, payload: { name: "Other" } }),
    remove: ({ client, signal }) =>
      Effect.flatMap(signal, ({ id }) => client.signals.remove({ path: { id } }))
  },
  positions: {
    // The strategy holds nothing: the typed answer is the refusal.
    close: ({ client, strategyId: id }) =>
      Effect.flip(
        client.positions.close({ path: { id }, payload: { ...market, percent: 50, preview: true } })
      ),
    cancel: ({ client, strategyId: id }) =>
      Effect.flip(client.positions.cancel({ path: { id }, payload: market })),
    targets: ({ client, strategyId: id }) =>
      Effect.flip(client.positions.targets({ path: { id }, payload: { ...market, tp: null } }))
  },
  charting: { charting: (world) => world.client.charting.charting({ payload: alert(world) }) },
  alert: {
    alert: (world) => world.client.alert.alert({ payload: { ...alert(world), test: true } }),
    parse: (world) => world.client.alert.parse({ payload: alert(world) })
  },
  strategies: {
    list: ({ client }) => client.strategies.list({ urlParams: { limit: 5 } }),
    create: ({ client }) => client.strategies.create({ payload: strategyRequest() }),
    get: ({ client, strategyId }) => client.strategies.get({ path: { id: strategyId } }),
    update: ({ client, strategyId }) =>
      client.strategies.update({
        path: { id: strategyId },
        payload: { stop_loss: true, stop_loss_percentage: 5 }
      }),
    remove: ({ client, strategy }) =>
      Effect.flatMap(strategy, ({ strategy_id }) => client.strategies.remove({ path: { id: strategy_id } }))
  },
  public: {
    strategies: ({ client }) => client.public.strategies({ urlParams: { limit: 5, sort: "newest" } }),
    strategy: ({ client }) =>
      Effect.flatMap(
        client.strategies.create({ payload: strategyRequest({ public: true, display_name: "Ann" }) }),
        ({ strategy_id }) => client.public.strategy({ path: { id: strategy_id } })
      ),
    signals: ({ client }) => client.public.signals({ urlParams: {} }),
    signal: ({ client }) =>
      Effect.flatMap(
        client.signals.create({ payload: { ...signalDraft(), public: true, display_name: "Ann" } }),
        ({ id }) => client.public.signal({ path: { id } })
      )
  },
  copies: {
    copy: (world) => copied(world),
    origin: (world) =>
      Effect.flatMap(copied(world), ({ strategy_id }) =>
        world.client.copies.origin({ path: { id: strategy_id } })
      ),
    sync: (world) =>
      Effect.flatMap(copied(world), ({ strategy_id }) =>
        world.client.copies.sync({ path: { id: strategy_id }, headers: {} })
      )
  },
  history: {
    alerts: ({ client }) => client.history.alerts(),
    alert: (world) =>
      Effect.flatMap(Effect.zipRight(sent(world), world.client.history.alerts()), ({ data: [first] }) =>
        first === undefined
          ? Effect.dieMessage("no alert is on record")
          : world.client.history.alert({ path: { id: first.id } })
      ),
    timeline: ({ client, strategyId }) => client.history.timeline({ path: { id: strategyId } })
  },
  events: {
    // A stream ends soon after its token.
    stream: ({ client }) =>
      Effect.gen(function* () {
        const before = new Set((yield* client.tokens.list()).data.map(({ id }) => id))
        const another = yield* clientOf(yield* issue("full"))
        const stream = yield* Effect.fork(another.events.stream())
        yield* Effect.sleep("100 millis")
        for (const { id } of (yield* client.tokens.list()).data)
          if (!before.has(id)) yield* client.tokens.revoke({ path: { id } })
        return yield* Fiber.join(stream)
      })
  },
  notifications: {
    list: ({ client }) => client.notifications.list(),
    create: ({ target }) => target,
    remove: ({ client, target }) =>
      Effect.flatMap(target, ({ id }) => client.notifications.remove({ path: { id } })),
    test: ({ client, target }) =>
      Effect.flatMap(target, ({ id }) => client.notifications.test({ path: { id } })),
    pair: ({ client }) =>
      Effect.flatMap(client.notifications.create({ payload: bot }), ({ id }) =>
        client.notifications.pair({ path: { id } })
      ),
    chats: ({ client }) => client.notifications.chats(),
    // Only a message to the bot pairs a chat.
    unpair: ({ client }) => Effect.flip(client.notifications.unpair({ path: { id: PairingId.make(1) } }))
  },
  dashboard: {
    overview: ({ client }) => client.dashboard.overview(),
    strategies: ({ client }) => client.dashboard.strategies(),
    strategy: ({ client, strategyId }) => client.dashboard.strategy({ path: { id: strategyId } }),
    equity: ({ client, strategyId }) => client.dashboard.equity({ path: { id: strategyId } }),
    figures: ({ client, strategyId }) => client.dashboard.figures({ path: { id: strategyId } }),
    chart: ({ client, strategyId }) =>
      client.dashboard.chart({
        path: { id: strategyId },
        urlParams: { exchange: "binance", pair: "BTC/USDT" }
      }),
    trades: ({ client, strategyId }) => client.dashboard.trades({ path: { id: strategyId } }),
    tradesCsv: ({ client, strategyId }) => client.dashboard.tradesCsv({ path: { id: strategyId } }),
    timeline: ({ client, strategyId }) => client.dashboard.timeline({ path: { id: strategyId } })
  },
  trades: {
    list: ({ client }) => client.trades.list(),
    csv: ({ client }) => client.trades.csv()
  },
  records: {
    signals: ({ client }) => client.records.signals(),
    signal: ({ client, signalId }) => client.records.signal({ path: { id: signalId } }),
    template: ({ client, signalId }) => client.records.template({ path: { id: signalId } }),
    tokens: ({ client }) => client.records.tokens(),
    notifications: ({ client }) => client.records.notifications()
  },
  incoming: {
    alerts: ({ client }) => client.incoming.alerts(),
    refusals: ({ client }) => client.incoming.refusals()
  },
  tokens: {
    list: ({ client }) => client.tokens.list(),
    create: ({ client }) => client.tokens.create({ payload: { scope: "alerts", expires_days: 1 } }),
    revoke: ({ client }) =>
      Effect.flatMap(client.tokens.create({ payload: { scope: "alerts" } }), ({ id }) =>
        client.tokens.revoke({ path: { id } })
      )
  },
  sessions: {
    begin: ({ client, token }) => client.sessions.begin({ payload: { token: Redacted.value(token) } }),
    show: ({ client }) => client.sessions.show(),
    end: ({ client }) => client.sessions.end()
  },
  operator: {
    exchanges: ({ client }) => client.operator.exchanges(),
    markets: ({ client }) => client.operator.markets({ urlParams: { search: "BTC" } }),
    switchExchange: ({ client }) =>
      client.operator.switchExchange({ payload: { name: "okx", active: true } }),
    switchMarket: ({ client }) =>
      client.operator.switchMarket({ payload: { exchange: "okx", pair: "BTC/USDT", active: true } }),
    refreshes: ({ client }) => client.operator.refreshes(),
    refresh: ({ client }) => client.operator.refresh({ payload: { exchange: "okx" } }),
    // A server in memory has nothing to back up.
    backup: ({ client }) =>
      Effect.filterOrFail(
        Effect.flip(client.operator.backup()),
        (error) => error._tag === "Problem" && error.code === "backup_nothing"
      )
  },
  candles: {
    list: ({ client }) => client.candles.list(),
    download: ({ client }) => client.candles.download(),
    // A server in memory stores no candles.
    begin: ({ client }) =>
      Effect.filterOrFail(
        Effect.flip(client.candles.begin({ payload: { ...market, from: "2025-11-01" } })),
        (error) => error._tag === "Problem" && error.code === "candles_off"
      ),
    cancel: ({ client }) => client.candles.cancel(),
    remove: ({ client }) =>
      Effect.filterOrFail(
        Effect.flip(client.candles.remove({ payload: market })),
        (error) => error._tag === "Problem" && error.code === "candles_off"
      )
  },
  backtests: {
    compare: ({ client, strategy }) =>
      Effect.flatMap(strategy, ({ strategy_id }) =>
        client.backtests.compare({ path: { id: strategy_id }, urlParams: {} })
      ),
    whatIf: ({ client, strategy }) =>
      Effect.flatMap(strategy, ({ strategy_id }) =>
        client.backtests.whatIf({
          path: { id: strategy_id },
          payload: { changes: { sell_minprofitpercent: 2 } }
        })
      ),
    run: ({ client }) =>
      client.backtests.run({
        payload: {
          strategy: strategyRequest(),
          candles: [{ pair: "BTC/USDT", csv: "1735689600,1,1,1,1,1\n1735689660,1,1,1,1,1" }]
        }
      }),
    recordings: ({ client }) => client.backtests.recordings()
  },
  rules: {
    check: ({ client }) =>
      client.rules.check({
        payload: { timeframe: "1h", expressions: [{ text: "close > open", type: "boolean" }] }
      }),
    // The signal here has no rule.
    chart: ({ client, signal }) =>
      Effect.flatMap(signal, ({ id }) =>
        Effect.filterOrFail(
          Effect.flip(client.rules.chart({ path: { id }, urlParams: {} })),
          (error) => error._tag === "Problem" && error.status === 422
        )
      )
  },
  live: {
    accounts: ({ client }) => client.live.accounts(),
    check: ({ account, client }) => client.live.check({ path: { id: account } }),
    remove: ({ client, connected }) =>
      Effect.flatMap(connected("second"), ({ id }) => client.live.remove({ path: { id } })),
    mode: ({ client, strategyId }) => client.live.mode({ path: { id: strategyId } }),
    arm: (world) => world.client.live.arm({ path: { id: world.strategyId }, payload: terms(world) }),
    disarm: (world) =>
      Effect.zipRight(armed(world), world.client.live.disarm({ path: { id: world.strategyId } })),
    orders: ({ client, strategyId }) => client.live.orders({ path: { id: strategyId } }),
    halted: ({ client }) => client.live.halted(),
    halt: ({ client }) => client.live.halt(),
    resume: ({ client }) => client.live.resume()
  }
}

const bot = { kind: "telegram", token: "123456:ABCDEFGHIJKLMN", chat_id: 7 } as const
const sent = (world: World) => world.client.alert.alert({ payload: alert(world) })
const armed = (world: World) =>
  Effect.gen(function* () {
    const { client, strategyId } = world
    const proposed = yield* client.live.arm({ path: { id: strategyId }, payload: terms(world) })
    const confirmation = proposed.confirmation?.token ?? ""
    yield* client.live.arm({ path: { id: strategyId }, payload: { ...terms(world), confirmation } })
  })

/** The operations of the contract, as `group.name`. */
const operations: Array<string> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, group }) => operations.push(`${group.identifier}.${endpoint.name}`)
})
const calls = Object.entries(CALLS).flatMap(([group, names]) =>
  Object.entries<Call>(names).map(([name, call]) => [`${group}.${name}`, call] as const)
)

let world: World
beforeAll(async () => {
  world = await runtime.runPromise(make)
})
afterAll(() => runtime.dispose())
const run = <A, E>(self: Effect.Effect<A, E, Services>) => runtime.runPromise(self)

test("every operation of the contract is called, and no other", () =>
  expect(calls.map(([name]): string => name).sort()).toEqual(operations.sort()))

describe("the typed client calls", () => {
  test.each(calls)("%s, and the answer has its type", async (_, call) => {
    expect(await run(Effect.either(call(world)))).toMatchObject({ _tag: "Right" })
  })
})

describe("the typed client's answers", () => {
  test("have the names of the interface", async () => {
    const { exchanges } = await run(world.client.strategies.get({ path: { id: world.strategyId } }))
    const sent: ReadonlyArray<ListingDraft> = exchanges
    expect(sent).toEqual([...strategyRequest().exchanges])
  })

  test("come with their response where that is wanted", async () => {
    const [page, response] = await run(
      world.client.signals.list({ urlParams: { limit: 1 }, withResponse: true })
    )
    expect([page.data.length, response.status]).toEqual([1, 200])
  })
})

describe("errors", () => {
  const failed = (id: number) =>
    run(Effect.flip(world.client.live.remove({ path: { id: ExchangeAccountId.make(id) } })))

  test("are told apart by their code, exhaustively and with the fields of each", async () => {
    const { client } = world
    const wordsOf = (error: Effect.Effect.Error<ReturnType<typeof client.strategies.update>>): string => {
      if (error._tag !== "Problem") return error._tag
      switch (error.code) {
        case "invalid_request":
          return `${Object.keys(error.errors)}`
        case "not_found":
          return `404 is ${error.status satisfies 404}`
        case "malformed_body":
        case "malformed_host":
        case "unauthorized":
        case "forbidden":
        case "cross_site":
        case "body_too_large":
        case "unsupported_media_type":
        case "rate_limited":
        case "too_many_streams":
        case "too_much_unread":
        case "internal_error":
        case "unavailable":
        case "draining":
        case "vault_locked":
        case "backup_failed":
        case "unrecognized":
          return error.code
        default:
          return error satisfies never
      }
    }
    const path = { id: world.strategyId }
    const halved = client.strategies.update({ path, payload: { strategy_dca_switch: true } })
    expect(wordsOf(await run(Effect.flip(halved)))).toContain("dca_aftertime")
    const { strategy_id: id } = await run(world.strategy)
    await run(client.strategies.remove({ path: { id } }))
    const missing = client.strategies.update({ path: { id }, payload: { active: false } })
    expect(wordsOf(await run(Effect.flip(missing)))).toBe("404 is 404")
  })

  test("have no fields but those of their code", async () => {
    const error = await failed(9_999)
    if (error._tag !== "Problem" || error.code !== "not_found") throw new Error(`${error}`)
    expect(error.errors).toEqual({})
    // @ts-expect-error a missing record is about no field
    expect(error.errors.name).toBeUndefined()
  })
})

describe("a problem of a newer server", () => {
  const read = Schema.decodeUnknownSync(Problems.Unprocessable)
  const body = {
    ...{ type: "urn:signalbox:problem:out_of_coffee", title: "Unprocessable Content", status: 422 },
    ...{ detail: "no coffee", message: "no coffee", errors: {}, request_id: "1-1" }
  }

  test("is read with its status and text, and its code is unrecognized", () =>
    expect(read({ ...body, code: "out_of_coffee" })).toMatchObject({
      ...{ _tag: "Problem", status: 422, code: "unrecognized", detail: "no coffee" },
      type: "urn:signalbox:problem:out_of_coffee"
    }))

  test("with a code that the operation declares has that code", () =>
    expect(read({ ...body, code: "invalid_request" }).code).toBe("invalid_request"))
})

test("a misspelt field that the compiler does not see is not sent", async () => {
  const payload = { ...strategyRequest(), ...{ stop_los: true } }
  const { client } = world
  const before = await run(client.strategies.list())
  expect(await run(Effect.flip(client.strategies.create({ payload })))).toMatchObject({ _tag: "ParseError" })
  expect(await run(client.strategies.list())).toEqual(before)
})

test("a problem that an operation does not declare is found by the tests of HTTP", () => {
  const problem = (code: string) => ({
    ...{ type: "a", title: "b", status: 422, detail: "c", message: "c", errors: {}, request_id: "1-1" },
    code
  })
  expect(undeclared("POST", "/v1/signals", problem("too_many_signals"))).toBeUndefined()
  expect(undeclared("POST", "/v1/signals", problem("too_many_tokens"))).toBeDefined()
})

test("a misspelt field and an id of another noun do not compile", () => {
  const misspelt = ({ client, signalId, strategyId }: World) => [
    // @ts-expect-error stop_los is no field
    client.strategies.create({ payload: { ...strategyRequest(), stop_los: true } }),
    // @ts-expect-error stop_los is no field
    client.strategies.update({ path: { id: strategyId }, payload: { stop_los: true } }),
    // @ts-expect-error a signal's id is no strategy's
    client.strategies.get({ path: { id: signalId } }),
    // @ts-expect-error a plain number is nobody's id
    client.signals.get({ path: { id: 1 } }),
    // @ts-expect-error the exchange is misspelt
    client.strategies.update({ path: { id: strategyId }, payload: { default_exchange_name: "binanse" } })
  ]
  expect(misspelt).toHaveLength(1)
})
