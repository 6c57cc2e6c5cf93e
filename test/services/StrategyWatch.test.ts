// The adversary: an account that changes a strategy all the time, beside very many strategies of others, and partitions that
// come and go one by one.
import { expect } from "bun:test"
import { Effect, TestClock } from "effect"
import { Pair } from "../../src/domain/Market.ts"
import { partitionOf, partitions } from "../../src/domain/Partition.ts"
import * as Memory from "../../src/Memory.ts"
import { NeededMarkets } from "../../src/services/engine/prices/NeededMarkets.ts"
import * as StrategyWatch from "../../src/services/engine/prices/StrategyWatch.ts"
import { Share } from "../../src/services/engine/Share.ts"
import { Markets } from "../../src/services/Markets.ts"
import { Signals } from "../../src/services/Signals.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { settings } from "../../src/testing/Fixtures.ts"
import { layer } from "../lib/effect.ts"
import { aSignal, sender } from "./ports.ts"

const it = layer(Memory.ports)

/** How long a look takes (ms). */
const LOOK_MS = 50

const on = (pair: string) => [{ exchange: "binance", pairs: [Pair.make(pair)] }] as const

/** Alice on BTC and Bob on ETH, each in a partition of their own, and who watches their strategies. */
const watched = Effect.gen(function* () {
  const inner = yield* StrategyStore
  const looks: Array<number> = []
  const store = {
    ...inner,
    following: (some: Parameters<typeof inner.following>[0]) =>
      Effect.tap(Effect.zipLeft(inner.following(some), Effect.sleep(LOOK_MS)), () => looks.push(some.size))
  }
  const [alice, bob] = [yield* sender("alice"), yield* sender("bob")]
  const signals = yield* Signals
  const trading = (account: typeof alice.account, pair: string) =>
    Effect.gen(function* () {
      const { id: signalId } = yield* signals.create(account, aSignal())
      return yield* inner.create(account, settings({ signalId, exchanges: on(pair) }))
    })
  const mine = yield* trading(alice.account, "BTC/USDT")
  const theirs = yield* trading(bob.account, "ETH/USDT")
  const [share, needs] = [new Share(), new NeededMarkets()]
  const watch = yield* Effect.provideService(StrategyWatch.make({ needs, share }), StrategyStore, store)
  const { catalogue } = yield* Markets
  const pairs = Effect.map(catalogue, (all) => [...new Set(needs.markets(all).map(({ pair }) => `${pair}`))])
  const listen = Effect.forkScoped(Effect.forever(watch.listen))
  return { store: inner, alice, bob, mine, theirs, share, watch, pairs, looks, listen }
})

it.scoped("partitions that go need no look, and their markets are not needed any more", () =>
  Effect.gen(function* () {
    const { alice, bob, listen, looks, pairs, share, theirs, watch } = yield* watched
    share.add(partitions, 0)
    yield* listen
    yield* TestClock.adjust("1 seconds")
    expect(yield* pairs).toEqual(["BTC/USDT", "ETH/USDT"])
    expect(looks).toEqual([256])
    for (const one of partitions) {
      if (one === partitionOf(alice.account)) continue
      share.remove([one])
      yield* TestClock.adjust("1 millis")
    }
    expect(yield* pairs).toEqual(["BTC/USDT"])
    expect(looks).toEqual([256])
    share.add([partitionOf(bob.account)], 0)
    watch.learn([theirs])
    yield* TestClock.adjust("1 seconds")
    expect(yield* pairs).toEqual(["BTC/USDT", "ETH/USDT"])
    expect(looks).toEqual([256, 2])
  })
)

it.scoped("a look forgets no strategy of a partition that comes meanwhile", () =>
  Effect.gen(function* () {
    const { alice, bob, listen, pairs, share, theirs, watch } = yield* watched
    share.add([partitionOf(alice.account)], 0)
    yield* listen
    yield* TestClock.adjust(LOOK_MS / 2)
    share.add([partitionOf(bob.account)], 0)
    watch.learn([theirs])
    yield* TestClock.adjust(LOOK_MS)
    expect(yield* pairs).toEqual(["BTC/USDT", "ETH/USDT"])
  })
)

it.scoped("a strategy that changed before its partition came is known as it is now", () =>
  Effect.gen(function* () {
    const { alice, bob, listen, pairs, share, store, theirs, watch } = yield* watched
    share.add([partitionOf(alice.account)], 0)
    yield* listen
    yield* TestClock.adjust("1 seconds")
    // Whoever takes the partition has read the strategy before this change.
    yield* store.update(bob.account, theirs.id, { ...theirs.settings, exchanges: on("SOL/USDT") })
    yield* TestClock.adjust("1 seconds")
    share.add([partitionOf(bob.account)], 0)
    yield* TestClock.adjust("1 seconds")
    watch.learn([theirs])
    yield* TestClock.adjust("1 seconds")
    expect(yield* pairs).toEqual(["BTC/USDT", "SOL/USDT"])
  })
)

it.scoped("a strategy that changes all the time has the engine look for a fifth of the time at most", () =>
  Effect.gen(function* () {
    const { alice, listen, looks, mine, pairs, share, store } = yield* watched
    share.add(partitions, 0)
    yield* listen
    yield* TestClock.adjust("1 seconds")
    const before = looks.length
    const change = (pair: string) =>
      store.update(alice.account, mine.id, { ...mine.settings, exchanges: on(pair) })
    for (let time = 0; time < 200; time++) {
      yield* change(time % 2 === 0 ? "SOL/USDT" : "BTC/USDT")
      yield* TestClock.adjust("10 millis")
    }
    expect(looks.length - before).toBeGreaterThan(1)
    expect((looks.length - before) * LOOK_MS).toBeLessThanOrEqual(2000 / 5 + LOOK_MS)
    yield* change("SOL/USDT")
    yield* TestClock.adjust("1 seconds")
    expect(yield* pairs).toEqual(["ETH/USDT", "SOL/USDT"])
  })
)
