// `doctor` on strategies that buy nothing. Each set-up is made by the product's own services on a real database; the
// adversary is a doctor that says ok while nothing can buy.
import { afterAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, Option, Redacted } from "effect"
import { ExchangeAccountId } from "../../src/domain/Arming.ts"
import type { BotState } from "../../src/domain/Bot.ts"
import { unsafeFromText as decimal } from "../../src/domain/Decimal.ts"
import { Pair } from "../../src/domain/Market.ts"
import { ExchangeAccounts } from "../../src/services/ExchangeAccounts.ts"
import { Markets } from "../../src/services/Markets.ts"
import { Halts } from "../../src/services/money/Halts.ts"
import { Vault } from "../../src/services/money/Vault.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { Signals } from "../../src/services/Signals.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"
import { bot, step } from "../../src/testing/contracts/steps.ts"
import { settings, signalDraft } from "../../src/testing/Fixtures.ts"
import { VARIABLE } from "../../src/vault/Sources.ts"
import * as Keyed from "../../src/vault/Vault.ts"
import { listening, signalboxWith, start } from "../lib/cli.ts"
import * as Disk from "../lib/disk.ts"
import * as Flow from "../lib/flow.ts"
import { onFile, sender } from "../services/ports.ts"

const folder = mkdtempSync(join(tmpdir(), "doctor-"))
afterAll(() => rmSync(folder, { recursive: true }))

const KEY = "5e".repeat(32)
/** No test reaches an exchange. */
const nowhere = { HTTPS_PROXY: "http://127.0.0.1:1", [VARIABLE]: KEY }

const doctor = async (db: string, more: Readonly<Record<string, string>> = {}, port = "0") => {
  const environment = { ...nowhere, ...more }
  const { code, out } = await signalboxWith(environment, "doctor", "--db", db, "--port", port, "--json")
  const checks: ReadonlyArray<Found> = JSON.parse(out).checks
  return { code, checks }
}
interface Found {
  readonly name: string
  readonly level: string
  readonly text: string
  readonly advice: string | null
  readonly guide: string | null
}

const vault = Layer.succeed(
  Vault,
  Keyed.of({ credentials: Option.none(), environment: Option.some(Redacted.make(KEY)), folders: [] })
)
const on = <A, E, R>(db: string, self: Effect.Effect<A, E, R>) =>
  self.pipe(
    Effect.provide(Layer.provideMerge(Layer.provide(Sqlite.layerExchangeAccounts, vault), onFile(db))),
    Effect.scoped
  )

/** Ann's strategy as a settings' row has it, without the rules of requests, on a signal of hers. */
const stored = (changes: Parameters<typeof settings>[0] = {}) =>
  Effect.gen(function* () {
    const { account } = yield* sender("ann")
    const signal = yield* (yield* Signals).create(account, signalDraft())
    const strategy = yield* (yield* StrategyStore).create(
      account,
      settings({ signalId: Number(signal.id), ...changes })
    )
    return { account, signal, strategy }
  })

const withBot = (state: Partial<BotState>, changes: Parameters<typeof settings>[0] = {}) =>
  Effect.gen(function* () {
    const ann = yield* stored(changes)
    const { strategy } = ann
    yield* (yield* Portfolio).commit([
      step(strategy, 1, {
        bot: bot(strategy.id, 1, { cash: decimal("10000"), slots: {}, ...state })
      })
    ])
    return ann
  })

const live = {
  ...{ account: ExchangeAccountId.make(1), tag: "00112233aabbccdd", since: 1, capital: decimal("1000") },
  ...{ maxOrder: decimal("5000"), maxDailyLoss: decimal("10"), protect: false }
}
const armedAt = (exchange: "binance" | "kraken", changes: Partial<typeof live> = {}) =>
  Effect.gen(function* () {
    const { account } = yield* withBot({ live: { ...live, ...changes } })
    const credentials = { apiKey: Redacted.make("k"), secret: Redacted.make("s") }
    const accounts = yield* ExchangeAccounts
    const { id } = yield* accounts.add(account, { name: "main", exchange, sandbox: false, credentials })
    yield* accounts.checked(account, id, Option.none())
    return { account, accounts, id }
  })

