import { Database } from "bun:sqlite"
import { describe, expect } from "bun:test"
import { basename, join } from "node:path"
import { Effect, Option } from "effect"
import { type Armed, ExchangeAccountId } from "../../src/domain/Arming.ts"
import { unsafeFromText as decimal } from "../../src/domain/Decimal.ts"
import { OrderId } from "../../src/domain/Order.ts"
import { Commands } from "../../src/services/money/Commands.ts"
import { Halts } from "../../src/services/money/Halts.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { Timeline } from "../../src/services/Timeline.ts"
import * as Backup from "../../src/sqlite/backups/Backup.ts"
import * as Restore from "../../src/sqlite/backups/Restore.ts"
import { bot, order, step } from "../../src/testing/contracts/steps.ts"
import { settings } from "../../src/testing/Fixtures.ts"
import * as Ledger from "../../src/trading/books/Ledger.ts"
import * as Performance from "../../src/trading/Performance.ts"
import { it } from "../lib/effect.ts"
import { folder, onFile, sender } from "../services/ports.ts"

const TAG = "0123456789abcdef"
const live: Armed = {
  account: ExchangeAccountId.make(1),
  ...{ capital: decimal("10000"), maxOrder: decimal("500"), maxDailyLoss: decimal("100") },
  ...{ protect: true, tag: TAG, since: 500 }
}

/** One strategy on paper, two with real money, a halt and a mandate: backed up, and restored beside. */
const restored = Effect.gen(function* () {
  const here = yield* folder
  const filename = join(here, "x.db")
  const target = join(here, "y.db")
  const file = join(here, "monday.backup")
  const before = yield* Effect.gen(function* () {
    const { account } = yield* sender("ann")
    const store = yield* StrategyStore
    const [paper, flat, busy] = [
      yield* store.create(account, settings()),
      yield* store.create(account, settings()),
      yield* store.create(account, settings())
    ]
    const sent = { ...order("3-1-0"), live: { account: live.account, tag: TAG } }
    // Each at its own second: the three may be created in two of them.
    const opening = ({ createdAt }: typeof paper) => [Ledger.opening(decimal("10000"), createdAt * 1000)]
    const of = (strategy: typeof paper, changes: object) => ({
      ...bot(strategy.id, 1, { cash: decimal("10000"), slots: {}, ...changes }),
      tally: Performance.begin(decimal("10000"), strategy.createdAt * 1000)
    })
    const { exchange, kind, pair } = sent
    const slots = { "binance:BTC/USDT:spot": { exchange, pair, kind, order: sent } }
    yield* (yield* Portfolio).commit([
      step(paper, 1, { bot: of(paper, {}), postings: opening(paper) }),
      step(flat, 1, {
        bot: of(flat, { live: { ...live, leaving: true }, period: 2 }),
        postings: opening(flat)
      }),
      step(busy, 1, { bot: of(busy, { live, slots }), postings: opening(busy), orders: [sent] })
    ])
    yield* (yield* Halts).halt(Option.some(account), "daily_loss", "it lost 100")
    const mandate = yield* (yield* Commands).leave(account, busy.id, { _tag: "Arm", terms: live })
    yield* Backup.write(filename, file, { force: false, copy: Backup.here })
    return { account, paper, flat, busy, mandate }
  }).pipe(Effect.provide(onFile(filename)))
  const { verdict } = yield* Restore.restore(file, target, { force: false })
  expect(verdict.faults).toEqual([])
  return { ...before, file: basename(file), target }
})

describe("a restored database", () => {
  it.live("is halted for everybody, and earlier halts stay", () =>
    Effect.gen(function* () {
      const { account, target } = yield* restored
      yield* Effect.gen(function* () {
        const halts = yield* Halts
        const [all, own, ...others] = yield* halts.all
        expect(all).toMatchObject({ account: Option.none(), cause: "restored" })
        expect(all?.text).toStartWith("the database was restored from monday.backup")
        expect(own).toMatchObject({ account: Option.some(account), cause: "daily_loss" })
        expect(others).toEqual([])
        expect(yield* halts.resume(Option.none())).toBe(true)
      }).pipe(Effect.provide(onFile(target)))
      const database = new Database(target, { readonly: true })
      const [row] = database.query("SELECT resumed_at FROM restores").values()
      database.close()
      expect(row).toEqual([expect.any(Number)])
    })
  )

  it.live("has no armed strategy: each is being disarmed, under a tag with which nothing was sent", () =>
    Effect.gen(function* () {
      const { busy, flat, paper, target } = yield* restored
      yield* Effect.gen(function* () {
        const portfolio = yield* Portfolio
        const state = (id: typeof paper.id) => Effect.map(portfolio.bot(id), (it) => it?.state)
        expect((yield* state(paper.id))?.live).toBeUndefined()
        const states = [yield* state(flat.id), yield* state(busy.id)]
        const tags = new Set(states.map((it) => it?.live?.tag))
        expect(tags.size).toBe(2)
        for (const it of states) {
          expect(it?.live?.tag).toMatch(/^[0-9a-f]{16}$/)
          expect(it?.live?.tag).not.toBe(TAG)
          const { leaving, tag: _, ...terms } = it?.live ?? live
          const { tag: __, ...agreed } = live
          expect([leaving, JSON.stringify(terms)]).toEqual([true, JSON.stringify(agreed)])
        }
        // What is under way goes on being asked about where it was sent.
        const [waiting] = yield* portfolio.unsettled
        expect(waiting?.order).toMatchObject({ id: OrderId.make("3-1-0"), live: { tag: TAG } })
        expect(states[1]?.slots["binance:BTC/USDT:spot"]?.order?.live?.tag).toBe(TAG)
      }).pipe(Effect.provide(onFile(target)))
    })
  )

  it.live("voids earlier commands, and tells the owners", () =>
    Effect.gen(function* () {
      const { account, busy, mandate, paper, target } = yield* restored
      yield* Effect.gen(function* () {
        const mandates = yield* Commands
        expect(yield* mandates.pending).toEqual([])
        expect(yield* mandates.answerOf(mandate.id)).toEqual(
          Option.some({ isDone: false, text: "it is void: the database was restored from monday.backup" })
        )
        const timeline = yield* Timeline
        const rules = (id: typeof paper.id) =>
          Effect.map(timeline.list(account, id, { limit: 9 }), (found) => found.map(({ rule }) => rule))
        expect(yield* rules(busy.id)).toEqual(["disarmed"])
        expect(yield* rules(paper.id)).toEqual([])
      }).pipe(Effect.provide(onFile(target)))
    })
  )
})
