// Two strategies on one perpetual of one exchange account: only one may enter.
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { Effect, Option, Redacted } from "effect"
import type { Alert } from "../../src/domain/Alert.ts"
import { ExchangeAccountId } from "../../src/domain/Arming.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { Alerts } from "../../src/services/Alerts.ts"
import { Arming } from "../../src/services/Arming.ts"
import { Bots } from "../../src/services/Bots.ts"
import { ExchangeAccounts } from "../../src/services/ExchangeAccounts.ts"
import { holding, Wallets } from "../../src/services/money/Wallets.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import * as Scripted from "../../src/testing/ScriptedExchange.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import * as VirtualClock from "../../src/testing/VirtualClock.ts"
import * as Disk from "../lib/disk.ts"
import * as Flow from "../lib/flow.ts"
import { folder } from "../services/ports.ts"

// Two strategies with real money on one perpetual of one exchange account: there their positions net out, so that the
// exits of one would find nothing to close.

type Server = TestServer.TestServer
const PERPETUAL = { kind: "swap" } as const
const SMALL = { buy_percentage: 30 }

/** The outcomes of an alert, sorted by strategy. */
const became = (server: Server, alert: Alert["id"]) =>
  Effect.flatMap(Alerts, (alerts) =>
    Effect.map(alerts.get(server.identity.account, alert), ({ outcomes }) =>
      server.strategies.map(
        ({ id }) => outcomes.find(({ strategyId }) => strategyId === id)?.reason ?? "waits"
      )
    )
  )
const said = (server: Server, type: Alert["type"], saying: TestServer.Saying = {}) =>
  Effect.flatMap(server.alert(type, saying), (alert) => became(server, alert))
const holds = (server: Server) => Effect.forEach(server.strategies, (strategy) => strategy.holds)

const run = (
  options: TestServer.RunOptions,
  act: (server: Server) => Effect.Effect<unknown, unknown, TestServer.Services>
) =>
  TestServer.run({ strategies: [SMALL, SMALL], ...options }, (server) =>
    Effect.gen(function* () {
      yield* server.price(100)
      yield* server.price(100, PERPETUAL)
      yield* act(server)
    })
  )
const armAll = (server: Server) =>
  Effect.forEach(server.strategies, (strategy) => strategy.arm(), { discard: true })

describe("two armed strategies on one perpetual of one exchange account", () => {
  test("take turns: the first enters on their shared alert, the other when that one is out, and exits are never ignored", () =>
    run({ exchange: Scripted.make().layer }, (server) =>
      Effect.gen(function* () {
        yield* armAll(server)
        expect(yield* said(server, "short")).toEqual(["opened", "perpetual_in_use"])
        expect(yield* said(server, "short")).toEqual(["already_open", "perpetual_in_use"])
        expect(yield* said(server, "long")).toEqual(["opposite_position", "perpetual_in_use"])
        expect(yield* said(server, "close_short")).toEqual(["closed", "no_position"])
        expect(yield* said(server, "short")).toEqual(["opened", "perpetual_in_use"])
      })
    ))

  test("conflict as soon as one has an order, even an unanswered one", () =>
    run({ exchange: Scripted.make(Scripted.losesAnswer).layer }, (server) =>
      Effect.gen(function* () {
        yield* armAll(server)
        expect(yield* said(server, "long")).toEqual(["opened", "perpetual_in_use"])
        expect(yield* holds(server)).toEqual([["BTC/USDT swap nothing with an order entry"], []])
      })
    ))

  test("do not conflict with spot positions, other pairs and paper", () =>
    run({ exchange: Scripted.make().layer, strategies: [SMALL, SMALL, SMALL] }, (server) =>
      Effect.gen(function* () {
        const [one, other] = server.strategies
        yield* one?.arm() ?? Effect.void
        yield* other?.arm() ?? Effect.void
        yield* server.price(100, { ...PERPETUAL, pair: "ETH/USDT" })
        expect(yield* said(server, "buy")).toEqual(["opened", "opened", "opened"])
        expect(yield* said(server, "long")).toEqual(["opened", "perpetual_in_use", "opened"])
        expect(yield* said(server, "long", { pair: "ETH/USDT" })).toEqual([
          "opened",
          "perpetual_in_use",
          "opened"
        ])
      })
    ))

  test("still conflict while one is being disarmed, or only has DCA entries left", () =>
    run(
      {
        exchange: Scripted.make().layer,
        strategies: [
          {
            ...SMALL,
            strategy_dca_switch: true,
            dca_aftertime: 0,
            dca_maxretries: 3,
            dca_percentagetrigger: 2,
            dca_ordersize: 50
          },
          SMALL
        ]
      },
      (server) =>
        Effect.gen(function* () {
          yield* armAll(server)
          expect(yield* said(server, "long")).toEqual(["opened", "perpetual_in_use"])
          yield* server.pass("1 second")
          yield* server.price(97, PERPETUAL)
          const bot = yield* server.strategy.bot
          expect(Object.values(bot?.slots ?? {}).map(({ position }) => position?.entries)).toEqual([2])
          yield* server.strategy.disarm()
          expect(yield* said(server, "long")).toEqual(["already_open", "perpetual_in_use"])
        })
    ))

  test("drop an entry that was waiting if the other has entered meanwhile", () =>
    run(
      {
        exchange: Scripted.make().layer,
        strategies: [SMALL, { ...SMALL, strategy_trailing_buy_switch: true, trailing_buy_percentage: 1 }]
      },
      (server) =>
        Effect.gen(function* () {
          yield* server.strategies[1]?.arm() ?? Effect.void
          // At first only the other strategy is active.
          yield* server.strategy.update({ active: false })
          yield* server.strategy.arm()
          expect(yield* said(server, "long")).toEqual(["strategy_inactive", "trailing_buy_armed"])
          yield* server.strategy.update({ active: true })
          // A waiting entry is neither a position nor an order.
          expect(yield* said(server, "long")).toEqual(["opened", "pending_entry"])
          yield* server.price(102, PERPETUAL)
          expect((yield* holds(server))[1]).toEqual([])
          const timeline = (yield* server.strategies[1]?.timeline ?? Effect.succeed([])).map(
            ({ text }) => text
          )
          expect(timeline.filter((text) => /Dropped/.test(text))).toEqual([
            expect.stringContaining("perpetual in use")
          ])
        })
    ))

  test("are both considered by a test alert", () =>
    run({ exchange: Scripted.make().layer }, (server) =>
      Effect.gen(function* () {
        yield* armAll(server)
        const { preview } = yield* Bots
        const instruction = {
          ...{ signalId: server.signal.id, coin: "BTC", quoteCurrency: "USDT", type: "long" as const },
          ...{ tp: Option.none(), sl: Option.none() }
        }
        const tried = yield* preview(server.identity, instruction)
        expect(tried.map(({ reason }) => String(reason))).toEqual(["opened", "perpetual_in_use"])
        expect(tried[1]?.text).toContain("another armed strategy")
        expect(yield* holds(server)).toEqual([[], []])
      })
    ))
})

