import { describe, expect, test } from "bun:test"
import { Deferred, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { type ArmedTerms, ExchangeAccountId } from "../../src/domain/Arming.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { ExchangeName } from "../../src/domain/Market.ts"
import type { StrategyPatch } from "../../src/domain/requests/StrategyDraft.ts"
import { Arming } from "../../src/services/Arming.ts"
import { CONFIRMATION_MS } from "../../src/services/arming/Confirmations.ts"
import * as PaperOnly from "../../src/services/arming/PaperOnly.ts"
import * as Terms from "../../src/services/arming/Terms.ts"
import { ExchangeAccounts } from "../../src/services/ExchangeAccounts.ts"
import { Halts } from "../../src/services/money/Halts.ts"
import { holding, type Script, Wallets, WalletUnavailable } from "../../src/services/money/Wallets.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { sender } from "../../src/testing/contracts/people.ts"
import * as TestServer from "../../src/testing/TestServer.ts"

const decimal = Decimal.unsafeFromText
const ONE = ExchangeAccountId.make(1)
const TERMS: ArmedTerms = {
  account: ONE,
  capital: decimal("1000"),
  maxOrder: decimal("200"),
  maxDailyLoss: decimal("50"),
  protect: false
}
const credentials = { apiKey: Redacted.make("key"), secret: Redacted.make("secret") }
const wallet = (usdt: string, rights: { canTrade?: boolean; canWithdraw?: boolean } = {}): Script => ({
  check: () =>
    Effect.succeed({
      ...holding({ USDT: usdt, BTC: "1" }),
      canTrade: Option.fromNullable(rights.canTrade),
      canWithdraw: Option.fromNullable(rights.canWithdraw)
    }),
  of: () => Effect.succeed(holding({ USDT: usdt, BTC: "1" }))
})
/** Keys of one customer of the exchange, however they are called. */
const identified = (usdt: string): Script => ({
  ...wallet(usdt),
  check: () =>
    Effect.succeed({
      ...holding({ USDT: usdt }),
      ...{ canTrade: Option.some(true), canWithdraw: Option.some(false), identity: "4711" }
    })
})
const silent: Script = { check: () => new WalletUnavailable({ reason: "binance did not answer" }) }

interface Scene {
  readonly script?: Script
  readonly terms?: Partial<ArmedTerms>
  readonly strategy?: TestServer.Options["strategies"]
  /** Where the accounts are that the caller connected, in their order. */
  readonly accounts?: ReadonlyArray<"binance" | "okx">
  readonly isSandbox?: boolean
  /** Each has a key of its own. */
  readonly hasOwnKeys?: boolean
}

/** What becomes of a proposal for the first strategy of somebody. */
const proposed = (
  {
    accounts = ["binance"],
    hasOwnKeys = false,
    isSandbox = false,
    script = wallet("1000"),
    strategy = [{}],
    terms = {}
  }: Scene,
  before: (server: TestServer.TestServer) => Effect.Effect<unknown, unknown, TestServer.Services> = () =>
    Effect.void
) =>
  TestServer.run({ wallets: Wallets.layerMemory(script), strategies: strategy }, (server) =>
    Effect.gen(function* () {
      const { account } = server.identity
      const kept = yield* ExchangeAccounts
      for (const [place, exchange] of accounts.entries())
        yield* kept.add(account, {
          ...{ name: `a${place}`, exchange, sandbox: isSandbox },
          credentials: hasOwnKeys ? { ...credentials, apiKey: Redacted.make(`key ${place}`) } : credentials
        })
      yield* server.price(100)
      yield* before(server)
      const arming = yield* Arming
      const asked = arming.propose(account, server.strategy.id, { ...TERMS, ...terms })
      return yield* Effect.match(asked, {
        onFailure: (error) =>
          error._tag === "ArmingRefused"
            ? [error.reason, error.message, error.field ?? ""]
            : [error._tag, error.message],
        onSuccess: ({ statement, warnings }) => ["proposed", statement, ...warnings]
      })
    })
  )

const two = [
  { exchange_name: "binance", coin_pairs: ["BTC/USDT"] },
  { exchange_name: "okx", coin_pairs: ["ETH/USDT"] }
] as const

describe("the confirmation of an arming beside another armed strategy", () => {
  const ofRivals = (warnings: ReadonlyArray<string>) =>
    warnings.filter((text) => text.includes("perpetual_in_use"))
  const arms = ({ strategies }: TestServer.TestServer) => strategies[1]?.arm() ?? Effect.void

  test("warns of perpetuals that both list, because only one of the two can enter", async () => {
    const [found, , ...warnings] = await proposed({ strategy: [{}, {}], script: wallet("5000") }, arms)
    expect([found, ofRivals(warnings)]).toEqual([
      "proposed",
      [expect.stringMatching(/^strategy 2, .*, is armed on the same account and lists .*BTC\/USDT.* too/)]
    ])
  })

  test("does not warn of a strategy that lists other pairs", async () => {
    const strategy = ["BTC/USDT", "ETH/USDT"].map(
      (pair): StrategyPatch => ({
        exchanges: [{ exchange_name: "binance", coin_pairs: [pair] }]
      })
    )
    const [found, , ...warnings] = await proposed({ strategy, script: wallet("5000") }, arms)
    expect([found, ofRivals(warnings)]).toEqual(["proposed", []])
  })
})

describe("arming refuses", () => {
  const refused: ReadonlyArray<readonly [string, string, field: string, Scene]> = [
    ["no capital", "bad_terms", "capital", { terms: { capital: Decimal.zero } }],
    ["a capital that is less than nothing", "bad_terms", "capital", { terms: { capital: decimal("-1") } }],
    [
      "an order of more than the capital",
      "bad_terms",
      "max_order",
      { terms: { maxOrder: decimal("1000.01") } }
    ],
    ["orders of nothing", "bad_terms", "max_order", { terms: { maxOrder: Decimal.zero } }],
    [
      "a day that may lose more than all",
      "bad_terms",
      "max_daily_loss",
      { terms: { maxDailyLoss: decimal("1001") } }
    ],
    ["a day that may lose nothing", "bad_terms", "max_daily_loss", { terms: { maxDailyLoss: Decimal.zero } }],
    ["an account that is not there", "unknown_exchange_account", "account", { accounts: [] }],
    ["an account elsewhere", "exchange_not_listed", "account", { accounts: ["okx"] }],
    ["a strategy on two exchanges", "exchange_not_listed", "account", { strategy: [{ exchanges: two }] }],
    ["a key that may withdraw", "may_withdraw", "account", { script: wallet("1000", { canWithdraw: true }) }],
    [
      "a key that may not trade",
      "account_unavailable",
      "account",
      { script: wallet("1000", { canTrade: false }) }
    ],
    ["an exchange that does not answer", "account_unavailable", "account", { script: silent }],
    ["a capital that is not there", "balance_too_small", "capital", { script: wallet("999.99") }]
  ]
  test.each(refused)("%s", async (_, reason, field, scene) => {
    const [found, words = "", about] = await proposed(scene)
    expect([found, words.length > 10 && words.length <= 200, about]).toEqual([reason, true, field])
  })

  test("nothing because of a protective stop: with one, each of these names the same field", async () => {
    for (const [, reason, field, scene] of refused) {
      const [found, , about] = await proposed({ ...scene, terms: { ...scene.terms, protect: true } })
      expect([found, about]).toEqual([reason, field])
    }
    expect((await proposed({ terms: { protect: true } }))[0]).toBe("proposed")
  })

  test("another owner's exchange account, as if it did not exist", async () => {
    const [found] = await proposed({ accounts: [] }, () =>
      Effect.gen(function* () {
        const bob = yield* sender("bob")
        const kept = yield* ExchangeAccounts
        yield* kept.add(bob.account, { name: "his", exchange: "binance", sandbox: false, credentials })
      })
    )
    expect(found).toBe("unknown_exchange_account")
  })

  test("capital that another strategy has taken", async () => {
    const scene = { strategy: [{}, {}], script: wallet("1500") }
    const [found, words] = await proposed(scene, ({ strategies }) => strategies[1]?.arm() ?? Effect.void)
    expect([found, words]).toEqual(["balance_too_small", expect.stringContaining("500 USDT")])
    const [free] = await proposed(
      { ...scene, script: wallet("2000") },
      ({ strategies }) => strategies[1]?.arm() ?? Effect.void
    )
    expect(free).toBe("proposed")
  })

  test("capital that another strategy has taken under another name or key of the same account", async () => {
    const scene: Scene = {
      ...{ strategy: [{}, {}], accounts: ["binance", "binance"] },
      terms: { account: ExchangeAccountId.make(2) }
    }
    const other = ({ strategies }: TestServer.TestServer) => strategies[1]?.arm() ?? Effect.void
    const found = async (more: Scene) => (await proposed({ ...scene, ...more }, other))[0]
    expect(await found({ script: wallet("1500") })).toBe("balance_too_small")
    expect(await found({ script: identified("1500"), hasOwnKeys: true })).toBe("balance_too_small")
    expect(await found({ script: identified("2000"), hasOwnKeys: true })).toBe("proposed")
    // Other keys, and nobody says whose.
    expect(await found({ script: wallet("1500"), hasOwnKeys: true })).toBe("proposed")
  })

  test("a strategy with something open on paper", async () => {
    expect((await proposed({}, (server) => server.alert("buy")))[0]).toBe("not_flat")
  })

  test("a strategy while prices come from a recording", () =>
    TestServer.run({}, (server) =>
      Effect.gen(function* () {
        const closed = Arming.layer({ closed: "these prices are recorded" })
        const arming = yield* Effect.provide(Arming, closed)
        const error = yield* Effect.flip(arming.propose(server.identity.account, server.strategy.id, TERMS))
        expect(error.message).toBe("these prices are recorded")
      })
    ))

  test("to let a replay begin while a strategy is armed", () =>
    TestServer.run({}, (server) =>
      Effect.gen(function* () {
        const begun = Effect.scoped(Layer.build(PaperOnly.layer))
        yield* begun
        yield* server.strategy.arm()
        const error = yield* Effect.flip(begun)
        expect(error.message).toContain(`strategy ${server.strategy.id} trades with real money`)
      })
    ))
})

describe("the statement of an arming", () => {
  test("names all terms with every number", async () => {
    const [found, statement, ...warnings] = await proposed({ terms: { protect: true } })
    expect(found).toBe("proposed")
    for (const part of ["1000 USDT", "200 USDT", "50 USDT", "binance", "a0", "real money", "exchange too"])
      expect(statement).toContain(part)
    expect(warnings).toEqual([expect.stringContaining("no stop loss to keep")])
  })

  test("warns of settings that may be unintended", async () => {
    const scene = {
      isSandbox: true,
      strategy: [
        {
          ...{ active: false, buy_percentage: 50, stop_loss: true, stop_loss_percentage: 5 },
          exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT", "BNB/USDT"] }]
        }
      ],
      terms: { protect: true }
    } as const
    const [, statement, ...warnings] = await proposed(scene, (server) =>
      Effect.flatMap(Halts, ({ halt }) => halt(Option.some(server.identity.account), "request", "a test"))
    )
    expect(statement).toContain("test network")
    for (const part of ["test network", "halted", "not active", "max_order", "BNB of your own"])
      expect(warnings.filter((text) => text.includes(part))).toHaveLength(1)
  })
})

test("a confirmation is of no use to other strategies, or after five minutes", () =>
  TestServer.run({ strategies: [{}, {}] }, (server) =>
    Effect.gen(function* () {
      const { account } = server.identity
      const [one, other] = server.strategies
      if (one === undefined || other === undefined) throw new Error("there are two")
      const kept = yield* ExchangeAccounts
      yield* kept.add(account, { name: "main", exchange: "binance", sandbox: false, credentials })
      const arming = yield* Arming
      const { confirmation } = yield* arming.propose(account, one.id, TERMS)
      const tried = (id: number, by = account) =>
        Effect.match(arming.arm(by, id, TERMS, confirmation), {
          onFailure: (error) => (error._tag === "ArmingRefused" ? error.reason : error._tag),
          onSuccess: ({ mode }) => mode
        })
      const bob = yield* sender("bob")
      expect(yield* tried(one.id, bob.account)).toBe("StrategyNotFound")
      expect(yield* tried(other.id)).toBe("confirmation_needed")
      yield* server.pass(CONFIRMATION_MS, { leap: 0 })
      expect(yield* tried(one.id)).toBe("confirmation_needed")
      const fresh = yield* arming.propose(account, one.id, TERMS)
      expect((yield* arming.arm(account, one.id, TERMS, fresh.confirmation)).mode).toBe("live")
      const mode = yield* arming.mode(account, one.id)
      expect(mode).toMatchObject({ mode: "live", exchangeAccount: { name: "main" }, astray: [] })
      expect(Decimal.toText(mode.lostToday ?? decimal("-1"))).toBe("0")
    })
  ))

test("a confirmation is valid for its currency alone", () =>
  TestServer.run({}, ({ identity: { account }, strategy: { id } }) =>
    Effect.gen(function* () {
      const strategy = yield* (yield* StrategyStore).get(account, id)
      const other = { ...strategy, settings: { ...strategy.settings, quote: "BTC" } as const }
      expect(Terms.keyOf(account, other, TERMS)).not.toBe(Terms.keyOf(account, strategy, TERMS))
    })
  ))

test("arming gives up on an exchange that never answers", () =>
  TestServer.run({ wallets: Wallets.layerMemory({ check: () => Effect.never }) }, (server) =>
    Effect.gen(function* () {
      const { account } = server.identity
      const kept = yield* ExchangeAccounts
      yield* kept.add(account, { name: "main", exchange: "binance", sandbox: false, credentials })
      const arming = yield* Arming
      const asked = yield* Effect.fork(Effect.flip(arming.propose(account, server.strategy.id, TERMS)))
      yield* server.pass("21 seconds", { leap: 0 })
      expect(yield* Fiber.join(asked)).toMatchObject({ reason: "account_unavailable" })
    })
  ))

test("arming waits only for its own exchange, and there for other armings on the same balance", () => {
  const on = (exchange: ExchangeName, coin: string): StrategyPatch => ({
    ...{ default_exchange_name: exchange },
    exchanges: [{ exchange_name: exchange, coin_pairs: [`${coin}/USDT`] }]
  })
  const answers = Effect.runSync(Deferred.make<void>())
  const { check = () => Effect.die("asked") } = wallet("1500")
  let asked = 0
  // Once both at okx are proposed, it does not answer any more.
  const slowAtOkx: Script = {
    check: (exchange, sandbox) =>
      Effect.zipRight(
        exchange === "okx" && ++asked > 2 ? Deferred.await(answers) : Effect.void,
        check(exchange, sandbox)
      )
  }
  return TestServer.run(
    {
      strategies: [on("okx", "BTC"), on("okx", "ETH"), on("binance", "BTC")],
      wallets: Wallets.layerMemory(slowAtOkx)
    },
    (server) =>
      Effect.gen(function* () {
        const { account } = server.identity
        const kept = yield* ExchangeAccounts
        const { id: okx } = yield* kept.add(account, {
          name: "o",
          exchange: "okx",
          sandbox: false,
          credentials
        })
        const { id: binance } = yield* kept.add(account, {
          ...{ name: "b", exchange: "binance", sandbox: false },
          credentials
        })
        const arming = yield* Arming
        const armed = (strategy: number, at: ExchangeAccountId) =>
          Effect.gen(function* () {
            const terms = { ...TERMS, account: at }
            const { confirmation } = yield* arming.propose(account, strategy, terms)
            return (yield* arming.arm(account, strategy, terms, confirmation)).mode
          }).pipe(Effect.catchTag("ArmingRefused", ({ reason }) => Effect.succeed(reason)))
        const [first, second, third] = server.strategies.map(({ id }) => id)
        if (first === undefined || second === undefined || third === undefined)
          throw new Error("there are three")
        const slow = yield* Effect.fork(
          Effect.all([armed(first, okx), armed(second, okx)], { concurrency: 2 })
        )
        while (asked <= 2) yield* Effect.yieldNow()
        expect(yield* armed(third, binance)).toBe("live")
        yield* Deferred.succeed(answers, undefined)
        yield* server.pass("1 second", { leap: 0 })
        expect((yield* Fiber.join(slow)).toSorted()).toEqual(["balance_too_small", "live"])
      })
  )
})
