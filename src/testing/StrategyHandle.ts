// A strategy within a test: read its timeline, trades and positions, change its settings, arm and disarm it.
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { AccountId } from "../domain/Account.ts"
import type { BotState, Slot } from "../domain/Bot.ts"
import * as Decimal from "../domain/Decimal.ts"
import { KnownExchange } from "../domain/Market.ts"
import type { StrategyPatch } from "../domain/requests/StrategyDraft.ts"
import type { FullView } from "../domain/requests/StrategyView.ts"
import type { StrategyId } from "../domain/StrategyId.ts"
import type { TimelineEntry } from "../domain/Timeline.ts"
import type { Trade } from "../domain/Trade.ts"
import { Arming } from "../services/Arming.ts"
import { ExchangeAccounts } from "../services/ExchangeAccounts.ts"
import { Portfolio } from "../services/Portfolio.ts"
import { Strategies } from "../services/Strategies.ts"
import { Timeline } from "../services/Timeline.ts"

/** A handle of one strategy. */
export interface StrategyHandle {
  readonly id: StrategyId
  /** The time that `t=0` of its timeline means (ms since the epoch). */
  readonly startsAt: number
  /** The strategy as the API shows it, with its performance. */
  readonly view: Effect.Effect<FullView>
  /** Its whole timeline, oldest first. */
  readonly timeline: Effect.Effect<ReadonlyArray<TimelineEntry>>
  /** Its completed trades, oldest first. */
  readonly trades: Effect.Effect<ReadonlyArray<Trade>>
  /** Its bot's state; undefined before the first alert for it. */
  readonly bot: Effect.Effect<BotState | undefined>
  /**
   * Its positions and waiting entries, one line for each market: `BTC/USDT spot long 0.016 @ 60000`, `BTC/USDT spot
   * armed at 59000`.
   */
  readonly holds: Effect.Effect<ReadonlyArray<string>>
  /** Changes its settings. */
  readonly update: (changes: StrategyPatch) => Effect.Effect<void>
  /**
   * Arms it: its orders are sent with the exchange account, and its performance starts at zero. The first arming
   * connects an account at the default exchange.
   */
  readonly arm: (terms?: Terms) => Effect.Effect<void>
  /** Disarms it; `close` closes open positions, `forget` writes off those that the exchange does not hold. */
  readonly disarm: (how?: { readonly close?: boolean; readonly forget?: boolean }) => Effect.Effect<void>
}

/** The terms of arming, in the strategy's currency; by default a thousand each, without a protective stop. */
export interface Terms {
  readonly capital?: number
  readonly maxOrder?: number
  readonly maxDailyLoss?: number
  readonly protect?: boolean
}

/** The services that a handle uses. */
export type Sources = Arming | ExchangeAccounts | Portfolio | Strategies | Timeline

/** The most rows of a page. */
const PAGE = 500

export const handleOf = (
  account: AccountId,
  id: StrategyId,
  startsAt: number,
  context: Context.Context<Sources>
): StrategyHandle => {
  const on = <A, E>(self: Effect.Effect<A, E, Sources>) => Effect.orDie(Effect.provide(self, context))
  const bot = Effect.flatMap(Portfolio, (portfolio) =>
    Effect.map(portfolio.bot(id), (record) => record?.state)
  )
  return {
    id,
    startsAt,
    view: on(Effect.flatMap(Strategies, (strategies) => strategies.get(account, id))),
    timeline: on(
      Effect.flatMap(Timeline, (timeline) =>
        allOf((before) => timeline.list(account, id, { limit: PAGE, ...before }))
      )
    ),
    trades: on(
      Effect.flatMap(Portfolio, (portfolio) =>
        Effect.map(
          allOf((before) => portfolio.trades(id, { limit: PAGE, ...before })),
          (rows) => rows.map(({ trade }) => trade)
        )
      )
    ),
    bot: on(bot),
    holds: on(Effect.map(bot, (state) => Object.values(state?.slots ?? {}).map(lineOfSlot))),
    update: (changes) =>
      on(Effect.asVoid(Effect.flatMap(Strategies, (strategies) => strategies.update(account, id, changes)))),
    arm: (terms) => on(armed(account, id, terms)),
    disarm: ({ close = false, forget = false } = {}) =>
      on(Effect.asVoid(Effect.flatMap(Arming, ({ disarm }) => disarm(account, id, { close, forget }))))
  }
}

const armed = Effect.fnUntraced(function* (
  account: AccountId,
  id: StrategyId,
  { capital = 1000, maxDailyLoss = 1000, maxOrder = 1000, protect = false }: Terms = {}
) {
  const arming = yield* Arming
  const { default_exchange_name } = yield* Effect.flatMap(Strategies, ({ get }) => get(account, id))
  const terms = {
    account: yield* connected(account, default_exchange_name),
    capital: Decimal.fromNumber(capital),
    maxOrder: Decimal.fromNumber(maxOrder),
    maxDailyLoss: Decimal.fromNumber(maxDailyLoss),
    protect
  }
  const { confirmation } = yield* arming.propose(account, id, terms)
  yield* arming.arm(account, id, terms, confirmation)
})

/** The test's exchange account, with keys that open nothing. */
const connected = Effect.fnUntraced(function* (owner: AccountId, exchange: string) {
  const accounts = yield* ExchangeAccounts
  const known = (yield* accounts.list(owner)).find((one) => one.exchange === exchange)
  if (known !== undefined) return known.id
  const name = yield* Schema.decodeUnknown(KnownExchange)(exchange)
  const credentials = { apiKey: Redacted.make("key"), secret: Redacted.make("secret") }
  return (yield* accounts.add(owner, { name, exchange: name, sandbox: false, credentials })).id
})

/** All pages of a list that comes newest first, reversed. */
const allOf = <A extends { readonly id: number }, E>(
  page: (before: { readonly before?: number }) => Effect.Effect<ReadonlyArray<A>, E>
): Effect.Effect<ReadonlyArray<A>, E> =>
  Effect.gen(function* () {
    const all: Array<A> = []
    for (;;) {
      const last = all.at(-1)
      const rows = yield* page(last === undefined ? {} : { before: last.id })
      all.push(...rows)
      if (rows.length < PAGE) return all.reverse()
    }
  })

/** A bot's slot on one market as a line. */
export const lineOfSlot = ({ kind, order, pair, position, trailingBuy }: Slot): string => {
  const what =
    position !== undefined
      ? `${position.side} ${Decimal.toNumber(position.quantity)} @ ${Number(Decimal.toNumber(Decimal.divide(position.entryNotional, position.entryQuantity)).toPrecision(9))}`
      : trailingBuy !== undefined
        ? `armed at ${trailingBuy.extreme}`
        : "nothing"
  return `${pair} ${kind} ${what}${order === undefined ? "" : ` with an order ${order.purpose}`}`
}

/** A trade in one line: `long 1 @ 100 -> 110 signal x1`. */
export const lineOfTrade = (trade: Trade): string =>
  `${trade.side} ${Decimal.toNumber(trade.quantity)} @ ${trade.entryPrice} -> ${trade.exitPrice} ${trade.exitReason} x${trade.entries}`
