// Trading with real money through the engine: arming, stops, halts, and coins that are gone.
import { describe, expect, test } from "bun:test"
import { Effect, Layer, Option } from "effect"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { StrategyPatch } from "../../src/domain/requests/StrategyDraft.ts"
import { Alerts } from "../../src/services/Alerts.ts"
import { Arming } from "../../src/services/Arming.ts"
import { Bots } from "../../src/services/Bots.ts"
import { Exchange, Report } from "../../src/services/Exchange.ts"
import { Commands } from "../../src/services/money/Commands.ts"
import { Halts } from "../../src/services/money/Halts.ts"
import { Orders } from "../../src/services/money/Orders.ts"
import { holding, Wallets, WalletUnavailable } from "../../src/services/money/Wallets.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import * as Scripted from "../../src/testing/ScriptedExchange.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import { fill } from "../../src/trading/books/Matching.ts"

// Bots that trade with real money at a scripted exchange.

type Server = TestServer.TestServer

const became = (server: Server, alert: number) =>
  Effect.flatMap(Alerts, (alerts) =>
    Effect.map(alerts.get(server.identity.account, alert), ({ outcomes }) =>
      outcomes.map(({ reason }) => String(reason))
    )
  )
const rules = (server: Server) => Effect.map(server.strategy.timeline, (all) => all.map(({ rule }) => rule))
const mode = (server: Server) =>
  Effect.flatMap(Arming, (arming) => arming.mode(server.identity.account, server.strategy.id))
const lines = (exchange: Scripted.ScriptedExchange) =>
  exchange.sent.map(({ price, purpose, quantity, type }) =>
    [purpose, type, Decimal.toText(quantity), price].join(" ")
  )
const AVERAGED = {
  strategy_dca_switch: true,
  dca_aftertime: 0,
  dca_maxretries: 3,
  dca_percentagetrigger: 2,
  dca_ordersize: 10
}
const STOPPED = { stop_loss: true, stop_loss_percentage: 5, buy_percentage: 50 }

