// Orders whose response is lost, partial, rejected, missing or slow.
import { describe, expect } from "bun:test"
import { join } from "node:path"
import { Effect, Layer, TestClock } from "effect"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { Fill } from "../../src/domain/Fill.ts"
import type { Order } from "../../src/domain/Order.ts"
import { Exchange, Report, type Ticket } from "../../src/services/Exchange.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import { balances } from "../../src/trading/books/Ledger.ts"
import { fill } from "../../src/trading/books/Matching.ts"
import * as Disk from "../lib/disk.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import { folder } from "../services/ports.ts"

// Exchanges that are worse than paper: late, silent, rejecting, filling in parts, and repeating reports.

type Answer = (ticket: Ticket<Order>) => Report

/** Answers as scripted, and keeps every request. */
const venue = (submit: Answer, lookup: Answer) => {
  const sent: Array<string> = []
  const asked: Array<string> = []
  const layer = Layer.succeed(Exchange, {
    submit: (ticket) =>
      Effect.sync(() => {
        sent.push(ticket.order.id)
        return submit(ticket)
      }),
    lookup: (ticket) =>
      Effect.sync(() => {
        asked.push(ticket.order.id)
        return lookup(ticket)
      })
  })
  return { layer, sent, asked }
}

const whole = ({ at, fees, order }: Ticket<Order>): Fill => fill(order, fees, at)
const unknown: Answer = ({ order }) => Report.Unknown({ order: order.id })
const accepted: Answer = ({ order }) => Report.Accepted({ order: order.id })
const rejected: Answer = ({ order }) => Report.Rejected({ order: order.id, reason: "no" })
const filled: Answer = (ticket) =>
  Report.Filled({ order: ticket.order.id, fills: [whole(ticket)], done: true })

const halfOf = (one: Fill): Fill => {
  const half = (amount: Decimal.Decimal) => Decimal.multiply(amount, Decimal.unsafeFromText("0.5"))
  return { ...one, quantity: half(one.quantity), notional: half(one.notional), fee: half(one.fee) }
}

const file = Effect.map(folder, (path) => join(path, "signalbox.db"))

/** Ann buys at 100; ends when her alert was judged. */
const buying = Effect.gen(function* () {
  const ann = yield* Flow.ann()
  yield* Flow.quote(100)
  const buy = yield* Flow.say(ann.identity, ann.signal, "buy")
  expect(yield* Flow.became(ann.account, buy)).toEqual(["opened"])
  return ann
})

/** Checks that the ledger's cash equals the bot's, and that no fill is stored twice. */
const balanced = (ann: Flow.User, fills: number) =>
  Effect.gen(function* () {
    const portfolio = yield* Portfolio
    const cash = balances(yield* portfolio.ledger(ann.strategy)).cash
    const bot = yield* portfolio.bot(ann.strategy)
    expect(bot === undefined ? "" : Decimal.toText(bot.state.cash)).toBe(Decimal.toText(cash))
    expect(yield* portfolio.fills(ann.strategy)).toHaveLength(fills)
  })

