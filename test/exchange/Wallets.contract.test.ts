// The same promises of two very different exchanges, and of the wallets that tests fill by hand.
import { afterEach, beforeEach, describe, test } from "bun:test"
import { Effect, Layer, Option, Redacted } from "effect"
import { Connections } from "../../src/exchange/Connections.ts"
import * as Own from "../../src/exchange/Wallets.ts"
import { holding, Wallets, WalletUnavailable } from "../../src/services/money/Wallets.ts"
import * as Contract from "../../src/testing/Contract.ts"
import { suiteOf } from "../../src/testing/contracts/money/Wallets.ts"
import type { Stub } from "../exchanges/Stub.ts"
import { ACCOUNT, accountsOf, credentialsOf, stubOf } from "./lib.ts"

describe("memory", () => {
  const assets: Record<string, string> = {}
  let isSilent = false
  const told = Effect.suspend(() => {
    if (!isSilent) return Effect.succeed(holding(assets))
    isSilent = false
    return Effect.fail(new WalletUnavailable({ reason: "no answer came" }))
  })
  const layer = Wallets.layerMemory({
    of: (account) =>
      account === ACCOUNT ? told : Effect.fail(new WalletUnavailable({ reason: "there is no such account" })),
    check: () =>
      Effect.map(told, (wallet) => ({ ...wallet, canTrade: Option.none(), canWithdraw: Option.none() }))
  })
  const suite = suiteOf({
    exchange: "binance",
    account: ACCOUNT,
    credentials: { apiKey: Redacted.make("key"), secret: Redacted.make("secret") },
    hold: (asset, amount) =>
      Effect.sync(() => {
        assets[asset] = amount
      }),
    fail: Effect.sync(() => {
      isSilent = true
    })
  })
  Contract.tests(suite, layer, test)
})

for (const name of ["binance", "okx"] as const)
  describe(name, () => {
    let stub: Stub
    beforeEach(async () => {
      stub = await stubOf(name, { door: false })
    })
    afterEach(async () => {
      await stub.stop()
    })
    const layer = Layer.unwrapEffect(
      Effect.sync(() =>
        Own.layer.pipe(
          Layer.provide(Connections.layer({ urls: new Map([[name, stub.url]]) })),
          Layer.provide(accountsOf(name, stub))
        )
      )
    )
    const suite = suiteOf({
      exchange: name,
      account: ACCOUNT,
      get credentials() {
        return credentialsOf(stub)
      },
      hold: (asset, amount) => Effect.sync(() => stub.desk.book.funds.set(asset, amount)),
      fail: Effect.sync(() =>
        stub.desk.troubles.plan("balance", { how: "status", status: 500, when: "before" })
      )
    })
    Contract.tests(suite, layer, test, { clock: "real" })
  })
