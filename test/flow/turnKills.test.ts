// Kills of a server with real money between the legs of a turn, and around a part and its stop.
import { expect, test } from "bun:test"
import { Deferred, Effect, Logger, LogLevel } from "effect"
import { ExchangeAccountId } from "../../src/domain/Arming.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { Bots } from "../../src/services/Bots.ts"
import { Orders } from "../../src/services/money/Orders.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import * as Scripted from "../../src/testing/ScriptedExchange.ts"
import * as VirtualClock from "../../src/testing/VirtualClock.ts"
import { balances } from "../../src/trading/books/Ledger.ts"
import * as Disk from "../lib/disk.ts"
import * as Flow from "../lib/flow.ts"
import { mortal, type When } from "../lib/mortal.ts"
import { chosen, onEach, type Storage, strideOf } from "../lib/storages.ts"

// The server is killed at each of its calls to the exchange from the alert on: before the call arrives there, or before
// its answer does. The exchange keeps running, and another server starts on the same file.

const PERPETUAL = { kind: "swap" } as const
const sum = Decimal.fromNumber(1000)
const account = ExchangeAccountId.make(1)

/** What is told to a bot that is long, and how orders fill by then. */
interface Story {
  readonly alert: Parameters<typeof Flow.send>[2]
  readonly saying: Flow.Saying
  readonly fills: Scripted.Act
  readonly protect: boolean
}

/** The bot's life: armed, long, and then the alert. */
const life = Effect.fnUntraced(function* (
  { alert, protect, saying }: Story,
  born: (ann: Flow.User) => void,
  begin: () => void
) {
  const ann = yield* Flow.ann({ buy_percentage: 40, stop_loss: true, stop_loss_percentage: 20 })
  const strategy = yield* (yield* StrategyStore).get(ann.account, ann.strategy)
  const terms = { account, capital: sum, maxOrder: sum, maxDailyLoss: sum, protect }
  yield* (yield* Bots).arm(strategy, terms)
  yield* Flow.quote(100, PERPETUAL)
  yield* Flow.say(ann.identity, ann.signal, "long")
  yield* VirtualClock.pass("5 seconds")
  yield* Flow.quote(101, PERPETUAL)
  born(ann)
  begin()
  yield* Flow.send(ann.identity, ann.signal, alert, saying)
  for (let count = 0; count < 10; count++) {
    yield* VirtualClock.pass("1 second")
    yield* Flow.quote(101, PERPETUAL)
  }
})

/** Runs a server for longer than a missing order is searched for, with prices all the time. */
const goesOn = Effect.gen(function* () {
  for (let count = 0; count < 20; count++) {
    yield* Flow.quote(101, PERPETUAL)
    yield* VirtualClock.pass("4 seconds")
  }
})

/** Why no other side was opened. */
const WHY = ["turn_dropped", "order_missing", "order_rejected"]

const net = (
  orders: Iterable<{ readonly fills: ReadonlyArray<{ quantity: Decimal.Decimal; side: string }> }>
) =>
  Decimal.sum(
    [...orders].flatMap(({ fills }) =>
      fills.map(({ quantity, side }) => (side === "buy" ? quantity : Decimal.negate(quantity)))
    )
  )

const quantityOf = (of: { readonly quantity: Decimal.Decimal } | undefined) =>
  of === undefined ? undefined : Decimal.toText(of.quantity)

