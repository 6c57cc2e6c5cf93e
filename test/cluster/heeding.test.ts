// The adversary: a server that goes on by what it remembers, while another one on the same database changes it. Each
// change has to be heeded within a second, also where no word of Postgres arrives.
import { describe, expect } from "bun:test"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Either, Option, Redacted, type Scope } from "effect"
import type { AccountId, Identity } from "../../src/domain/Account.ts"
import type { Credentials } from "../../src/domain/ExchangeAccount.ts"
import type { SignalId } from "../../src/domain/Signal.ts"
import type { Strategy } from "../../src/domain/Strategy.ts"
import { Accounts } from "../../src/services/Accounts.ts"
import { ExchangeAccounts } from "../../src/services/ExchangeAccounts.ts"
import { Markets } from "../../src/services/Markets.ts"
import { Halts } from "../../src/services/money/Halts.ts"
import { RuleDesk } from "../../src/services/rules/RuleDesk.ts"
import { Sessions } from "../../src/services/Sessions.ts"
import { Signals } from "../../src/services/Signals.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { followersOf } from "../../src/testing/contracts/people.ts"
import { marketId, rule, settings, signalDraft } from "../../src/testing/Fixtures.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import { isInstalled } from "../lib/postgres/Database.ts"
import { sender } from "../services/ports.ts"
import { type Node, twoServers } from "./lib/TwoServers.ts"

const WITHIN_MS = 1_000
const LOOK_MS = 20

/** Something that the first server changes, and what the second one must see of it. */
interface Change {
  readonly change: Effect.Effect<unknown, unknown>
  readonly isHeeded: Effect.Effect<boolean, unknown>
}
type Making = (a: Node, b: Node, ann: Identity) => Effect.Effect<Change, unknown, Scope.Scope>

const keys = (apiKey: string): Credentials => ({
  apiKey: Redacted.make(apiKey),
  secret: Redacted.make("a secret")
})

/** Whether the followers are such, in what is kept for a sender's alerts and in what is kept for the engine. */
const areFollowers = (
  signal: SignalId,
  account: AccountId,
  such: (followers: ReadonlyArray<Strategy>) => boolean
) =>
  Effect.gen(function* () {
    const store = yield* StrategyStore
    return such(yield* store.followers(signal, account)) && such(yield* followersOf(signal))
  })

/** Everything that a server keeps in memory of what another one may change. */
const CHANGES: Readonly<Record<string, Making>> = {
  "a token that is revoked": (a, b) =>
    Effect.gen(function* () {
      const { secret, token } = yield* a.on(
        Effect.flatMap(Accounts, ({ issue }) => issue("ann", "full", Option.none()))
      )
      const bearer = Effect.flatMap(Accounts, ({ authenticate }) => authenticate(Redacted.value(secret)))
      return {
        change: a.on(Effect.flatMap(Accounts, ({ revoke }) => revoke(token.id))),
        isHeeded: b.on(Effect.map(bearer, Option.isNone))
      }
    }),
  "a session that ends": (a, b, ann) =>
    Effect.gen(function* () {
      const { secret, session } = yield* a.on(Effect.flatMap(Sessions, ({ begin }) => begin(ann)))
      const use = Effect.flatMap(Sessions, ({ use }) => use(Redacted.value(secret)))
      return {
        change: a.on(Effect.flatMap(Sessions, ({ end }) => end(session.id))),
        isHeeded: b.on(Effect.map(use, Option.isNone))
      }
    }),
  "a signal that is switched off": (a, b, { account }) =>
    Effect.gen(function* () {
      const { id } = yield* a.on(Effect.flatMap(Signals, ({ create }) => create(account, signalDraft())))
      return {
        change: a.on(Effect.flatMap(Signals, ({ update }) => update(account, id, { active: false }))),
        isHeeded: b.on(
          Effect.map(
            Effect.flatMap(Signals, ({ get }) => get(account, id)),
            ({ active }) => !active
          )
        )
      }
    }),
  "a signal that is deleted": (a, b, { account }) =>
    Effect.gen(function* () {
      const { id } = yield* a.on(Effect.flatMap(Signals, ({ create }) => create(account, signalDraft())))
      return {
        change: a.on(Effect.flatMap(Signals, ({ remove }) => remove(account, id))),
        isHeeded: b.on(
          Effect.map(Effect.either(Effect.flatMap(Signals, ({ get }) => get(account, id))), Either.isLeft)
        )
      }
    }),
  "a rule that its owner changes": (a, b, { account }) =>
    Effect.gen(function* () {
      const signals = yield* a.on(Signals)
      const { id } = yield* signals.create(account, signalDraft())
      const status = b.on(Effect.map(RuleDesk, (desk) => Option.isSome(desk.status(account, id))))
      return { change: signals.update(account, id, { rule: rule() }), isHeeded: status }
    }),
  "a strategy that follows a signal from now on": (a, b, { account }) =>
    Effect.gen(function* () {
      const { id } = yield* a.on(Effect.flatMap(Signals, ({ create }) => create(account, signalDraft())))
      return {
        change: a.on(
          Effect.flatMap(StrategyStore, ({ create }) => create(account, settings({ signalId: id })))
        ),
        isHeeded: b.on(areFollowers(id, account, ([one]) => one !== undefined))
      }
    }),
  "settings that change": (a, b, { account }) =>
    Effect.gen(function* () {
      const signal = yield* a.on(Effect.flatMap(Signals, ({ create }) => create(account, signalDraft())))
      const before = settings({ signalId: signal.id })
      const { id } = yield* a.on(Effect.flatMap(StrategyStore, ({ create }) => create(account, before)))
      return {
        change: a.on(
          Effect.flatMap(StrategyStore, ({ update }) => update(account, id, { ...before, buyPercent: 33 }))
        ),
        isHeeded: b.on(areFollowers(signal.id, account, ([one]) => one?.settings.buyPercent === 33))
      }
    }),
  "a halt of everybody": (a, b) =>
    Effect.succeed({
      change: a.on(Effect.flatMap(Halts, ({ halt }) => halt(Option.none(), "command", "stop"))),
      isHeeded: b.on(
        Effect.map(
          Effect.flatMap(Halts, ({ all }) => all),
          (all) => all.length === 1
        )
      )
    }),
  "an exchange that is switched off": (a, b) =>
    Effect.succeed({
      change: a.on(Effect.flatMap(Markets, (markets) => markets.switchExchange("kraken", false))),
      isHeeded: b.on(
        Effect.map(
          Effect.flatMap(Markets, ({ catalogue }) => catalogue),
          (all) => !all.exchange("kraken").active
        )
      )
    }),
  "a market that is closed for buying": (a, b) =>
    Effect.succeed({
      change: a.on(Effect.flatMap(Markets, (it) => it.switchMarket(marketId(), { buyEnabled: false }))),
      isHeeded: b.on(
        Effect.map(
          Effect.flatMap(Markets, ({ catalogue }) => catalogue),
          (all) => Option.exists(all.market(marketId()), ({ buyEnabled }) => !buyEnabled)
        )
      )
    }),
  "keys of an exchange account that are replaced": (a, b, { account }) =>
    Effect.gen(function* () {
      const own = yield* a.on(ExchangeAccounts)
      const { id } = yield* own.add(account, {
        name: "main",
        exchange: "kraken",
        sandbox: false,
        credentials: keys("old")
      })
      const unlocked = Effect.flatMap(ExchangeAccounts, ({ unlock }) => unlock(id))
      return {
        change: own.rekey(account, id, keys("new")),
        isHeeded: b.on(
          Effect.map(unlocked, ({ credentials }) => Redacted.value(credentials.apiKey) === "new")
        )
      }
    })
}

