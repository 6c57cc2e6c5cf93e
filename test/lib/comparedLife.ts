// A strategy's life on a whole engine over one minute after another, at an exchange that follows a script, with the candles
// of those minutes; and its comparison.
import { Clock, Effect, Layer } from "effect"
import type { AlertType } from "../../src/domain/Alert.ts"
import { ExchangeAccountId } from "../../src/domain/Arming.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { Pair } from "../../src/domain/Market.ts"
import { Bots } from "../../src/services/Bots.ts"
import { gather } from "../../src/services/compare/Gathering.ts"
import { Exchange, Report } from "../../src/services/Exchange.ts"
import * as ManualForms from "../../src/services/engine/orders/ManualForms.ts"
import { factsOf } from "../../src/services/feeds/MarketFacts.ts"
import * as OutageAnnouncer from "../../src/services/health/OutageAnnouncer.ts"
import { Markets } from "../../src/services/Markets.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import * as Scripted from "../../src/testing/ScriptedExchange.ts"
import * as VirtualClock from "../../src/testing/VirtualClock.ts"
import { compare } from "../../src/trading/compare/Compare.ts"
import { columns, MINUTE } from "../trading/scenario.ts"
import * as Disk from "./disk.ts"
import * as Flow from "./flow.ts"
import type { Place } from "./storages.ts"

/** What happens in one minute. Its price is that of its beginning, and of its end too where `tick` names no other. */
export interface Minute {
  readonly price: number
  /** The price 20 seconds later, at which `alert` acts in place of the first. */
  readonly tick?: number
  readonly alert?: AlertType
  /** The server gets no price in this minute, while the exchange goes on. */
  readonly unpriced?: boolean
  readonly update?: Flow.Body
  /** What the exchange makes of the next orders. */
  readonly acts?: ReadonlyArray<Scripted.Act>
  /** The owner closes what is held. */
  readonly close?: boolean
  /** The server is killed, and another starts after this minute. */
  readonly off?: boolean
}

/** A life: its settings, its minutes, and how many times the expected fee the exchange charges. */
export interface Life {
  readonly settings: Flow.Body
  readonly minutes: ReadonlyArray<Minute>
  readonly fee?: number
  /** With real money; else on paper. */
  readonly isLive?: boolean
}

const BTC = Pair.make("BTC/USDT")
const LATER_MS = 20_000

/** Lives it, and compares it. */
export const comparisonOf = (place: Place, life: Life) => Effect.map(recordOf(place, life), compare)

/** Lives it; returns what is on record. */
export const recordOf = (place: Place, life: Life) => recordBy(place, life, (ann) => gathered(ann, life))

/** Lives it with real money, disarms it, and arms it anew; returns the record of the first period before and after. */
export const disarmedOf = (place: Place, life: Life) =>
  recordBy(place, life, (ann) =>
    Effect.gen(function* () {
      const before = yield* gathered(ann, life)
      const strategy = yield* (yield* StrategyStore).get(ann.account, ann.strategy)
      yield* (yield* Bots).disarm(strategy, { close: true, forget: false })
      yield* VirtualClock.passTo((life.minutes.length + 5) * MINUTE)
      yield* Flow.quote(100)
      // The period on paper answers an alert, and has no trades.
      yield* Flow.say(ann.identity, ann.signal, "sell")
      yield* VirtualClock.passTo((life.minutes.length + 6) * MINUTE)
      yield* armed(ann)
      yield* Flow.quote(100)
      yield* Flow.say(ann.identity, ann.signal, "buy")
      yield* VirtualClock.passTo((life.minutes.length + 7) * MINUTE)
      const present = yield* gathered(ann, life)
      return { before, present, after: yield* gathered(ann, life, before.period) }
    })
  )

/** Lives it, and reads the record on the last server. */
const recordBy = <A, E, R>(
  { copy, db }: Place,
  life: Life,
  read: (ann: Flow.User) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const exchange = Scripted.make()
    const parts = { exchange: charging(exchange, life.fee ?? 1) }
    const on = <A, E, R>(file: string, self: Effect.Effect<A, E, R>) =>
      Disk.run(file, self.pipe(Effect.provide(Layer.fresh(OutageAnnouncer.layer))), parts)
    let file = db
    const ann = yield* on(file, begin(life))
    let at = 0
    while (at < life.minutes.length) {
      const until = nextOff(life.minutes, at)
      yield* on(
        file,
        Effect.gen(function* () {
          for (let minute = at; minute < until; minute++)
            yield* lived(ann, exchange, minute, life.minutes[minute])
          if (until < life.minutes.length) file = yield* copy
        })
      )
      at = until
      while (life.minutes[at]?.off === true) at++
      yield* VirtualClock.passTo(at * MINUTE)
    }
    return yield* on(file, read(ann))
  })