const killedAt = (story: Story, { place }: Storage, nth: number, when: When) =>
  Effect.gen(function* () {
    const { copy, db } = yield* place
    const exchange = Scripted.make()
    const dead = yield* Deferred.make<void>()
    let killed = ""
    const kill = Effect.zipRight(
      Effect.map(copy, (file) => {
        killed = file
      }),
      Deferred.succeed(dead, undefined)
    )
    let isTold = false
    const { calls, layer } = mortal(exchange, nth, when, kill, () => isTold)
    let ann: Flow.User | undefined
    const born = (it: Flow.User) => {
      ann = it
    }
    const begin = () => {
      isTold = true
      // A stop that is placed after them rests.
      const count = story.saying.reverse === true ? 2 : 1
      exchange.next(...Array.from({ length: count }, () => story.fills))
    }
    yield* Disk.run(db, Effect.raceFirst(life(story, born, begin), Deferred.await(dead)), { exchange: layer })
    if (ann === undefined || !(yield* Deferred.isDone(dead))) return calls()
    const living = ann
    const what = `killed ${when} call ${nth}`
    yield* Disk.run(
      killed,
      Effect.gen(function* () {
        yield* goesOn
        const { account: owner, strategy } = living
        const orders = yield* Effect.flatMap(Orders, (all) => all.page(strategy, { limit: 100 }))
        const ids = exchange.sent.map(({ id }) => String(id))
        expect([what, ids.length]).toEqual([what, new Set(ids).size])
        const bot = yield* Flow.botOf(strategy)
        const slot = Object.values(bot?.state.slots ?? {})[0]
        const rules = yield* Flow.rulesOf(owner, strategy)
        expect([what, slot?.turn, slot?.order, slot?.retry?.wish]).toEqual([
          what,
          undefined,
          undefined,
          undefined
        ])
        const held = slot?.position
        // What the books hold is what the exchange's fills come to.
        const signed =
          held?.side === "short" ? Decimal.negate(held.quantity) : (held?.quantity ?? Decimal.zero)
        const there = net(exchange.sent.map((order) => ({ fills: exchange.fillsOf(order) })))
        expect([what, Decimal.toText(there)]).toEqual([what, Decimal.toText(signed)])
        if (story.saying.reverse === true) {
          const opened = orders.filter(
            ({ fills, order }) => order.purpose === "entry" && order.position === "short" && fills.length > 0
          )
          const isTurned = held?.side === "short"
          expect([what, opened.length]).toEqual([what, isTurned ? 1 : 0])
          expect([
            what,
            isTurned || (held === undefined && rules.some((rule) => WHY.includes(rule)))
          ]).toEqual([what, true])
        } else expect([what, Decimal.toText(signed)]).toEqual([what, "2.4"])
        expect([what, slot?.stop !== undefined]).toEqual([what, story.protect && held !== undefined])
        if (story.protect && held !== undefined)
          expect([what, quantityOf(slot?.stop)]).toEqual([what, quantityOf(held)])
        const portfolio = yield* Portfolio
        const { cash } = balances(yield* portfolio.ledger(strategy))
        expect(Decimal.toText(bot?.state.cash ?? Decimal.zero)).toBe(Decimal.toText(cash))
      }),
      { exchange: exchange.layer }
    )
    return calls()
  })

const TURN: Pick<Story, "alert" | "saying"> = { alert: "short", saying: { reverse: true } }
const STORIES: ReadonlyArray<readonly [string, Story]> = [
  ["a turn with a stop", { ...TURN, fills: Scripted.fills(), protect: true }],
  ["a turn in parts", { ...TURN, fills: Scripted.fillsInParts(2, 1000), protect: true }],
  ["a turn whose answers are lost", { ...TURN, fills: Scripted.losesAnswer, protect: false }],
  [
    "a part with a stop",
    {
      alert: "close_long",
      saying: { closePercent: 40 },
      fills: Scripted.fillsInParts(2, 1000),
      protect: true
    }
  ]
]

onEach((storage) => {
  test.each(
    chosen(
      storage,
      STORIES.flatMap(([title, story]) => [
        [title, "before", story] as const,
        [title, "after", story] as const
      ]),
      2
    )
  )(
    "%s survives a kill %s each call to the exchange",
    (_, when, story) =>
      storage.virtually(
        Effect.gen(function* () {
          let nth = 1
          while ((yield* Effect.scoped(killedAt(story, storage, nth, when))) >= nth)
            nth += strideOf(storage, 3)
          expect(nth).toBeGreaterThan(2)
        }).pipe(Logger.withMinimumLogLevel(LogLevel.Warning), Effect.withTracerEnabled(false))
      ),
    120_000
  )
})
