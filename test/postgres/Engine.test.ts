// The adversary: back ends that are killed at any moment of a server's life, and a second server that takes the bots over
// while the first one still runs.
import { describe, expect } from "bun:test"
import type { SqlClient } from "@effect/sql/SqlClient"
import { Context, Effect, Layer, type Redacted, type Scope } from "effect"
import * as Postgres from "../../src/postgres/Postgres.ts"
import * as ReplayClock from "../../src/prices/ReplayClock.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { StorageUnavailable } from "../../src/services/records/StorageUnavailable.ts"
import * as Client from "../../src/sqlite/client/Client.ts"
import * as Worlds from "../flow/worlds.ts"
import * as Disk from "../lib/disk.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import * as Commits from "../lib/postgres/Commits.ts"
import { database, fresh, isInstalled, killing } from "../lib/postgres/Database.ts"

/** A server without a listener, on Postgres. */
const onPostgres = (url: Redacted.Redacted) =>
  Disk.worldOn(Layer.provideMerge(Postgres.layerPorts, Postgres.layer({ url, node: fresh("node") })))

/** A request as people send it: again where the answer is 503. */
const patiently = <A, E, R>(request: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.catchAllDefect(request, (defect) =>
    defect instanceof StorageUnavailable
      ? Effect.zipRight(
          Effect.promise(() => Bun.sleep(10)),
          patiently(request)
        )
      : Effect.die(defect)
  )

const BEGIN = Date.UTC(2026, 2, 1)
const HOUR = 3_600_000
const ROUNDS = 25

/** Rules at random, but for trails: those are stored once a second, however slow the database is. */
const rules = (dice: Worlds.Dice): Flow.Body => ({
  ...Worlds.strategyOf(dice),
  trailing_sell: false,
  strategy_trailing_buy_switch: false
})

/** Ann's strategies trade for a while. */
const life = (
  clock: ReplayClock.ReplayClock,
  seed: number,
  meanwhile: Effect.Effect<unknown, never, Scope.Scope>
) =>
  Effect.gen(function* () {
    const dice = Worlds.dice(seed)
    const ann = yield* Flow.ann(rules(dice))
    for (let count = 0; count < 3; count++)
      yield* Flow.aStrategy(ann.account, { ...rules(dice), signal_id: ann.signal })
    yield* meanwhile
    for (let round = 1; round <= ROUNDS; round++) {
      clock.moveTo(BEGIN + round * HOUR, BEGIN + round * HOUR)
      for (const pair of Worlds.PAIRS)
        yield* patiently(Flow.quote(dice.whole(90, 110), { exchange: "bybit", pair }))
      const type = dice.one(["buy", "sell", "long", "short"] as const, "buy")
      const pair = dice.one<string>(Worlds.PAIRS, "BTC/USDT")
      yield* patiently(Flow.send(ann.identity, ann.signal, type, { pair }))
      yield* patiently(Flow.caughtUp)
    }
  })
type Needed = Exclude<Effect.Effect.Context<ReturnType<typeof life>>, Scope.Scope> | SqlClient

/** The books that a life leaves behind. */
const booksAfter = <E>(
  seed: number,
  world: Layer.Layer<Needed, E>,
  meanwhile: Effect.Effect<unknown, never, Scope.Scope> = Effect.void
) => {
  const clock = ReplayClock.make(BEGIN, 1)
  // The pool may still hold connections that were ended.
  const books = Effect.retry(Commits.books, { times: 20 })
  return Effect.zipRight(Effect.scoped(life(clock, seed, meanwhile)), books).pipe(
    Effect.provide(Layer.provideMerge(world, Layer.setClock(clock)))
  )
}

describe.skipIf(!isInstalled)("a server on Postgres", () => {
  it.live(
    "makes the books that it makes on SQLite, also while back ends are killed at random",
    () =>
      Effect.gen(function* () {
        for (const [seed, share] of [
          [1, 0],
          [2, 0.05]
        ] as const) {
          const there = yield* booksAfter(seed, Disk.world(Client.MEMORY))
          const { name, server, url } = yield* database()
          const meanwhile = share === 0 ? Effect.void : killing(server, name, share)
          expect(yield* booksAfter(seed, onPostgres(url), meanwhile)).toEqual(there)
        }
      }),
    60_000
  )

  it.live(
    "that another one has taken over stores nothing more, and every alert is judged once",
    () =>
      Effect.gen(function* () {
        const { url } = yield* database()
        const first = yield* Layer.build(onPostgres(url))
        const ann = yield* Effect.provide(Flow.ann(), first)
        yield* Effect.provide(Flow.quote(100), first)
        yield* Effect.provide(Flow.say(ann.identity, ann.signal, "buy"), first)
        const second = yield* Layer.build(onPostgres(url))
        yield* Effect.provide(Flow.quote(120), second)
        // The first one still hears of alerts, and of another price.
        yield* Effect.fork(Effect.provide(Flow.quote(80), first))
        const alert = yield* Effect.provide(Flow.say(ann.identity, ann.signal, "sell"), second)
        yield* Effect.sleep("300 millis")
        expect(yield* Effect.provide(Flow.became(ann.account, alert), second)).toEqual(["closed"])
        const trades = yield* Effect.provide(Flow.tradesOf(ann.strategy), second)
        expect(trades.map(({ exitPrice }) => exitPrice)).toEqual([120])
        const portfolio = Context.get(second, Portfolio)
        expect((yield* portfolio.fills(ann.strategy)).length).toBe(2)
      }),
    60_000
  )
})