describe("a strategy that is armed", () => {
  test("trades on its exchange account, in a period of its own, and returns to paper when it is disarmed", () => {
    const exchange = Scripted.make()
    return TestServer.run({ exchange: exchange.layer, strategies: [{ buy_percentage: 50 }] }, (server) =>
      Effect.gen(function* () {
        yield* server.price(100)
        yield* server.alert("buy")
        yield* server.price(110)
        yield* server.alert("sell")
        expect((yield* server.strategy.view).performance.summary.trade_count).toBe(1)
        yield* server.strategy.arm({ capital: 1000 })
        const { performance } = yield* server.strategy.view
        expect(performance.summary).toMatchObject({
          trade_count: 0,
          starting_equity: 1000,
          ending_equity: 1000
        })
        yield* server.price(100)
        yield* server.alert("buy")
        expect(yield* server.strategy.holds).toEqual(["BTC/USDT spot long 5 @ 100"])
        yield* server.price(120)
        yield* server.alert("sell")
        expect(exchange.sent.map(({ live }) => live !== undefined)).toEqual([false, false, true, true])
        const tags = new Set(exchange.sent.flatMap(({ live }) => (live === undefined ? [] : [live.tag])))
        expect([...tags].map((tag) => /^[0-9a-f]{16}$/.test(tag))).toEqual([true])
        const made = (yield* server.strategy.view).performance.summary
        expect([made.trade_count, made.net_pnl > 98]).toEqual([1, true])
        yield* server.strategy.disarm()
        expect((yield* mode(server)).mode).toBe("paper")
        expect((yield* server.strategy.view).performance.summary).toMatchObject({
          trade_count: 0,
          starting_equity: 10_000
        })
        const trades = yield* server.strategy.trades
        expect(trades.map(({ live, period }) => [period, live])).toEqual([
          [undefined, undefined],
          [2, true]
        ])
        const bot = yield* server.strategy.bot
        expect([bot?.period, Decimal.toText(bot?.cash ?? Decimal.zero)]).toEqual([3, "10000"])
        yield* server.alert("buy")
        expect(exchange.sent.at(-1)?.live).toBeUndefined()
      })
    )
  })

  test("is armed only when flat and not armed already, by one confirmation for exactly these terms", () =>
    TestServer.run({}, (server) =>
      Effect.gen(function* () {
        const arming = yield* Arming
        const { account } = server.identity
        const { id } = server.strategy
        yield* server.price(100)
        yield* server.strategy.arm()
        const { armed } = yield* mode(server)
        if (armed === undefined) throw new Error("it is not armed")
        const sum = Decimal.fromNumber(500)
        const terms = { ...armed, capital: sum, maxOrder: sum, maxDailyLoss: sum }
        const again = yield* Effect.flip(arming.propose(account, id, terms))
        expect([again._tag, "reason" in again && again.reason]).toEqual(["ArmingRefused", "armed_already"])
        yield* server.strategy.disarm()
        const { confirmation, expiresAt, statement } = yield* arming.propose(account, id, terms)
        expect([expiresAt, statement.includes("starts with 500 USDT")]).toEqual([300_000, true])
        const otherwise = { ...terms, capital: Decimal.fromNumber(501) }
        const refused = yield* Effect.flip(arming.arm(account, id, otherwise, confirmation))
        expect("reason" in refused && refused.reason).toBe("confirmation_needed")
        expect((yield* arming.arm(account, id, terms, confirmation)).mode).toBe("live")
        yield* server.strategy.disarm()
        const twice = yield* Effect.flip(arming.arm(account, id, terms, confirmation))
        expect("reason" in twice && twice.reason).toBe("confirmation_needed")
        yield* server.alert("buy")
        const open = yield* Effect.flip(arming.propose(account, id, terms))
        expect("reason" in open && open.reason).toBe("not_flat")
      })
    ))

  test("cannot share its balance with a second strategy that is armed at the same time", () => {
    const wallet = { ...holding({ USDT: "1500" }), skewMs: 0 }
    const rights = { canTrade: Option.some(true), canWithdraw: Option.some(false) }
    const wallets = Wallets.layerMemory({
      check: () => Effect.delay(Effect.succeed({ ...wallet, ...rights }), "1 second"),
      of: () => Effect.succeed(wallet)
    })
    return TestServer.run({ wallets, strategies: [{}, {}] }, (server) =>
      Effect.gen(function* () {
        const [one, other] = server.strategies
        if (one === undefined || other === undefined) throw new Error("there are two")
        const both = yield* Effect.fork(
          Effect.all([Effect.exit(one.arm()), Effect.exit(other.arm())], { concurrency: 2 })
        )
        yield* server.pass("1 minute")
        const done = yield* both
        expect(done.map(({ _tag }) => String(_tag)).sort()).toEqual(["Failure", "Success"])
      })
    )
  })

  test("cannot be deleted with an open position, and cannot move to another exchange", () => {
    const exchange = Scripted.make()
    return TestServer.run({ exchange: exchange.layer }, (server) =>
      Effect.gen(function* () {
        const strategies = yield* Strategies
        const { account } = server.identity
        const { id } = server.strategy
        yield* server.price(100)
        yield* server.strategy.arm()
        const elsewhere = [{ exchange_name: "kraken", coin_pairs: ["BTC/USDT"] }] as const
        const moved = yield* Effect.flip(strategies.update(account, id, { exchanges: elsewhere }))
        expect(JSON.stringify(moved)).toContain("disarm it first")
        yield* server.alert("buy")
        const busy = yield* Effect.flip(strategies.remove(account, id))
        expect([busy._tag, busy.message]).toEqual([
          "StrategyBusy",
          expect.stringContaining("disarm it first")
        ])
        expect(lines(exchange)).toHaveLength(1)
        yield* server.strategy.disarm({ close: true })
        yield* strategies.remove(account, id)
        expect(exchange.sent.map(({ purpose }) => String(purpose))).toEqual(["entry", "exit"])
      })
    )
  })
})

