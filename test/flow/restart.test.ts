// What survives an orderly end, and what survives a kill.
import { describe, expect } from "bun:test"
import { Context, Effect, Layer, TestClock } from "effect"
import * as Decimal from "../../src/domain/Decimal.ts"
import { Bots } from "../../src/services/Bots.ts"
import { Exchange } from "../../src/services/Exchange.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { Signals } from "../../src/services/Signals.ts"
import { Timeline } from "../../src/services/Timeline.ts"
import { balances } from "../../src/trading/books/Ledger.ts"
import * as Disk from "../lib/disk.ts"
import * as Flow from "../lib/flow.ts"
import * as Stopping from "../lib/stopping.ts"
import { onEach, strideOf } from "../lib/storages.ts"
import { aSignal, cursorOf } from "../services/ports.ts"

/** Of so many moments on Postgres, one is tried in the short form: an odd number, for kills before and after commits. */
const FEW = 7

onEach((storage) => {
  const { effect, place } = storage

  describe("an orderly stop", () => {
    effect(
      "keeps positions, trails with their extremes, waiting alerts with their deadlines, and the cursor",
      () =>
        Effect.gen(function* () {
          const { db } = yield* place
          const before = yield* Disk.run(
            db,
            Effect.gen(function* () {
              const ann = yield* Flow.ann({
                taker_fee: 0,
                strategy_trailing_buy_switch: true,
                trailing_buy_percentage: 2
              })
              const trail = yield* Flow.aStrategy(ann.account, {
                taker_fee: 0,
                signal_id: ann.signal,
                trailing_sell: true,
                trailing_sell_arm: 5,
                trailing_sell_percentage: 2
              })
              yield* Flow.quote(100)
              yield* Flow.say(ann.identity, ann.signal, "buy")
              const held = yield* Flow.say(ann.identity, ann.signal, "long")
              // The trails move, and no second passes in which they would be stored.
              yield* Flow.quote(90)
              yield* Flow.quote(91)
              return { ...ann, trail, held, holds: yield* Flow.holds(trail) }
            })
          )
          yield* TestClock.adjust("3 seconds")
          const { armed, peak } = yield* Disk.run(
            db,
            Effect.gen(function* () {
              expect(yield* Flow.holds(before.trail)).toEqual(before.holds)
              const armed = yield* Flow.holds(before.strategy)
              expect(yield* Flow.waitingIds).toEqual([before.held, before.held])
              yield* Flow.quote(91.8)
              expect(yield* Flow.holds(before.strategy)).toEqual(["BTC/USDT spot long 10.89324 @ 91.8"])
              yield* Flow.quote(120)
              // Ten seconds after its first try, whatever restarts there were.
              yield* TestClock.adjust(6_900)
              expect(yield* Flow.became(before.account, before.held)).toEqual([])
              yield* TestClock.adjust(100)
              expect(yield* Flow.became(before.account, before.held)).toEqual(["no_price", "no_price"])
              return { armed, peak: yield* Flow.botOf(before.trail) }
            })
          )
          expect(armed).toEqual(["BTC/USDT spot armed at 90"])
          expect(peak?.state.slots["binance:BTC/USDT:spot"]?.position?.peak).toBe(120)
          yield* Disk.run(
            db,
            Effect.gen(function* () {
              yield* Flow.quote(117.6)
              expect((yield* Flow.tradesOf(before.trail)).map(Flow.told)).toEqual([
                "long 10 @ 100 -> 117.6 trailing_sell x1"
              ])
            })
          )
        })
    )

    effect("in the middle of a commit fills the orders of that commit on paper", () =>
      Effect.gen(function* () {
        const { db } = yield* place
        const stopping = yield* Stopping.make
        const ann = yield* Disk.run(
          db,
          Effect.gen(function* () {
            const ann = yield* Flow.ann({ taker_fee: 0, stop_loss: true, stop_loss_percentage: 3 })
            yield* Flow.quote(100)
            yield* Flow.say(ann.identity, ann.signal, "buy")
            yield* stopping.within(Flow.quote(96))
            return ann
          }),
          stopping.parts
        )
        const askedAbout: Array<string> = []
        const exchange = Layer.map(Exchange.layerPaper, (context) => {
          const paper = Context.get(context, Exchange)
          return Context.make(Exchange, {
            ...paper,
            lookup: (ticket) =>
              Effect.zipRight(
                Effect.sync(() => askedAbout.push(ticket.order.id)),
                paper.lookup(ticket)
              )
          })
        })
        yield* Disk.run(
          db,
          Effect.gen(function* () {
            expect((yield* Flow.tradesOf(ann.strategy)).map(Flow.told)).toEqual([
              "long 10 @ 100 -> 96 stop_loss x1"
            ])
            expect(askedAbout).toEqual([])
          }),
          { exchange }
        )
      })
    )

    effect("keeps cooldowns, DCA times and counts, and the figures", () =>
      Effect.gen(function* () {
        const { db } = yield* place
        const ann = yield* Disk.run(
          db,
          Effect.gen(function* () {
            const ann = yield* Flow.ann({
              taker_fee: 0,
              strategy_dca_switch: true,
              dca_aftertime: 1,
              dca_maxretries: 1,
              dca_percentagetrigger: 5,
              dca_ordersize: 100,
              balance_stop_loss: true,
              balance_stop_loss_trigger: 10,
              balance_stop_loss_cooldown: 2
            })
            yield* Flow.quote(100)
            yield* Flow.say(ann.identity, ann.signal, "buy")
            return ann
          })
        )
        yield* TestClock.adjust("60 seconds")
        yield* Disk.run(
          db,
          Effect.gen(function* () {
            yield* Flow.quote(90)
            expect(yield* Flow.holds(ann.strategy)).toEqual(["BTC/USDT spot long 21.11111 @ 94.7368424"])
          })
        )
        yield* TestClock.adjust("60 seconds")
        yield* Disk.run(
          db,
          Effect.gen(function* () {
            yield* Flow.quote(80)
            expect(yield* Flow.holds(ann.strategy)).toEqual(["BTC/USDT spot long 21.11111 @ 94.7368424"])
            yield* Flow.quote(40)
            expect(yield* Flow.holds(ann.strategy)).toEqual([])
          })
        )
        yield* Disk.run(
          db,
          Effect.gen(function* () {
            yield* Flow.quote(40)
            const early = yield* Flow.say(ann.identity, ann.signal, "buy")
            expect(yield* Flow.became(ann.account, early)).toEqual(["cooldown"])
            const bot = yield* Flow.botOf(ann.strategy)
            const [trade] = yield* Flow.tradesOf(ann.strategy)
            expect([bot?.tally.count, Decimal.toNumber(bot?.tally.net ?? Decimal.zero)]).toEqual([
              1,
              Decimal.toNumber(trade?.pnl ?? Decimal.zero)
            ])
          })
        )
        yield* TestClock.adjust("120 seconds")
        yield* Disk.run(
          db,
          Effect.gen(function* () {
            yield* Flow.quote(40)
            const late = yield* Flow.say(ann.identity, ann.signal, "buy")
            expect(yield* Flow.became(ann.account, late)).toEqual(["opened"])
          })
        )
      })
    )

    effect("stores trails that moved while a commit was on its way", () =>
      Effect.gen(function* () {
        const { db } = yield* place
        let isSlow = false
        const slow: Disk.Parts = {
          commit: (commit) => (steps, cursor) =>
            Effect.zipRight(
              Effect.suspend(() => (isSlow ? Effect.promise(() => Bun.sleep(50)) : Effect.void)),
              commit(steps, cursor)
            )
        }
        const { buy, trail, user } = yield* Disk.run(
          db,
          Effect.gen(function* () {
            const ann = yield* Flow.ann()
            const other = yield* (yield* Signals).create(ann.account, aSignal())
            const trail = yield* Flow.aStrategy(ann.account, {
              ...{ signal_id: other.id, trailing_sell: true },
              ...{ trailing_sell_arm: 5, trailing_sell_percentage: 2 }
            })
            yield* Flow.quote(100)
            yield* Flow.say(ann.identity, other.id, "buy")
            yield* Flow.quote(120)
            yield* Flow.quote(125)
            isSlow = true
            const buy = yield* Flow.send(ann.identity, ann.signal, "buy")
            yield* storage.pause
            return { buy, trail, user: ann }
          }),
          slow
        )
        yield* Disk.run(
          db,
          Effect.gen(function* () {
            const bot = yield* Flow.botOf(trail)
            expect(bot?.state.slots["binance:BTC/USDT:spot"]?.position?.peak).toBe(125)
            yield* Flow.quote(125)
            yield* Flow.caughtUp
            expect(yield* Flow.became(user.account, buy)).toEqual(["opened"])
            expect(yield* Flow.holds(user.strategy)).toHaveLength(1)
          })
        )
      })
    )
  })

  describe("after a kill", () => {
    effect("an alert that was answered and not judged is acted on at the next start", () =>
      Effect.gen(function* () {
        const { copy, db } = yield* place
        const killed: Array<string> = []
        let isWatching = false
        const parts: Disk.Parts = {
          commit: (commit) => (steps, cursor) =>
            Effect.suspend(() => {
              const first = isWatching && killed.length === 0 ? copy : Effect.succeed("")
              return Effect.zipRight(
                Effect.map(first, (file) => file !== "" && killed.push(file)),
                commit(steps, cursor)
              )
            })
        }
        const { ann, ids } = yield* Disk.run(
          db,
          Effect.gen(function* () {
            const ann = yield* Flow.ann()
            yield* Flow.quote(100)
            yield* Flow.say(ann.identity, ann.signal, "buy")
            isWatching = true
            const ids = yield* Effect.forEach(
              ["sell", "buy", "long", "short"] as const,
              (type) => Flow.send(ann.identity, ann.signal, type),
              { concurrency: 4 }
            )
            return { ann, ids }
          }),
          parts
        )
        yield* TestClock.adjust("200 seconds")
        yield* Disk.run(
          killed[0] ?? "",
          Effect.gen(function* () {
            yield* Flow.caughtUp
            expect(yield* Flow.waitingIds).toEqual(ids.map(Number))
            yield* Flow.quote(110)
            yield* TestClock.adjust("10 seconds")
            const outcomes = yield* (yield* Timeline).outcomes(ann.account, ids)
            expect(outcomes.map(({ reason }) => String(reason))).toEqual([
              "closed",
              "opened",
              "no_price",
              "no_price"
            ])
          })
        )
      })
    )

    effect("an entry that was not judged is stale if the start comes after five minutes", () =>
      Effect.gen(function* () {
        const { copy, db } = yield* place
        const { ann, buy, killed } = yield* Disk.run(
          db,
          Effect.gen(function* () {
            const ann = yield* Flow.ann()
            const buy = yield* Flow.send(ann.identity, ann.signal, "buy")
            return { ann, buy, killed: yield* copy }
          })
        )
        yield* TestClock.adjust("301 seconds")
        yield* Disk.run(
          killed,
          Effect.gen(function* () {
            yield* Flow.quote(100)
            expect(yield* Flow.became(ann.account, buy)).toEqual(["stale"])
            expect(yield* Flow.holds(ann.strategy)).toEqual([])
          })
        )
      })
    )

    effect("strategies created after an alert do not act on it when it is read again", () =>
      Effect.gen(function* () {
        const { copy, db } = yield* place
        // Without followers the cursor moves in memory only, and here it is never stored.
        const lazy: Disk.Parts = {
          commit: (commit) => (steps, cursor) => (steps.length === 0 ? Effect.void : commit(steps, cursor))
        }
        const { ann, killed, late } = yield* Disk.run(
          db,
          Effect.gen(function* () {
            const ann = yield* Flow.ann()
            const lonely = yield* (yield* Signals).create(ann.account, aSignal())
            for (let count = 0; count < 3; count++) yield* Flow.send(ann.identity, lonely.id, "buy")
            yield* TestClock.adjust("1 seconds")
            const late = yield* Flow.aStrategy(ann.account, { signal_id: lonely.id })
            expect(yield* cursorOf(ann.account)).toBe(0)
            return { ann, late, killed: yield* copy }
          }),
          lazy
        )
        yield* Disk.run(
          killed,
          Effect.gen(function* () {
            yield* Flow.quote(100)
            yield* Flow.caughtUp
            expect(yield* Flow.botOf(late)).toBeUndefined()
            expect(yield* Flow.rulesOf(ann.account, late)).toEqual([])
            expect(yield* cursorOf(ann.account)).toBe(3)
          })
        )
      })
    )

    effect("a cursor that only passed alerts without followers is stored within a second", () =>
      Effect.gen(function* () {
        const { db } = yield* place
        let commits = 0
        const count: Disk.Parts = {
          commit: (commit) => (steps, cursor) =>
            Effect.suspend(() => {
              commits++
              return commit(steps, cursor)
            })
        }
        yield* Disk.run(
          db,
          Effect.gen(function* () {
            const ann = yield* Flow.ann()
            const lonely = yield* (yield* Signals).create(ann.account, aSignal())
            yield* Flow.caughtUp
            commits = 0
            for (let count = 0; count < 20; count++) yield* Flow.send(ann.identity, lonely.id, "buy")
            yield* TestClock.adjust("900 millis")
            expect(commits).toBe(0)
            yield* TestClock.adjust("200 millis")
            expect([commits, yield* cursorOf(ann.account)]).toEqual([1, 20])
            yield* TestClock.adjust("3 seconds")
            expect(commits).toBe(1)
          }),
          count
        )
      })
    )
  })

  describe("a kill at any instant", () => {
    effect(
      "before or after any commit loses no alert, judges none twice, and leaves correct books",
      () =>
        Effect.gen(function* () {
          const { copy, db } = yield* place
          const killed: Array<{ readonly file: string; readonly sent: number }> = []
          const sent: Array<number> = []
          let moments = 0
          const kill = Effect.suspend(() =>
            moments++ % strideOf(storage, FEW) === 0
              ? Effect.map(copy, (file) => killed.push({ file, sent: sent.length }))
              : Effect.void
          )
          const parts: Disk.Parts = {
            commit: (commit) => (steps, cursor) =>
              kill.pipe(Effect.zipRight(commit(steps, cursor)), Effect.zipLeft(kill))
          }
          const ann = yield* Disk.run(
            db,
            Effect.gen(function* () {
              const ann = yield* Flow.ann({ stop_loss: true, stop_loss_percentage: 3 })
              yield* Flow.aStrategy(ann.account, { signal_id: ann.signal, sell_minprofitpercent: 2 })
              for (const [index, type] of (
                ["buy", "long", "sell", "short", "buy", "close_short"] as const
              ).entries()) {
                if (index !== 1) yield* Flow.quote(100 + index)
                yield* Flow.quote(101 - index, { kind: "swap" })
                sent.push(yield* Flow.send(ann.identity, ann.signal, type))
                yield* Flow.caughtUp
              }
              yield* Flow.quote(90)
              return ann
            }),
            parts
          )
          expect(moments).toBeGreaterThan(30)
          for (const { file, sent: count } of killed) {
            yield* Disk.run(file, sound(ann.account, count, file))
          }
        }),
      30_000
    )
  })
})