describe("an order without an answer", () => {
  it.effect("is sent once, and asked about once a second", () =>
    Effect.gen(function* () {
      let answer = unknown
      const exchange = venue(unknown, (ticket) => answer(ticket))
      yield* Disk.run(
        yield* file,
        Effect.gen(function* () {
          const ann = yield* buying
          const portfolio = yield* Portfolio
          expect(yield* Flow.holds(ann.strategy)).toEqual(["BTC/USDT spot nothing with an order entry"])
          yield* TestClock.adjust("3 seconds")
          expect(exchange.asked.length).toBeGreaterThanOrEqual(2)
          const again = yield* Flow.say(ann.identity, ann.signal, "buy", { sl: 90 })
          expect(yield* Flow.became(ann.account, again)).toEqual([])
          answer = accepted
          yield* TestClock.adjust("2 seconds")
          expect((yield* portfolio.unsettled).map(({ status }) => String(status))).toEqual(["accepted"])
          answer = filled
          yield* TestClock.adjust("1 seconds")
          expect(yield* Flow.holds(ann.strategy)).toEqual(["BTC/USDT spot long 10 @ 100"])
          expect(yield* portfolio.unsettled).toEqual([])
          // The alert waited for the order's end, and its stop applies to the position.
          expect(yield* Flow.became(ann.account, again)).toEqual(["targets_updated"])
          yield* TestClock.adjust("3 seconds")
          yield* balanced(ann, 1)
          // Each note appears once, not once a second.
          const rules = yield* Flow.rulesOf(ann.account, ann.strategy)
          expect(rules.filter((rule) => rule === "order_unknown" || rule === "order_accepted")).toHaveLength(
            2
          )
        }),
        { exchange: exchange.layer }
      )
      expect(exchange.sent).toHaveLength(1)
    })
  )

  it.effect("is asked about after a kill, and never sent again", () =>
    Effect.gen(function* () {
      const db = yield* file
      const killed: Array<string> = []
      const first = venue((ticket) => {
        killed.push(Disk.copy(db, `${db}.killed`))
        return unknown(ticket)
      }, unknown)
      const ann = yield* Disk.run(db, buying, { exchange: first.layer })
      const second = venue(filled, filled)
      for (const filename of [killed[0] ?? "", db]) {
        yield* Disk.run(
          filename,
          Effect.gen(function* () {
            expect(yield* Flow.holds(ann.strategy)).toEqual(["BTC/USDT spot long 10 @ 100"])
            yield* TestClock.adjust("2 seconds")
            yield* balanced(ann, 1)
          }),
          { exchange: second.layer }
        )
      }
      expect(second.sent).toEqual([])
      expect(new Set([...first.sent, ...second.asked]).size).toBe(1)
    })
  )

  it.effect("is asked about too if the exchange failed without a report", () =>
    Effect.gen(function* () {
      const dying = Layer.succeed(Exchange, {
        submit: () => Effect.dieMessage("planted"),
        lookup: (ticket) => Effect.succeed(filled(ticket))
      })
      yield* Disk.run(
        yield* file,
        Effect.gen(function* () {
          const ann = yield* buying
          yield* TestClock.adjust("1 seconds")
          yield* balanced(ann, 1)
        }),
        { exchange: dying }
      )
    })
  )
})

describe("an exchange that interrupts itself", () => {
  it.effect(
    "leaves its order unknown, and the bots go on: it is asked about, and the next price is judged",
    () =>
      Effect.gen(function* () {
        const asked: Array<string> = []
        const interrupting = Layer.succeed(Exchange, {
          submit: () => Effect.interrupt,
          lookup: (ticket) => {
            asked.push(ticket.order.id)
            return asked.length < 3 ? Effect.interrupt : Effect.succeed(filled(ticket))
          }
        })
        yield* Disk.run(
          yield* file,
          Effect.gen(function* () {
            const ann = yield* buying
            yield* TestClock.adjust("1 minute")
            expect(asked.length).toBe(3)
            yield* balanced(ann, 1)
            yield* Flow.quote(110)
            const sell = yield* Flow.say(ann.identity, ann.signal, "sell")
            expect(yield* Flow.became(ann.account, sell)).toEqual(["closed"])
          }),
          { exchange: interrupting }
        )
      })
  )
})

const thrown = (): never => {
  throw new Error("planted")
}

describe("an exchange that throws in place of an effect", () => {
  it.effect("leaves its order unknown, and stops neither the bots nor the next start", () =>
    Effect.gen(function* () {
      const db = yield* file
      const throwing = Layer.succeed(Exchange, { submit: thrown, lookup: thrown })
      const ann = yield* Disk.run(
        db,
        Effect.tap(buying, () => TestClock.adjust("2 seconds")),
        { exchange: throwing }
      )
      yield* Disk.run(
        db,
        Effect.gen(function* () {
          const { unsettled } = yield* Portfolio
          expect((yield* unsettled).map(({ status }) => String(status))).toEqual(["unknown"])
          expect(yield* Flow.rulesOf(ann.account, ann.strategy)).toEqual(["alert", "opened", "order_unknown"])
        }),
        { exchange: throwing }
      )
    })
  )
})