describe("a stop at the exchange", () => {
  /** Opens a position with a stop at the exchange. */
  const guarded = ({ alert, price, strategy }: TestServer.TestServer) =>
    Effect.zipRight(price(100), Effect.zipRight(strategy.arm({ protect: true }), alert("buy")))

  test("rests below the position, is cancelled for an exit, and never rests beside one", () => {
    const exchange = Scripted.make()
    return TestServer.run({ exchange: exchange.layer, strategies: [STOPPED] }, (server) =>
      Effect.gen(function* () {
        yield* guarded(server)
        expect(lines(exchange)).toEqual(["entry market 5 100", "exit stop 5 95"])
        yield* server.pass("1 minute")
        yield* server.price(101)
        exchange.keepAll(true)
        yield* server.alert("sell")
        yield* server.pass("3 seconds")
        // The cancellation is not confirmed: it is asked for again, and nothing else is sold meanwhile.
        expect(lines(exchange)).toHaveLength(2)
        expect(exchange.takenBack.length).toBeGreaterThan(1)
        exchange.keepAll(false)
        yield* server.pass("2 seconds")
        expect(lines(exchange)).toEqual(["entry market 5 100", "exit stop 5 95", "exit market 5 101"])
        expect(yield* server.strategy.holds).toEqual([])
        expect((yield* server.strategy.trades).map(({ exitReason }) => String(exitReason))).toEqual([
          "signal"
        ])
      })
    )
  })

  test("closes the trade within seconds when it triggers", () => {
    const exchange = Scripted.make()
    return TestServer.run({ exchange: exchange.layer, strategies: [STOPPED] }, (server) =>
      Effect.gen(function* () {
        yield* guarded(server)
        const stop = exchange.sent[1]
        if (stop === undefined) throw new Error("there is no stop")
        yield* exchange.fill(stop, 94.5)
        yield* server.pass("6 seconds", { leap: 0 })
        expect(yield* server.strategy.holds).toEqual([])
        const [trade] = yield* server.strategy.trades
        expect([trade?.exitReason, trade?.exitPrice]).toEqual(["stop_loss", 94.5])
        const orders = yield* Effect.flatMap(Orders, (all) => all.page(server.strategy.id, { limit: 9 }))
        expect(orders.map(({ fills, status }) => [String(status), fills.length])).toEqual([
          ["filled", 1],
          ["filled", 1]
        ])
      })
    )
  })

  test("leaves the rest to the exit if it filled in part before its cancellation", () => {
    const exchange = Scripted.make({}, { fills: [{ share: 0.4, afterMs: 2000 }], rest: "open" })
    return TestServer.run({ exchange: exchange.layer, strategies: [STOPPED] }, (server) =>
      Effect.gen(function* () {
        yield* guarded(server)
        yield* server.pass("2 seconds", { leap: 0 })
        yield* server.price(99)
        yield* server.alert("sell")
        yield* server.pass("2 seconds")
        expect(lines(exchange)).toEqual(["entry market 5 100", "exit stop 5 95", "exit market 3 99"])
        expect(yield* server.strategy.holds).toEqual([])
        expect(yield* server.strategy.trades).toHaveLength(1)
      })
    )
  })
})

describe("a halt", () => {
  test("stops every later entry, on paper too, and lets exits continue", () => {
    const exchange = Scripted.make()
    return TestServer.run({ exchange: exchange.layer, strategies: [{ buy_percentage: 50 }, {}] }, (server) =>
      Effect.gen(function* () {
        const halts = yield* Halts
        yield* server.price(100)
        yield* server.strategy.arm()
        yield* server.alert("buy")
        const before = exchange.sent.length
        yield* halts.halt(Option.some(server.identity.account), "request", "a test")
        const entry = yield* server.alert("buy", { pair: "ETH/USDT" })
        yield* server.price(10, { pair: "ETH/USDT" })
        yield* server.pass("11 seconds")
        const bought = yield* became(server, entry)
        expect(bought).toEqual(["halted", "halted"])
        yield* server.price(101)
        const exit = yield* server.alert("sell")
        expect(yield* became(server, exit)).toEqual(["closed", "closed"])
        expect(exchange.sent.slice(before).map(({ purpose }) => String(purpose))).toEqual(["exit", "exit"])
        yield* halts.resume(Option.some(server.identity.account))
        yield* server.price(100)
        expect(yield* became(server, yield* server.alert("buy"))).toEqual(["opened", "opened"])
      })
    )
  })

  test("comes by itself when the day's loss reaches its limit, and ends with the day", () => {
    const exchange = Scripted.make()
    return TestServer.run({ exchange: exchange.layer, strategies: [{ buy_percentage: 90 }] }, (server) =>
      Effect.gen(function* () {
        const halts = yield* Halts
        yield* server.price(100)
        yield* server.strategy.arm({ maxDailyLoss: 100 })
        yield* server.alert("buy")
        yield* server.price(95)
        expect(yield* halts.all).toEqual([])
        yield* server.price(88)
        const [halt] = yield* halts.all
        expect([halt?.cause, halt?.account]).toEqual(["daily_loss", Option.some(server.identity.account)])
        expect(halt?.text).toContain("strategy 1 lost")
        expect(yield* server.strategy.holds).toEqual(["BTC/USDT spot long 9 @ 100"])
        expect(yield* became(server, yield* server.alert("sell"))).toEqual(["closed"])
        expect(yield* became(server, yield* server.alert("buy"))).toEqual(["halted"])
        yield* halts.resume(Option.some(server.identity.account))
        expect(yield* became(server, yield* server.alert("buy"))).toEqual(["daily_loss"])
        yield* server.pass("1 day")
        yield* server.price(88)
        expect(yield* became(server, yield* server.alert("buy"))).toEqual(["opened"])
        expect((yield* rules(server)).filter((rule) => rule === "daily_loss")).toHaveLength(1)
      })
    )
  })
})