const binance = (...pairs: ReadonlyArray<string>) => [{ exchange: "binance", pairs }] as const
const market = { exchange: "binance", pair: Pair.make("BTC/USDT"), kind: "spot" } as const

type SetUp = Effect.Effect<
  unknown,
  unknown,
  Layer.Layer.Success<ReturnType<typeof onFile>> | ExchangeAccounts
>
const BROKEN: ReadonlyArray<readonly [string, SetUp, string, string]> = [
  [
    "follows no signal",
    Effect.gen(function* () {
      const { account } = yield* sender("ann")
      yield* (yield* StrategyStore).create(account, settings())
    }),
    "it follows no signal",
    "bots#signal_id"
  ],
  [
    "follows a signal that is off",
    Effect.gen(function* () {
      const { account, signal } = yield* stored()
      yield* (yield* Signals).update(account, signal.id, { active: false })
    }),
    "its signal is switched off",
    "bots#signal_id"
  ],
  ["lists no pair", stored({ exchanges: [] }), "it lists no pair", "bots#exchanges"],
  ["buys for 0 %", stored({ buyPercent: 0 }), "its buy_percentage is 0", "reasons#zero_buy_percentage"],
  ["is set aside", withBot({ setAside: 1 }), "it is set aside", "bots#bots-set-aside"],
  [
    "misspells its pair",
    stored({ exchanges: binance("BTC/USTD") }),
    "binance has no market BTC/USTD; the nearest is BTC/US",
    "running#markets"
  ],
  [
    "lists only a pair of another currency",
    stored({ exchanges: binance("ETH/BTC") }),
    "ETH/BTC is not quoted in the strategy's USDT",
    "reasons#quote_not_default"
  ],
  [
    "is too small for its market",
    stored({ buyPercent: 0.01, exchanges: binance("BTC/USDT") }),
    "an entry would be 1 USDT, and the smallest order of BTC/USDT on binance is 5",
    "reasons#below_min_notional"
  ],
  [
    "lost all its money",
    withBot({ cash: decimal("0") }),
    "it has no money left",
    "reasons#insufficient_balance"
  ],
  [
    "lists a market that is closed for buying",
    Effect.gen(function* () {
      yield* stored({ exchanges: binance("BTC/USDT") })
      yield* (yield* Markets).switchMarket(market, { buyEnabled: false })
    }),
    "BTC/USDT on binance is closed for buying",
    "reasons#market_closed_for_buying"
  ],
  [
    "trades on an exchange that is off",
    Effect.gen(function* () {
      yield* stored({ exchanges: binance("BTC/USDT") })
      yield* (yield* Markets).switchExchange("binance", false)
    }),
    "BTC/USDT on binance is closed for buying",
    "reasons#market_closed_for_buying"
  ],
  [
    "is armed with orders that are too small",
    armedAt("binance", { maxOrder: decimal("50") }),
    "an entry is above the largest order of 50 USDT that it was armed with",
    "reasons#over_max_order"
  ],
  [
    "is armed without keys",
    withBot({ live }),
    "trades with real money, and its exchange account 1 is not in this database",
    "real-money#connect"
  ],
  [
    "is armed on an account at another exchange",
    armedAt("kraken"),
    "its exchange account main (kraken) cannot trade its pairs on binance",
    "real-money#arm"
  ],
  [
    "is armed with keys that may not trade",
    Effect.gen(function* () {
      const { account, accounts, id } = yield* armedAt("binance")
      yield* accounts.checked(account, id, Option.some("the key may not trade"))
    }),
    "its exchange account main (binance) failed its last check: the key may not trade",
    "real-money#keys"
  ]
]

test.each(BROKEN)(
  "a strategy that %s is a failure with advice, and ends with exit code 1",
  async (name, make, text, guide) => {
    const db = join(folder, `${name.replaceAll(/\W/g, "-")}.db`)
    await Effect.runPromise(on(db, make))
    const { checks, code } = await doctor(db)
    const found = checks.find((check) => check.text.includes(text))
    expect(found).toMatchObject({ level: "fail", guide: `/guide/${guide}`, advice: expect.any(String) })
    expect(code).toBe(1)
    expect(checks.filter(({ level, name }) => name === "bots" && level === "ok")).toEqual([])
  },
  30_000
)

