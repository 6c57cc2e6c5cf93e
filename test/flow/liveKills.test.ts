// Kills of a server with real money around its calls to the exchange.
import { expect, test } from "bun:test"
import { Clock, Context, Deferred, Effect, Layer, Logger, LogLevel } from "effect"
import { ExchangeAccountId } from "../../src/domain/Arming.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { Order } from "../../src/domain/Order.ts"
import { Bots } from "../../src/services/Bots.ts"
import { Exchange } from "../../src/services/Exchange.ts"
import { Orders } from "../../src/services/money/Orders.ts"
import { holding, Wallets } from "../../src/services/money/Wallets.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import * as Scripted from "../../src/testing/ScriptedExchange.ts"
import * as VirtualClock from "../../src/testing/VirtualClock.ts"
import { balances } from "../../src/trading/books/Ledger.ts"
import * as Disk from "../lib/disk.ts"
import * as Flow from "../lib/flow.ts"
import { mortal, type When } from "../lib/mortal.ts"
import * as Stopping from "../lib/stopping.ts"
import { onEach, type Storage, strideOf } from "../lib/storages.ts"

// A server with real money is killed at each of its calls to the exchange: before the call arrives there, or before
// its answer does. The exchange keeps running, and another server starts on the same file.

/** Of so many calls to the exchange one is tried on Postgres in the short form. */
const FEW = 4
const sum = Decimal.fromNumber(1000)
const terms = {
  account: ExchangeAccountId.make(1),
  capital: sum,
  maxOrder: sum,
  maxDailyLoss: sum,
  protect: true
}

/** A bot's life: armed, bought in two parts, protected by a stop, the stop moved, and sold. */
const life = Effect.fnUntraced(function* (born: (ann: Flow.User) => void) {
  const ann = yield* Flow.ann({ buy_percentage: 50, stop_loss: true, stop_loss_percentage: 5 })
  const strategy = yield* (yield* StrategyStore).get(ann.account, ann.strategy)
  yield* (yield* Bots).arm(strategy, terms)
  born(ann)
  yield* Flow.quote(100)
  yield* Flow.say(ann.identity, ann.signal, "buy")
  yield* VirtualClock.pass("3 seconds")
  yield* Flow.update(ann.account, ann.strategy, { stop_loss: true, stop_loss_percentage: 4 })
  yield* VirtualClock.pass("3 seconds")
  yield* Flow.quote(102)
  yield* Flow.say(ann.identity, ann.signal, "sell")
  yield* VirtualClock.pass("3 seconds")
})

/** Runs the next server until everything is sold and the bot is on paper. */
const after = (ann: Flow.User) =>
  Effect.gen(function* () {
    const strategy = yield* (yield* StrategyStore).get(ann.account, ann.strategy)
    const bots = yield* Bots
    // After this time an order that nobody has seen counts as never sent.
    yield* VirtualClock.pass("65 seconds")
    yield* Flow.quote(102)
    yield* bots.disarm(strategy, { close: true, forget: false })
    for (let count = 0; count < 4; count++) {
      yield* VirtualClock.pass("2 seconds")
      yield* Flow.quote(102)
    }
    yield* VirtualClock.pass("10 seconds")
    return yield* Flow.botOf(ann.strategy)
  })

const net = (exchange: Scripted.ScriptedExchange, orders: Iterable<Order>) =>
  Decimal.sum(
    [...orders].flatMap((order) =>
      exchange
        .fillsOf(order)
        .map(({ quantity, side }) => (side === "buy" ? quantity : Decimal.negate(quantity)))
    )
  )

const killedAt = ({ place }: Storage, nth: number, when: When) =>
  Effect.gen(function* () {
    const { copy, db } = yield* place
    const exchange = Scripted.make(Scripted.fillsInParts(2, 1000))
    const dead = yield* Deferred.make<void>()
    let killed = ""
    const kill = Effect.zipRight(
      Effect.map(copy, (file) => {
        killed = file
      }),
      Deferred.succeed(dead, undefined)
    )
    const { calls, layer } = mortal(exchange, nth, when, kill)
    let ann: Flow.User | undefined
    const born = (it: Flow.User) => {
      ann = it
    }
    yield* Disk.run(db, Effect.raceFirst(life(born), Deferred.await(dead)), { exchange: layer })
    if (ann === undefined || !(yield* Deferred.isDone(dead))) return calls()
    const { account, strategy } = ann
    const living = ann
    yield* Disk.run(
      killed,
      Effect.gen(function* () {
        const bot = yield* after(living)
        const what = `killed ${when} call ${nth}`
        expect([what, bot?.state.slots, bot?.state.live]).toEqual([what, {}, undefined])
        const portfolio = yield* Portfolio
        expect(yield* portfolio.unsettled).toEqual([])
        const orders = yield* Effect.flatMap(Orders, (all) => all.page(strategy, { limit: 100 }))
        // Each order was sent at most once and is on disk, and nothing is left at the exchange.
        const ids = exchange.sent.map(({ id }) => String(id))
        expect([what, ids.length]).toEqual([what, new Set(ids).size])
        const known = new Map(orders.map(({ order }) => [String(order.id), order]))
        for (const { id, quantity, side } of exchange.sent) {
          const intent = known.get(id)
          expect([what, intent?.side]).toEqual([what, side])
          expect(Decimal.toText(intent?.quantity ?? Decimal.zero)).toBe(Decimal.toText(quantity))
        }
        expect([what, Decimal.toText(net(exchange, known.values()))]).toEqual([what, "0"])
        for (const { fills, order } of orders)
          expect([what, order.id, fills.map(({ id }) => id).sort()]).toEqual([
            what,
            order.id,
            exchange
              .fillsOf(order)
              .map(({ id }) => id)
              .sort()
          ])
        const { cash } = balances(yield* portfolio.ledger(strategy))
        expect(Decimal.toText(bot?.state.cash ?? Decimal.zero)).toBe(Decimal.toText(cash))
        // No stop rested at the exchange beside the exit.
        const { lookup } = yield* Exchange
        const at = yield* Clock.currentTimeMillis
        for (const order of exchange.sent.filter(({ type }) => type === "stop")) {
          const fees = { maker: Decimal.zero, taker: Decimal.zero, makerRate: 0, takerRate: 0 }
          const said = yield* lookup({ order, fees, at })
          expect([what, said._tag === "Missing" || (said._tag === "Filled" && said.done)]).toEqual([
            what,
            true
          ])
        }
        expect(account).toBe(living.account)
      }),
      { exchange: exchange.layer }
    )
    return calls()
  })