describe("missing coins", () => {
  /** A wallet with so much BTC. */
  const walletOf = (left: () => string) =>
    Wallets.layerMemory({
      check: () =>
        Effect.succeed({
          ...holding({ USDT: "1000" }),
          canTrade: Option.none(),
          canWithdraw: Option.none()
        }),
      of: () => Effect.succeed(holding({ BTC: left() }))
    })

  test("stop the bot on that market, are never bought again, and may return or be written off", () => {
    const exchange = Scripted.make()
    let left = "5"
    const wallets = Wallets.layerMemory({
      check: () =>
        Effect.succeed({
          ...holding({ USDT: "1000" }),
          canTrade: Option.none(),
          canWithdraw: Option.none()
        }),
      of: () => {
        if (left === "") return new WalletUnavailable({ reason: "not now" })
        // The exchange answered only for the account's other wallets.
        if (left === "a part") return Effect.succeed({ ...holding({ ETH: "1" }), isWhole: false })
        return Effect.succeed(holding({ BTC: left }))
      }
    })
    return TestServer.run(
      { exchange: exchange.layer, wallets, strategies: [{ ...STOPPED, ...AVERAGED }] },
      (server) =>
        Effect.gen(function* () {
          yield* server.price(100)
          yield* server.strategy.arm()
          yield* server.alert("buy")
          yield* server.pass("5 minutes")
          expect((yield* mode(server)).astray).toEqual([])
          for (const silence of ["", "a part"]) {
            left = silence
            yield* server.pass("5 minutes")
            expect((yield* mode(server)).astray).toEqual([])
          }
          left = "4.99"
          yield* server.pass("1 minute")
          expect((yield* mode(server)).astray).toEqual(["binance:BTC/USDT:spot"])
          yield* server.price(50)
          expect(lines(exchange)).toHaveLength(1)
          yield* server.price(100)
          left = "5"
          yield* server.pass("1 minute")
          expect((yield* mode(server)).astray).toEqual([])
          left = "0"
          yield* server.pass("1 minute")
          yield* server.strategy.disarm({ forget: true })
          expect((yield* mode(server)).mode).toBe("paper")
          expect(lines(exchange)).toHaveLength(1)
          const told = (yield* rules(server)).filter((rule) => /astray|found|written_off/.test(rule))
          expect(told).toEqual(["astray", "found", "astray", "written_off"])
          const [trade] = yield* server.strategy.trades
          expect([trade?.exitReason, trade?.live]).toEqual(["written_off", true])
        })
    )
  })

  test("are a stop's own fill while the exchange does not tell of its orders", () => {
    const exchange = Scripted.make()
    let left = "5"
    const wallets = walletOf(() => left)
    return TestServer.run({ exchange: exchange.layer, wallets, strategies: [STOPPED] }, (server) =>
      Effect.gen(function* () {
        yield* server.price(100)
        yield* server.strategy.arm({ protect: true })
        yield* server.alert("buy")
        yield* server.pass("1 minute")
        const [, stop] = exchange.sent
        if (stop === undefined) throw new Error("no stop was sent")
        expect(lines(exchange)).toEqual(["entry market 5 100", "exit stop 5 95"])
        // The stop fills, balances say so, and every question about orders is refused.
        exchange.refuseAll(true)
        yield* exchange.fill(stop)
        left = "0"
        yield* server.pass("10 minutes")
        expect((yield* mode(server)).astray).toEqual([])
        exchange.refuseAll(false)
        yield* server.pass("1 minute")
        expect(yield* server.strategy.holds).toEqual([])
        expect((yield* rules(server)).filter((rule) => /astray|found/.test(rule))).toEqual([])
      })
    )
  })

  test("are missing where the stop that guards them still rests", () => {
    const exchange = Scripted.make()
    let left = "5"
    const wallets = walletOf(() => left)
    return TestServer.run({ exchange: exchange.layer, wallets, strategies: [STOPPED] }, (server) =>
      Effect.gen(function* () {
        yield* server.price(100)
        yield* server.strategy.arm({ protect: true })
        yield* server.alert("buy")
        left = "0"
        yield* server.pass("1 minute")
        expect((yield* mode(server)).astray).toEqual(["binance:BTC/USDT:spot"])
      })
    )
  })
})