/** Checks that every answered alert has one outcome or waits for each strategy, and that the books are right. */
const sound = (account: Flow.User["account"], sent: number, file: string) =>
  Effect.gen(function* () {
    yield* (yield* Bots).caughtUp
    const portfolio = yield* Portfolio
    const timeline = yield* Timeline
    const bots = yield* portfolio.bots
    for (let alert = 1; alert <= sent; alert++) {
      const waits = (yield* portfolio.waiting).filter((it) => it.alert === alert)
      const outcomes = yield* timeline.outcomes(
        account,
        waits.map((it) => it.alert).concat(yield* idOf(account, alert))
      )
      const own = outcomes.filter((it) => it.alertId === alert)
      expect([file, alert, own.length + waits.length]).toEqual([file, alert, 2])
    }
    expect(yield* portfolio.unsettled).toEqual([])
    for (const { state, strategy, tally } of bots) {
      const fills = yield* portfolio.fills(strategy)
      expect(new Set(fills.map(({ order }) => order)).size).toBe(fills.length)
      const books = balances(yield* portfolio.ledger(strategy))
      expect(Decimal.toText(books.cash)).toBe(Decimal.toText(state.cash))
      expect((yield* Flow.tradesOf(strategy)).length).toBe(tally.count)
      for (const { order } of Object.values(state.slots)) expect(order).toBeUndefined()
    }
  })

const idOf = (account: Flow.User["account"], alert: number) =>
  Effect.map(Flow.alertOf(account, alert), ({ id }) => id)