const begin = ({ isLive, settings }: Life) =>
  Effect.gen(function* () {
    const ann = yield* Flow.ann(settings)
    if (isLive !== false) yield* armed(ann)
    return ann
  })

const armed = (ann: Flow.User) =>
  Effect.gen(function* () {
    const strategy = yield* (yield* StrategyStore).get(ann.account, ann.strategy)
    const sum = Decimal.fromNumber(10_000)
    const terms = { capital: sum, maxOrder: sum, maxDailyLoss: sum, protect: false }
    yield* (yield* Bots).arm(strategy, { account: ExchangeAccountId.make(1), ...terms })
  })

const nextOff = (minutes: ReadonlyArray<Minute>, from: number): number => {
  const next = minutes.findIndex(({ off }, index) => index >= from && off === true)
  return next < 0 ? minutes.length : next
}

const lived = Effect.fnUntraced(function* (
  ann: Flow.User,
  exchange: Scripted.ScriptedExchange,
  index: number,
  minute: Minute | undefined
) {
  if (minute === undefined) return
  const { acts = [], alert, close, price, tick, unpriced, update } = minute
  yield* VirtualClock.passTo(index * MINUTE)
  exchange.next(...acts)
  if (unpriced !== true) yield* Flow.quote(price)
  if (update !== undefined) yield* Flow.update(ann.account, ann.strategy, update)
  if (close === true) yield* closed(ann)
  if (alert !== undefined && tick === undefined) yield* told(ann, alert, unpriced)
  if (tick === undefined) return
  yield* VirtualClock.passTo(index * MINUTE + LATER_MS)
  if (unpriced !== true) yield* Flow.quote(tick)
  if (alert !== undefined) yield* told(ann, alert, unpriced)
})

const told = (ann: Flow.User, alert: AlertType, unpriced = false) =>
  unpriced ? Flow.send(ann.identity, ann.signal, alert) : Flow.say(ann.identity, ann.signal, alert)

const closed = (ann: Flow.User) =>
  Effect.gen(function* () {
    const strategy = yield* (yield* StrategyStore).get(ann.account, ann.strategy)
    const order = { exchange: "binance", pair: BTC, act: { _tag: "Close", percent: 100 } } as const
    // Nothing may be held.
    yield* Effect.ignore((yield* Bots).byHand(strategy, order, { form: ManualForms.text }))
  })

/** The candles of the minutes, of the exchange: whether the server ran or not. */
const candlesOf = ({ minutes }: Life) =>
  columns(
    minutes.map(({ price, tick = price }) => [price, Math.max(price, tick), Math.min(price, tick), tick])
  )

const gathered = (ann: Flow.User, life: Life, period?: number) =>
  Effect.gen(function* () {
    yield* VirtualClock.passTo(life.minutes.length * MINUTE)
    const until = yield* Clock.currentTimeMillis
    const found = yield* gather(ann.account, ann.strategy, { until, period })
    const facts = factsOf(yield* (yield* Markets).catalogue)
    const series = [{ exchange: "binance", pair: BTC, columns: candlesOf(life) }] as const
    return { ...facts, series, ...found }
  })

/** An exchange that charges so many times the fee that is expected. */
const charging = (exchange: Scripted.ScriptedExchange, times: number) => {
  const charged = (report: Report): Report =>
    report._tag === "Filled" && times !== 1
      ? Report.Filled({
          ...report,
          fills: report.fills.map((fill) => ({
            ...fill,
            fee: Decimal.multiply(fill.fee, Decimal.fromNumber(times))
          }))
        })
      : report
  return Layer.effect(
    Exchange,
    Effect.map(Exchange, (inner) => ({
      submit: (ticket) => Effect.map(inner.submit(ticket), charged),
      lookup: (ticket) => Effect.map(inner.lookup(ticket), charged),
      cancel: (ticket) => Effect.map((inner.cancel ?? inner.lookup)(ticket), charged)
    }))
  ).pipe(Layer.provide(exchange.layer))
}