test("a coin spent on other bots' fees is not missing, and its exits sell what is left", () => {
  let left = "5"
  const wallets = Wallets.layerMemory({
    check: () =>
      Effect.succeed({ ...holding({ USDT: "4000" }), canTrade: Option.none(), canWithdraw: Option.none() }),
    of: () => Effect.succeed(holding({ BNB: left, BTC: "5" }))
  })
  // Each order for BTC costs a fee of 0.4 BNB.
  const exchange = Layer.succeed(Exchange, {
    submit: ({ at, fees, order }) => {
      const made = fill(order, fees, at)
      const paid = { asset: "BNB", amount: Decimal.fromNumber(0.4), rate: Decimal.fromNumber(100) }
      const fills = [order.pair === "BTC/USDT" ? { ...made, paid } : made]
      return Effect.succeed(Report.Filled({ order: order.id, fills, done: true }))
    },
    lookup: ({ order }) => Effect.succeed(Report.Missing({ order: order.id }))
  })
  const on = (pair: string): StrategyPatch => ({
    exchanges: [{ exchange_name: "binance", coin_pairs: [pair] }]
  })
  return TestServer.run(
    { exchange, wallets, strategies: [{ ...STOPPED, ...on("BNB/USDT") }, on("BTC/USDT")] },
    (server) =>
      Effect.gen(function* () {
        yield* server.price(100)
        yield* server.price(100, { pair: "BNB/USDT" })
        for (const strategy of server.strategies) yield* strategy.arm()
        yield* server.alert("buy", { pair: "BNB/USDT" })
        yield* server.alert("buy")
        left = "4.6"
        yield* server.pass("2 minutes")
        expect((yield* mode(server)).astray).toEqual([])
        // More is missing than fees can explain.
        left = "4.5"
        yield* server.pass("2 minutes")
        expect((yield* mode(server)).astray).toEqual(["binance:BNB/USDT:spot"])
        left = "4.6"
        yield* server.pass("2 minutes")
        expect((yield* mode(server)).astray).toEqual([])
      })
  )
})

test("missing coins are noticed in time, even if another exchange does not answer", () => {
  const okx = { exchange_name: "okx", coin_pairs: ["BTC/USDT"] } as const
  let asked = 0
  const wallets = Wallets.layerMemory({
    check: () =>
      Effect.succeed({ ...holding({ USDT: "1000" }), canTrade: Option.none(), canWithdraw: Option.none() }),
    // The account that was connected first.
    of: (account) =>
      account === 1
        ? Effect.zipRight(
            Effect.sync(() => asked++),
            Effect.never
          )
        : Effect.succeed(holding({}))
  })
  return TestServer.run(
    {
      exchange: Scripted.make().layer,
      wallets,
      strategies: [{ default_exchange_name: "okx", exchanges: [okx] }, {}]
    },
    (server) =>
      Effect.gen(function* () {
        yield* server.price(100)
        yield* server.price(100, { exchange: "okx" })
        for (const strategy of server.strategies) yield* strategy.arm()
        yield* server.alert("buy")
        yield* server.pass("1 minute", { leap: "1 second" })
        const arming = yield* Arming
        const { account } = server.identity
        const astray = yield* Effect.forEach(server.strategies, ({ id }) =>
          Effect.map(arming.mode(account, id), (it) => it.astray)
        )
        expect(astray).toEqual([[], ["binance:BTC/USDT:spot"]])
        expect(asked).toBe(1)
      })
  )
})