test("a start finds perpetuals in use before it judges any alert", () =>
  VirtualClock.run(
    Effect.gen(function* () {
      const db = join(yield* folder, "signalbox.db")
      const exchange = Scripted.make(Scripted.losesAnswer)
      const sum = Decimal.fromNumber(1000)
      const ann = yield* Disk.run(
        db,
        Effect.gen(function* () {
          const ann = yield* Flow.ann(SMALL)
          const other = yield* Flow.aStrategy(ann.account, { ...SMALL, signal_id: ann.signal })
          for (const id of [ann.strategy, other]) {
            const strategy = yield* (yield* StrategyStore).get(ann.account, id)
            const account = ExchangeAccountId.make(1)
            const terms = { account, capital: sum, maxOrder: sum, maxDailyLoss: sum, protect: false }
            yield* (yield* Bots).arm(strategy, terms)
          }
          yield* Flow.quote(100, PERPETUAL)
          yield* Flow.say(ann.identity, ann.signal, "long")
          // This alert is on disk, and only the next server judges it.
          const late = yield* Flow.send(ann.identity, ann.signal, "long")
          return { ...ann, late }
        }),
        { exchange: exchange.layer }
      )
      const reasons = yield* Disk.run(
        db,
        Effect.gen(function* () {
          yield* Flow.quote(100, PERPETUAL)
          yield* Flow.caughtUp
          yield* Flow.say(ann.identity, ann.signal, "long")
          return yield* Effect.forEach([1, 2, 3], (alert) => Flow.became(ann.account, alert))
        }),
        { exchange: exchange.layer }
      )
      expect(reasons.map(([, second]) => second)).toEqual(reasons.map(() => "perpetual_in_use"))
    })
  ))

describe("an exchange account under two names", () => {
  const identified = (identities: ReadonlyArray<string>) => {
    let asked = 0
    const wallet = {
      ...holding({ USDT: "100000" }),
      canTrade: Option.some(true),
      canWithdraw: Option.some(false)
    }
    return Wallets.layerMemory({
      check: () =>
        Effect.sync(() => ({ ...wallet, identity: identities[asked++ % identities.length] ?? "" })),
      of: () => Effect.succeed(wallet)
    })
  }
  /** Arms the two strategies on two accounts, each with a key of its own. */
  const armEach = Effect.fnUntraced(function* (server: Server, keys: readonly [string, string]) {
    const { account } = server.identity
    const accounts = yield* ExchangeAccounts
    const arming = yield* Arming
    const sum = Decimal.fromNumber(1000)
    for (const [place, key] of keys.entries()) {
      const credentials = { apiKey: Redacted.make(key), secret: Redacted.make("secret") }
      const added = yield* accounts.add(account, {
        ...{ name: `a${place}`, exchange: "binance" as const, sandbox: false, credentials }
      })
      const terms = { account: added.id, capital: sum, maxOrder: sum, maxDailyLoss: sum, protect: false }
      const id = server.strategies[place]?.id ?? server.strategy.id
      const { confirmation } = yield* arming.propose(account, id, terms)
      yield* arming.arm(account, id, terms, confirmation)
    }
  })

  test("is recognised by its key, and by the exchange's customer id", () =>
    run({ exchange: Scripted.make().layer, wallets: identified(["4711"]) }, (server) =>
      Effect.gen(function* () {
        yield* armEach(server, ["one", "another"])
        expect(yield* said(server, "long")).toEqual(["opened", "perpetual_in_use"])
      })
    ))

  test("is not assumed for two accounts of two customers", () =>
    TestServer.run({ exchange: Scripted.make().layer, strategies: [SMALL, SMALL] }, (server) =>
      Effect.gen(function* () {
        yield* server.price(100, PERPETUAL)
        yield* armEach(server, ["one", "another"])
        expect(yield* said(server, "long")).toEqual(["opened", "opened"])
      })
    ))
})
