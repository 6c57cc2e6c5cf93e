// What failures say of an order: every class of the library's, and what each exchange says in its own words.
import { describe, expect, test } from "bun:test"
import hierarchy from "../../node_modules/ccxt/js/src/base/errorHierarchy.js"
import * as errors from "../../node_modules/ccxt/js/src/base/errors.js"
import { Unreadable } from "../../src/ccxt/sound.ts"
import { EXCHANGE_NAMES } from "../../src/domain/Market.ts"
import { outcomeOf } from "../../src/exchange/Outcome.ts"
import { CLASSES } from "../../src/exchange/outcomes/classes.ts"
import { PHASES } from "../../src/exchange/Phase.ts"
import { type Flaw, ORDER_FLAWS } from "../exchanges/private/Flaw.ts"
import { open, type TradingClient } from "../exchanges/private/open.ts"
import type { Trouble } from "../exchanges/private/Trouble.ts"
import { protocols } from "../exchanges/protocols.ts"
import { Stub } from "../exchanges/Stub.ts"
import { SPOT } from "./lib.ts"

const namesIn = (tree: object): ReadonlyArray<string> =>
  Object.entries(tree).flatMap(([name, below]) => [name, ...namesIn(below)])

test("the table has every error class of ccxt", () => {
  const exported = Object.entries(errors).flatMap(([name, value]) =>
    name !== "default" && typeof value === "function" ? [new value("").name] : []
  )
  expect(exported.length).toBeGreaterThan(35)
  const known = Object.keys(CLASSES).sort()
  expect([...new Set([...exported, ...namesIn(hierarchy)])].sort()).toEqual(known)
})

test("no class calls a sent order missing, and only few certainly refuse it", () => {
  const rows = Object.entries(CLASSES)
  for (const [, row] of rows) for (const phase of PHASES) expect(row[phase]).toBeString()
  expect(rows.filter(([, { place }]) => place === "Missing")).toEqual([])
  // Of what cancelling and asking says, none is a refusal of the order.
  for (const [, { balance, cancel, lookup }] of rows)
    expect([lookup, cancel, balance].includes("Rejected")).toBe(false)
  expect(rows.flatMap(([name, { place }]) => (place === "Rejected" ? [name] : [])).join(" ")).toBe(
    "AuthenticationError PermissionDenied AccountNotEnabled AccountSuspended ArgumentsRequired BadSymbol " +
      "OperationRejected MarketClosed ManualInteractionNeeded RestrictedLocation InsufficientFunds InvalidOrder " +
      "OrderImmediatelyFillable OrderNotFillable ContractUnavailable NotSupported InvalidProxySettings InvalidNonce"
  )
})

test("an error that is not in the table is unknown", () => {
  for (const error of [new TypeError("x"), new SyntaxError("x"), new Unreadable(), "x", undefined, {}])
    for (const phase of PHASES)
      expect(outcomeOf("binance", phase, error)).toMatchObject({ verdict: "Unknown", pauseMs: 0 })
  const stranger = Object.assign(new Error("x"), { name: "toString" })
  expect(outcomeOf("binance", "place", stranger).verdict).toBe("Unknown")
})

test("no text of the exchange gets into the reason", () => {
  const said = new errors.InvalidOrder(`binance {"code":-2010,"msg":"${"secret ".repeat(1000)}"}`)
  expect(outcomeOf("binance", "place", said).reason).toBe("the exchange refuses the order as it is")
})

test.each(
  (
    [
      ["binance", new errors.InvalidOrder('binance {"code":-2010,"msg":"Duplicate order sent."}')],
      ["binance", new errors.InvalidOrder('binance {"code":-4116,"msg":"ClientOrderId is taken."}')],
      ["binance", new errors.BadRequest('binance {"code":-20132,"msg":"taken"}')],
      ["bybit", new errors.InvalidOrder('bybit {"retCode":170146,"retMsg":"Order creation timeout"}')],
      ["bybit", new errors.BadRequest('bybit {"retCode":10014,"retMsg":"Request is seen"}')],
      [
        "bybit",
        new errors.BadRequest('bybit {"retCode":170035,"retMsg":"Submitted to the system for processing!"}')
      ],
      [
        "okx",
        new errors.InvalidOrder(
          'okx {"code":"1","data":[{"sCode":"51016","sMsg":"Client order ID exists."}]}'
        )
      ],
      ["kucoin", new errors.BadRequest('kucoin {"code":"408000","msg":"Network busy"}')],
      ["kucoin", new errors.InvalidOrder('kucoin {"code":"126044","msg":"clientOid taken"}')],
      ["bitget", new errors.AuthenticationError('bitget {"code":"40010","msg":"Request timed out"}')],
      ["coinbase", new errors.OrderNotFound("coinbase order with this orderID was not found")]
    ] as const
  ).map((row, at) => [at, ...row] as const)
)("%d %s: leaves an order unknown", (_, name, error) => {
  expect(outcomeOf(name, "place", error).verdict).toBe("Unknown")
})

/** Refusals that every exchange says before it takes an order; after the others nobody knows. */
const SURE: ReadonlySet<Flaw> = new Set<Flaw>([
  ...(["no_key", "bad_key", "bad_signature", "bad_passphrase", "no_permission", "insufficient"] as const),
  ...(["min_amount", "min_cost", "amount_step", "price_step", "unknown_market", "closed_market"] as const),
  ...(["bad_id", "would_trigger", "bad_request", "limited", "banned"] as const)
])
/** Also sure, but not said by all in words of their own. */
const SOMETIMES: ReadonlySet<Flaw> = new Set<Flaw>(["clock", "expired"])

for (const name of EXCHANGE_NAMES)
  describe(`texts of ${name}`, () => {
    const after = async (trouble: Trouble) => {
      const stub = await Stub.start(protocols[name], [SPOT])
      stub.desk.book.funds.set("USDT", "100000")
      const exchange = await open(name, stub)
      await exchange.loadMarkets()
      await exchange.fetchBalance()
      stub.desk.troubles.plan("place", trouble)
      const error = await place(exchange).catch((cause: unknown) => cause)
      await exchange.close()
      await stub.stop()
      return { outcome: outcomeOf(name, "place", error), orders: stub.desk.book.orders.length }
    }
    const place = (exchange: TradingClient) => exchange.createOrder("BTC/USDT", "limit", "buy", 0.001, 50_000)

    test.each(ORDER_FLAWS)("%s", async (flaw) => {
      // One says neither: ids are taken twice without a word, and which are sound is told nowhere.
      if (name === "coinbase" && (flaw === "duplicate_id" || flaw === "bad_id")) return
      const { outcome } = await after({ how: "refuse", flaw })
      if (SURE.has(flaw)) expect(outcome.verdict).toBe("Rejected")
      else if (!SOMETIMES.has(flaw)) expect(outcome.verdict).toBe("Unknown")
      const isLimit = flaw === "limited" || flaw === "banned"
      expect(outcome.pauseMs > 0).toBe(isLimit)
    })

    const spoilt: ReadonlyArray<Trouble> = [
      ...([500, 502, 504, 429, 418, 403, 400, 404] as const).map(
        (status) => ({ how: "status", when: "after", status }) as const
      ),
      ...(["truncated", "nonsense", "empty", "cut"] as const).map((how) => ({ how, when: "after" }) as const)
    ]
    test("never call an order refused that exists", async () => {
      for (const trouble of spoilt) {
        const { orders, outcome } = await after(trouble)
        expect([orders, outcome.verdict]).toEqual([1, "Unknown"])
      }
    })
  })