describe("an order that fills in parts", () => {
  it.effect("counts each fill once over a restart, even if it is reported again", () =>
    Effect.gen(function* () {
      const db = yield* file
      const parts =
        (count: number, done: boolean): Answer =>
        (ticket) =>
          Report.Filled({
            order: ticket.order.id,
            fills: ["1", "2"].map((id) => ({ ...halfOf(whole(ticket)), id })).slice(0, count),
            done
          })
      let original: Ticket<Order> | undefined
      let told = parts(1, false)
      const exchange = venue(
        (ticket) => {
          original = ticket
          return told(ticket)
        },
        (ticket) => told(original ?? ticket)
      )
      const ann = yield* Disk.run(
        db,
        Effect.gen(function* () {
          const ann = yield* buying
          yield* TestClock.adjust("3 seconds")
          expect(yield* Flow.holds(ann.strategy)).toEqual(["BTC/USDT spot long 5 @ 100 with an order entry"])
          yield* balanced(ann, 1)
          return ann
        }),
        { exchange: exchange.layer }
      )
      yield* Disk.run(
        db,
        Effect.gen(function* () {
          expect(yield* Flow.holds(ann.strategy)).toEqual(["BTC/USDT spot long 5 @ 100 with an order entry"])
          told = parts(2, true)
          yield* TestClock.adjust("3 seconds")
          expect(yield* Flow.holds(ann.strategy)).toEqual(["BTC/USDT spot long 10 @ 100"])
          yield* balanced(ann, 2)
        }),
        { exchange: exchange.layer }
      )
      expect(exchange.sent).toHaveLength(1)
    })
  )

  it.effect("keeps its fills if the rest is cancelled", () =>
    Effect.gen(function* () {
      let done = false
      const half: Answer = (ticket) =>
        Report.Filled({ order: ticket.order.id, fills: [halfOf(whole(ticket))], done })
      yield* Disk.run(
        yield* file,
        Effect.gen(function* () {
          const ann = yield* buying
          done = true
          yield* TestClock.adjust("1 seconds")
          expect(yield* Flow.holds(ann.strategy)).toEqual(["BTC/USDT spot long 5 @ 100"])
          yield* balanced(ann, 1)
        }),
        { exchange: venue(half, half).layer }
      )
    })
  )
})

describe("a rejected order", () => {
  it.effect("leaves nothing behind, and the next alert is judged", () =>
    Effect.gen(function* () {
      let answer = rejected
      const exchange = venue((ticket) => answer(ticket), rejected)
      yield* Disk.run(
        yield* file,
        Effect.gen(function* () {
          const ann = yield* buying
          expect(yield* Flow.holds(ann.strategy)).toEqual([])
          answer = filled
          const again = yield* Flow.say(ann.identity, ann.signal, "buy")
          expect(yield* Flow.became(ann.account, again)).toEqual(["opened"])
          yield* balanced(ann, 1)
        }),
        { exchange: exchange.layer }
      )
    })
  )

  it.effect("is tried again at the next price under a new id if it is an exit", () =>
    Effect.gen(function* () {
      let answer = filled
      const exchange = venue((ticket) => answer(ticket), unknown)
      yield* Disk.run(
        yield* file,
        Effect.gen(function* () {
          const ann = yield* buying
          yield* Flow.update(ann.account, ann.strategy, { stop_loss: true, stop_loss_percentage: 5 })
          answer = rejected
          yield* Flow.quote(95)
          expect(yield* Flow.holds(ann.strategy)).toEqual(["BTC/USDT spot long 10 @ 100"])
          answer = filled
          yield* Flow.quote(94)
          expect((yield* Flow.tradesOf(ann.strategy)).map(Flow.told)).toEqual([
            "long 10 @ 100 -> 94 stop_loss x1"
          ])
          expect(new Set(exchange.sent).size).toBe(exchange.sent.length)
          yield* balanced(ann, 2)
        }),
        { exchange: exchange.layer }
      )
    })
  )
})