onEach((storage) => {
  test.each(["before", "after"] as const)(
    "a kill %s each call to the exchange loses no order and sends none twice",
    (when) =>
      storage.virtually(
        Effect.gen(function* () {
          let nth = 1
          // Ends when the bot's life has fewer calls.
          while ((yield* Effect.scoped(killedAt(storage, nth, when))) >= nth) nth += strideOf(storage, FEW)
          expect(nth).toBeGreaterThan(6)
        }).pipe(Logger.withMinimumLogLevel(LogLevel.Warning), Effect.withTracerEnabled(false))
      ),
    60_000
  )

  test("a stop in the middle of a commit takes back no stop at the exchange, which holds while the server is off", () =>
    storage.virtually(
      Effect.gen(function* () {
        const { db } = yield* storage.place
        const stopping = yield* Stopping.make
        const exchange = Scripted.make()
        let begun = 0
        const takenBack: Array<string> = []
        const layer = Layer.map(exchange.layer, (context) => {
          const inner = Context.get(context, Exchange)
          return Context.add(context, Exchange, {
            ...inner,
            cancel: (ticket) =>
              Effect.zipRight(
                Effect.sync(() => takenBack.push(ticket.order.id)),
                inner.cancel?.(ticket) ?? inner.lookup(ticket)
              )
          })
        })
        const strategy = yield* Disk.run(
          db,
          Effect.gen(function* () {
            const ann = yield* Flow.ann({ buy_percentage: 50, stop_loss: true, stop_loss_percentage: 5 })
            const strategy = yield* (yield* StrategyStore).get(ann.account, ann.strategy)
            yield* (yield* Bots).arm(strategy, terms)
            yield* Flow.quote(100)
            yield* Flow.say(ann.identity, ann.signal, "buy")
            yield* VirtualClock.pass("3 seconds")
            const bot = yield* Flow.botOf(ann.strategy)
            begun = Object.values(bot?.state.slots ?? {}).filter(({ stop }) => stop !== undefined).length
            yield* stopping.within(Flow.say(ann.identity, ann.signal, "sell"))
            return ann.strategy
          }),
          { ...stopping.parts, exchange: layer }
        )
        expect([begun, takenBack]).toEqual([1, []])
        // The exit is on disk: the next start takes the stop back and sells.
        yield* Disk.run(
          db,
          Effect.gen(function* () {
            yield* Flow.quote(100)
            yield* VirtualClock.pass("5 seconds")
            expect(takenBack).toHaveLength(1)
            expect((yield* Flow.tradesOf(strategy)).map(Flow.told)).toEqual(["long 5 @ 100 -> 100 signal x1"])
          }),
          { exchange: layer }
        )
      }).pipe(Logger.withMinimumLogLevel(LogLevel.Warning), Effect.withTracerEnabled(false))
    ))

  test("a start logs what became of orders, and compares balances with the books", () =>
    storage.virtually(
      Effect.gen(function* () {
        const { db } = yield* storage.place
        const exchange = Scripted.make()
        yield* Disk.run(
          db,
          Effect.gen(function* () {
            const ann = yield* Flow.ann({ buy_percentage: 50, stop_loss: true, stop_loss_percentage: 5 })
            const strategy = yield* (yield* StrategyStore).get(ann.account, ann.strategy)
            yield* (yield* Bots).arm(strategy, terms)
            yield* Flow.quote(100)
            yield* Flow.say(ann.identity, ann.signal, "buy")
          }),
          { exchange: exchange.layer }
        )
        const said: Array<string> = []
        const logger = Logger.replace(
          Logger.defaultLogger,
          Logger.make(({ message }) => void said.push(String(message)))
        )
        const wallets = Wallets.layerMemory({ of: () => Effect.succeed(holding({ BTC: "4.5" })) })
        yield* Disk.run(db, VirtualClock.pass("1 second"), {
          exchange: Layer.merge(exchange.layer, wallets)
        }).pipe(Effect.provide(logger), Effect.withTracerEnabled(false))
        expect(said).toEqual([
          "order 1-4-0 of strategy 1 (stop: sell 5 BTC/USDT on binance): rests at the exchange",
          "orders in flight at the last shutdown: 0 settled, 1 still being asked about",
          "exchange account 1, BTC: 5 by the books, 4.5 at the exchange"
        ])
      })
    ))
})
