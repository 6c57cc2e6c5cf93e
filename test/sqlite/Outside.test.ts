import { describe, expect } from "bun:test"
import { join } from "node:path"
import { Context, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { AccountId } from "../../src/domain/Account.ts"
import { markets } from "../../src/domain/catalogue/Catalogue.ts"
import { toText } from "../../src/domain/Decimal.ts"
import { Pair } from "../../src/domain/Market.ts"
import { StrategyId } from "../../src/domain/StrategyId.ts"
import { Accounts } from "../../src/services/Accounts.ts"
import { Markets } from "../../src/services/Markets.ts"
import { Commands } from "../../src/services/money/Commands.ts"
import { Halts } from "../../src/services/money/Halts.ts"
import { fees, listed, listingOf } from "../../src/testing/contracts/listings.ts"
import { it } from "../lib/effect.ts"
import { folder, onFile } from "../services/ports.ts"

/** Time that a command's change may take to count. */
const WITHIN = "100 millis"

const scene = Effect.gen(function* () {
  const filename = join(yield* folder, "signalbox.db")
  // Two connections: SQLite tells them of each other's commits as it would tell two processes.
  return { server: yield* Layer.build(onFile(filename)), command: yield* Layer.build(onFile(filename)) }
})

describe("another process's change counts within 100 ms:", () => {
  it.live("a token that is created or revoked", () =>
    Effect.gen(function* () {
      const { command, server } = yield* scene
      const serving = Context.get(server, Accounts)
      const { secret, token } = yield* Context.get(command, Accounts).issue("alice", "full", Option.none())
      const text = Redacted.value(secret)
      expect(Option.isSome(yield* serving.authenticate(text))).toBe(true)
      yield* Effect.sleep("60 millis")
      expect(Option.isSome(yield* serving.authenticate(text))).toBe(true)
      expect(Option.isSome(yield* serving.valid(token.id))).toBe(true)
      yield* Context.get(command, Accounts).revoke(token.id)
      yield* Effect.sleep(WITHIN)
      expect(yield* serving.authenticate(text)).toEqual(Option.none())
      expect(yield* serving.valid(token.id)).toEqual(Option.none())
    })
  )

  it.live("an exchange or a market that is switched", () =>
    Effect.gen(function* () {
      const { command, server } = yield* scene
      const serving = Context.get(server, Markets)
      const id = { exchange: "okx", pair: Pair.make("BTC/USDT"), kind: "spot" } as const
      expect((yield* serving.catalogue).exchange("okx").active).toBe(true)
      yield* Context.get(command, Markets).switchExchange("okx", false)
      yield* Context.get(command, Markets).switchMarket(id, { buyEnabled: false })
      yield* Effect.sleep(WITHIN)
      const catalogue = yield* serving.catalogue
      expect(catalogue.exchange("okx").active).toBe(false)
      expect(Option.map(catalogue.market(id), ({ buyEnabled }) => buyEnabled)).toEqual(Option.some(false))
    })
  )

  it.live("markets that are refreshed, twice", () =>
    Effect.gen(function* () {
      const { command, server } = yield* scene
      const serving = Context.get(server, Markets)
      const shipped = markets("kraken").map(listed)
      const activeOnes = Effect.map(
        serving.list("kraken"),
        (list) => list.filter(({ active }) => active).length
      )
      expect(yield* activeOnes).toBe(shipped.length)
      for (const gone of [1, 2]) {
        yield* Context.get(command, Markets).renew(listingOf("kraken", shipped.slice(gone)))
        yield* Effect.sleep(WITHIN)
        expect(yield* activeOnes).toBe(shipped.length - gone)
      }
      const { makerFeePercent } = (yield* serving.catalogue).exchange("kraken")
      expect(toText(makerFeePercent)).toBe(toText(fees.makerFeePercent))
    })
  )

  it.live("entries that are halted and resumed", () =>
    Effect.gen(function* () {
      const { command, server } = yield* scene
      const [serving, other] = [Context.get(server, Halts), Context.get(command, Halts)]
      expect(yield* serving.all).toEqual([])
      const heard = <A>(change: Effect.Effect<A>) =>
        Effect.gen(function* () {
          const listening = yield* Effect.fork(Effect.timeout(serving.changed, WITHIN))
          yield* change
          yield* Fiber.join(listening)
          return (yield* serving.all).map(({ text }) => text)
        })
      expect(yield* heard(other.halt(Option.none(), "command", "by hand"))).toEqual(["by hand"])
      expect(yield* heard(other.resume(Option.none()))).toEqual([])
    })
  )

  it.live("a command that is left and answered", () =>
    Effect.gen(function* () {
      const { command, server } = yield* scene
      const [serving, other] = [Context.get(server, Commands), Context.get(command, Commands)]
      expect(yield* serving.pending).toEqual([])
      const listening = yield* Effect.fork(Effect.timeout(serving.changed, WITHIN))
      const wish = { _tag: "Disarm", close: false, forget: false } as const
      const left = yield* other.leave(AccountId.make(1), StrategyId.make(1), wish)
      yield* Fiber.join(listening)
      expect(yield* serving.pending).toEqual([left])
      const answer = { isDone: true, text: "on paper again" }
      yield* serving.answer(left.id, answer)
      expect(yield* other.answerOf(left.id)).toEqual(Option.some(answer))
    })
  )

  it.live("a token's last use is on disk soon, and when the server ends", () =>
    Effect.gen(function* () {
      const filename = join(yield* folder, "signalbox.db")
      const command = Context.get(yield* Layer.build(onFile(filename)), Accounts)
      const { secret } = yield* command.issue("alice", "full", Option.none())
      yield* Effect.scoped(
        Effect.flatMap(Layer.build(onFile(filename)), (server) =>
          Context.get(server, Accounts).authenticate(Redacted.value(secret))
        )
      )
      expect((yield* command.tokens).map(({ lastUsedAt }) => Option.isSome(lastUsedAt))).toEqual([true])
    })
  )
})