test("keys that the master key at hand does not open fail the strategy that is armed with them", async () => {
  const db = join(folder, "locked.db")
  await Effect.runPromise(on(db, armedAt("binance")))
  expect((await doctor(db)).code).toBe(0)
  const { checks, code } = await doctor(db, { [VARIABLE]: "6f".repeat(32) })
  expect(code).toBe(1)
  expect(checks).toContainEqual({
    ...{ name: "live", level: "fail", guide: "/guide/real-money#the-master-key" },
    text: expect.stringContaining("its exchange account main (binance) is locked"),
    advice: `signalbox account rekey main --owner ann --db ${db}`
  })
}, 30_000)

const WAITING: ReadonlyArray<readonly [string, SetUp, string]> = [
  [
    "is halted",
    Effect.gen(function* () {
      yield* stored()
      yield* (yield* Halts).halt(Option.none(), "command", "a pause")
    }),
    "entries of ann are halted"
  ],
  ["cools down", withBot({ stopLossUntil: Date.UTC(2100, 0) }), "it cools down until 2100-01-01 00:00 UTC"],
  [
    "never buys one of its pairs",
    stored({ exchanges: binance("BTC/USDT", "BTC/USTD") }),
    "never buys some of its pairs: binance has no market BTC/USTD"
  ],
  ["is inactive", stored({ active: false }), "no strategy is active: none buys anything"]
]

test.each(WAITING)(
  "a strategy that %s is a warning, and leaves the exit code alone",
  async (name, make, text) => {
    const db = join(folder, `${name.replaceAll(/\W/g, "-")}.db`)
    await Effect.runPromise(on(db, make))
    const { checks, code } = await doctor(db)
    const found = checks.find((check) => check.text.includes(text))
    expect(found).toMatchObject({ level: "warn", guide: expect.stringMatching(/^\/guide\//) })
    expect(code).toBe(0)
  },
  30_000
)

test("a strategy that would buy is ok with its size, and one that is fully invested is no problem", async () => {
  const db = join(folder, "well.db")
  const exchanges = [{ exchange_name: "binance", coin_pairs: ["BTC/USDT", "ETH/USDT"] }] as const
  await Effect.runPromise(
    Disk.run(
      db,
      Effect.gen(function* () {
        const ann = yield* Flow.ann({ buy_percentage: 100, exchanges })
        yield* Flow.quote(60_000)
        yield* Flow.say(ann.identity, ann.signal, "buy")
        yield* Flow.aStrategy(ann.account, { signal_id: ann.signal, exchanges, name: "Dip\u001b[2J" })
      })
    )
  )
  const { checks, code } = await doctor(db)
  expect(code).toBe(0)
  const bots = checks.filter(({ name }) => name === "bots").map(({ level, text }) => `${level} ${text}`)
  expect(bots).toEqual([
    expect.stringMatching(
      /^ok strategy 1, .*, is invested \(1 open\): it buys again once something is closed$/
    ),
    "ok strategy 2, Dip [2J, would buy 1000 USDT of each of 2 pairs with the next alert, if a price is there"
  ])
}, 30_000)

test("a server without prices fails as soon as a strategy is active", async () => {
  const db = join(folder, "served.db")
  await Effect.runPromise(on(db, stored()))
  const server = start("serve", "--port", "0", "--prices", "none", "--db", db)
  try {
    const port = new URL(await listening(server.stderr)).port
    const { checks, code } = await doctor(db, {}, port)
    expect(checks).toContainEqual({
      ...{ name: "prices", level: "fail", guide: "/guide/running#prices" },
      text: "the server runs with --prices none, so no bot buys or sells",
      advice: "start it with --prices live"
    })
    expect(code).toBe(1)
  } finally {
    server.kill()
    await server.exited
  }
}, 30_000)