describe("commands left for the server", () => {
  test("are done once, answered, and void after a minute", () =>
    TestServer.run({}, (server) =>
      Effect.gen(function* () {
        const mandates = yield* Commands
        const { account } = server.identity
        const { id } = server.strategy
        yield* server.strategy.arm()
        const { armed } = yield* mode(server)
        if (armed === undefined) throw new Error("it is not armed")
        const answerTo = (leave: ReturnType<typeof mandates.leave>) =>
          Effect.gen(function* () {
            const mandate = yield* leave
            yield* server.pass("1 second")
            return Option.getOrThrow(yield* mandates.answerOf(mandate.id))
          })
        const disarm = { _tag: "Disarm", close: false, forget: false } as const
        expect(yield* answerTo(mandates.leave(account, id, disarm))).toEqual({
          isDone: true,
          text: `strategy ${id} is on paper again`
        })
        expect((yield* answerTo(mandates.leave(account, id, disarm))).isDone).toBe(false)
        const arm = { _tag: "Arm", terms: armed } as const
        const done = yield* answerTo(mandates.leave(account, id, arm))
        expect([done.isDone, done.text.includes("real money on binance")]).toEqual([true, true])
        expect((yield* mode(server)).mode).toBe("live")
        const bots = yield* Bots
        expect((yield* bots.standings([{ account, id }])).get(id)?.holdings).toEqual([])
      })
    ))
})

test("an entry that waited for its price also waits for the order before it, and a later one is answered at once", () => {
  const exchange = Scripted.make()
  return TestServer.run({ exchange: exchange.layer, strategies: [{ buy_percentage: 50 }] }, (server) =>
    Effect.gen(function* () {
      yield* server.strategy.arm({ capital: 1000 })
      exchange.next(Scripted.accepts)
      const first = yield* server.alert("buy")
      const second = yield* server.alert("buy", { sl: 90 })
      yield* server.price(100)
      yield* server.price(100)
      const meanwhile = yield* server.alert("buy", { sl: 95 })
      expect(yield* became(server, first)).toEqual(["opened"])
      expect(yield* became(server, second)).toEqual([])
      expect(yield* became(server, meanwhile)).toEqual(["pending_entry"])
      const [order] = exchange.sent
      if (order !== undefined) yield* exchange.fill(order)
      yield* server.pass("2 seconds")
      expect(yield* became(server, second)).toEqual(["targets_updated"])
      yield* server.price(90)
      expect(yield* server.strategy.holds).toEqual([])
    })
  )
})

test("an exchange that does not answer delays no orders at another exchange", () => {
  let silent = 0
  const slow = Layer.effect(
    Exchange,
    Effect.map(Exchange, (inner) => ({
      ...inner,
      lookup: (ticket) =>
        Effect.suspend(() => {
          if (ticket.order.live?.account !== 1) return inner.lookup(ticket)
          silent++
          return Effect.never
        })
    }))
  )
  const exchange = Scripted.make(Scripted.losesAnswer, Scripted.fillsInParts(2, 5000))
  const okx = {
    default_exchange_name: "okx",
    exchanges: [{ exchange_name: "okx", coin_pairs: ["BTC/USDT"] }]
  } as const
  return TestServer.run({ exchange: Layer.provide(slow, exchange.layer), strategies: [{}, okx] }, (server) =>
    Effect.gen(function* () {
      for (const strategy of server.strategies) yield* strategy.arm()
      yield* server.price(100)
      yield* server.price(100, { exchange: "okx" })
      yield* server.alert("buy")
      yield* server.pass("6 seconds", { leap: 0 })
      const holds = yield* Effect.forEach(server.strategies, (strategy) => strategy.holds)
      expect(holds).toEqual([["BTC/USDT spot nothing with an order entry"], ["BTC/USDT spot long 1 @ 100"]])
      expect(silent).toBeGreaterThan(0)
    })
  )
})