describe("an order that the exchange does not find", () => {
  const missing: Answer = ({ order }) => Report.Missing({ order: order.id })

  it.effect("is given up after a minute, and never sent again", () =>
    Effect.gen(function* () {
      const exchange = venue(unknown, missing)
      yield* Disk.run(
        yield* file,
        Effect.gen(function* () {
          const ann = yield* buying
          yield* TestClock.adjust("59 seconds")
          expect(yield* Flow.holds(ann.strategy)).toEqual(["BTC/USDT spot nothing with an order entry"])
          yield* TestClock.adjust("5 seconds")
          expect(yield* Flow.holds(ann.strategy)).toEqual([])
          expect(yield* Flow.rulesOf(ann.account, ann.strategy)).toContain("order_missing")
          yield* balanced(ann, 0)
        }),
        { exchange: exchange.layer }
      )
      expect(exchange.sent).toHaveLength(1)
    })
  )

  it.effect("is asked about without end if it was accepted once", () =>
    Effect.gen(function* () {
      let answer = missing
      yield* Disk.run(
        yield* file,
        Effect.gen(function* () {
          const ann = yield* buying
          yield* TestClock.adjust("3 minutes")
          expect(yield* Flow.holds(ann.strategy)).toEqual(["BTC/USDT spot nothing with an order entry"])
          answer = filled
          yield* TestClock.adjust("2 seconds")
          expect(yield* Flow.holds(ann.strategy)).toEqual(["BTC/USDT spot long 10 @ 100"])
          yield* balanced(ann, 1)
        }),
        { exchange: venue(accepted, (ticket) => answer(ticket)).layer }
      )
    })
  )
})

describe("a slow exchange", () => {
  it.effect("delays no other pair, and its late answer counts", () =>
    Effect.gen(function* () {
      const slow = Layer.succeed(Exchange, {
        submit: (ticket) =>
          ticket.order.pair === "BTC/USDT"
            ? Effect.delay(Effect.succeed(filled(ticket)), "8 seconds")
            : Effect.succeed(filled(ticket)),
        lookup: (ticket) => Effect.succeed(unknown(ticket))
      })
      yield* Disk.run(
        yield* file,
        Effect.gen(function* () {
          const ann = yield* buying
          yield* Flow.quote(50, { pair: "ETH/USDT" })
          yield* Flow.say(ann.identity, ann.signal, "buy", { pair: "ETH/USDT" })
          expect(yield* Flow.holds(ann.strategy)).toEqual([
            "BTC/USDT spot nothing with an order entry",
            "ETH/USDT spot long 20 @ 50"
          ])
          yield* TestClock.adjust("9 seconds")
          expect(yield* Flow.holds(ann.strategy)).toEqual([
            "BTC/USDT spot long 10 @ 100",
            "ETH/USDT spot long 20 @ 50"
          ])
          yield* balanced(ann, 2)
        }),
        { exchange: slow }
      )
    })
  )

  it.effect("keeps its strategy from being deleted until the order is settled", () =>
    Effect.gen(function* () {
      let answer = unknown
      yield* Disk.run(
        yield* file,
        Effect.gen(function* () {
          const ann = yield* buying
          const strategies = yield* Strategies
          const refused = yield* Effect.flip(strategies.remove(ann.account, ann.strategy))
          expect(refused._tag).toBe("StrategyBusy")
          answer = filled
          yield* TestClock.adjust("2 seconds")
          expect(yield* Flow.holds(ann.strategy)).toEqual(["BTC/USDT spot long 10 @ 100"])
        }),
        {
          exchange: venue(
            (ticket) => answer(ticket),
            (ticket) => answer(ticket)
          ).layer
        }
      )
    })
  )

  for (const [how, closing] of [
    ["refuses", (ticket: Ticket<Order>) => Effect.succeed(rejected(ticket))],
    ["says nothing of", () => Effect.never]
  ] as const) {
    it.effect(`keeps the strategy if it ${how} the order that closes it for its deletion`, () =>
      Effect.gen(function* () {
        let told = unknown
        const exchange = Layer.succeed(Exchange, {
          submit: (ticket) =>
            ticket.order.purpose === "exit" ? closing(ticket) : Effect.succeed(filled(ticket)),
          lookup: (ticket) => Effect.sync(() => told(ticket))
        })
        yield* Disk.run(
          yield* file,
          Effect.gen(function* () {
            const ann = yield* buying
            const strategies = yield* Strategies
            const refused = yield* Effect.flip(strategies.remove(ann.account, ann.strategy))
            expect(refused._tag).toBe("StrategyBusy")
            expect(yield* Flow.holds(ann.strategy)).toHaveLength(1)
            if (how === "refuses") return
            told = filled
            yield* TestClock.adjust("12 seconds")
            yield* balanced(ann, 2)
            yield* strategies.remove(ann.account, ann.strategy)
          }),
          { exchange }
        )
      })
    )
  }
})