/** From now on changes have their numbers, and Postgres says no word. */
const mute = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [source] = yield* sql`SELECT pg_get_functiondef('signalbox_tell_of_change'::regproc) AS text`
  const text = String(source?.["text"])
  const silent = text.replace(/PERFORM pg_notify[^;]*;/, "PERFORM nextval('changes');")
  expect(silent).not.toBe(text)
  yield* sql.unsafe(silent)
})

/** How long it takes until something is so (ms). */
const untilSo = (isSo: Effect.Effect<boolean, unknown>) =>
  Effect.gen(function* () {
    const began = performance.now()
    while (!(yield* isSo) && performance.now() - began < 3 * WITHIN_MS) yield* Effect.sleep(LOOK_MS)
    return performance.now() - began
  })

describe.skipIf(!isInstalled)("another server heeds within a second", () => {
  for (const isMute of [false, true])
    it.live(
      isMute ? "each change of which it hears no word" : "each change of which it is told",
      () =>
        Effect.gen(function* () {
          const { a, b } = yield* twoServers()
          // The first account's bots run on the second server.
          const ann = yield* a.on(sender("ann"))
          if (isMute) yield* a.on(mute)
          const late: Record<string, number> = {}
          for (const [name, making] of Object.entries(CHANGES)) {
            const { change, isHeeded } = yield* making(a, b, ann)
            // It remembers what was before.
            yield* Effect.sleep("300 millis")
            expect({ name, isHeeded: yield* isHeeded }).toEqual({ name, isHeeded: false })
            yield* change
            const took = yield* untilSo(isHeeded)
            if (took > WITHIN_MS) late[name] = took
          }
          expect(late).toEqual({})
        }),
      60_000
    )

  it.live(
    "a halt: its bots enter nothing more, and their positions still close",
    () =>
      Effect.gen(function* () {
        const { a, b } = yield* twoServers()
        yield* a.on(mute)
        const ann = yield* b.on(Flow.user("ann"))
        yield* b.on(Flow.quote(100))
        yield* b.on(Flow.say(ann.identity, ann.signal, "buy", { pair: "BTC/USDT" }))
        yield* a.on(Effect.flatMap(Halts, ({ halt }) => halt(Option.none(), "command", "stop")))
        yield* Effect.sleep(WITHIN_MS)
        yield* b.on(Flow.quote(100, { pair: "ETH/USDT" }))
        const entry = yield* b.on(Flow.say(ann.identity, ann.signal, "buy", { pair: "ETH/USDT" }))
        expect(yield* b.on(Flow.became(ann.account, entry))).not.toEqual(["opened"])
        const exit = yield* b.on(Flow.say(ann.identity, ann.signal, "sell", { pair: "BTC/USDT" }))
        expect(yield* b.on(Flow.became(ann.account, exit))).toEqual(["closed"])
      }),
    60_000
  )
})
