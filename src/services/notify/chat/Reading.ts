// What a chat may read: the account at a glance, open positions, the newest trades, and why alerts were acted on or
// ignored. Nothing here changes anything.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AccountId } from "../../../domain/Account.ts"
import { type Alert, outcomeOf } from "../../../domain/Alert.ts"
import * as Decimal from "../../../domain/Decimal.ts"
import { quoteOf } from "../../../domain/Market.ts"
import type { Pairing } from "../../../domain/notify/Chat.ts"
import { Alerts } from "../../Alerts.ts"
import { bindingOn, Halts } from "../../money/Halts.ts"
import { type CurrencyTotals, type Held, Overview } from "../../records/Overview.ts"
import { beginOf, dayOf } from "../../records/Results.ts"
import { search } from "../../records/TimelineSearch.ts"
import { Trades } from "../../records/Trades.ts"
import { StrategyStore } from "../../StrategyStore.ts"
import { Timeline } from "../../Timeline.ts"
import type { Button, Reply } from "./BotApi.ts"
import { amount, count, moment, percent, plain, signed } from "./Figures.ts"

/** Rows of one answer. */
const MOST_TRADES = 10
const MOST_ALERTS = 5
const MOST_POSITIONS = 10
const MOST_OUTCOMES = 10
const MOST_ENTRIES = 20

/** The first buttons of a chat. */
export const MENU: ReadonlyArray<ReadonlyArray<Button>> = [
  [
    { label: "Status", data: "status" },
    { label: "Positions", data: "positions" },
    { label: "Trades", data: "trades" }
  ],
  [
    { label: "Why", data: "why" },
    { label: "Pause a strategy", data: "pause" },
    { label: "Halt entries", data: "halt" }
  ]
]

/** The commands in words. */
export const HELP: Reply = {
  text: [
    "/status - the account at a glance",
    "/positions - what is open, each with a button that closes it",
    "/trades - the newest results",
    "/why - the newest alerts; /why 17 - what became of alert 17, and why",
    "/halt - no entries from now on; exits go on",
    "/resume - ends a halt that this chat began today",
    "/pause - switch a strategy off: no entries, exits go on",
    "/close - close a position at the market, after a preview",
    "/unpair - this chat is forgotten",
    "Whatever raises risk is done in the dashboard or in a terminal."
  ].join("\n"),
  buttons: MENU
}

/** An open position, and how it is offered to be closed. */
export type OfferClose = (held: Held) => Button

/** Makes the reads. */
export const make = Effect.gen(function* () {
  const overview = yield* Overview
  const halts = yield* Halts

  const status = Effect.fn("chat.status")(function* ({ account }: Pairing) {
    const { alerts, currencies, now, positionsTotal, prices, storage, strategies } =
      yield* overview.of(account)
    const halt = Option.getOrUndefined(bindingOn(yield* halts.all, account))
    const acted = alerts.outcomes.filter(({ reason }) => outcomeOf(reason) === "acted")
    const lines = [
      halt === undefined
        ? "Entries go on."
        : `Entries are halted since ${moment(halt.at)}: ${plain(halt.text, 200)}. Exits go on.`,
      `${strategies.active} of ${count(strategies.total, "strategy is", "strategies are")} on, ${count(positionsTotal, "position is", "positions are")} open.`,
      ...currencies.filter(({ strategies }) => strategies > 0).map(totalLine),
      `Alerts today: ${alerts.received}, refused ${alerts.refused}, acted on ${acted.reduce((sum, one) => sum + one.count, 0)} times.`,
      ...prices.feeds
        .filter(({ state }) => state === "unreachable")
        .map(({ exchange }) => `No prices of ${plain(exchange)}.`),
      ...(storage.isWritable ? [] : ["Nothing can be stored right now."]),
      moment(now)
    ]
    return { text: lines.join("\n"), buttons: MENU } satisfies Reply
  })

  const positions = Effect.fn("chat.positions")(function* (
    { account }: Pairing,
    offer: OfferClose,
    search = ""
  ) {
    const { positions: all } = yield* overview.of(account)
    const found = all.filter(({ holding }) => holding.market.pair.includes(search.toUpperCase()))
    const shown = found.slice(0, MOST_POSITIONS)
    const more = found.length - shown.length
    if (shown.length === 0) return { text: "Nothing is open.", buttons: MENU } satisfies Reply
    return {
      text: [
        ...shown.map(positionLine),
        ...(more > 0 ? [`and ${more} more: name a pair, /close BTC`] : [])
      ].join("\n"),
      buttons: shown.map((held) => [offer(held)])
    } satisfies Reply
  })

  return { status, positions, trades: yield* results, why: yield* explaining }
})

/** Makes the list of the newest trades, with the sums of today. */
const results = Effect.gen(function* () {
  const trades = yield* Trades
  const store = yield* StrategyStore
  return Effect.fn("chat.trades")(function* ({ account }: Pairing) {
    const now = yield* Clock.currentTimeMillis
    const newest = { order: "closed_at", direction: "desc", offset: 0, limit: MOST_TRADES } as const
    const { rows, total } = yield* trades.search(account, {}, newest)
    if (total === 0) return { text: "There are no trades yet.", buttons: MENU } satisfies Reply
    const names = yield* namesOf(store, account)
    const today = yield* trades.totals(account, { from: beginOf(dayOf(now)) })
    const sums = today.map(
      ({ currency, live, pnl, trades }) =>
        `Today, ${live ? "real money" : "paper"}: ${signed(pnl)} ${currency} in ${count(trades, "trade", "trades")}.`
    )
    const lines = rows.map(
      ({ strategy, trade }) =>
        `${moment(trade.closedAt)} ${trade.pair} ${trade.side}: ${signed(Decimal.toNumber(trade.pnl))} ${quoteOf(trade.pair)} (${percent(trade.profitPercent)}), ${trade.exitReason.replaceAll("_", " ")}${trade.live === true ? ", real money" : ""}, ${names(strategy)}`
    )
    return { text: [...lines, ...sums].join("\n"), buttons: MENU } satisfies Reply
  })
})

/** The names of an account's strategies, with their numbers. */
const namesOf = (store: typeof StrategyStore.Service, account: AccountId) =>
  Effect.map(store.followed(account), (all) => {
    const names = new Map(all.map(({ strategy }) => [strategy.id, plain(strategy.settings.name)]))
    return (id: (typeof all)[number]["strategy"]["id"]) => `${names.get(id) ?? "a deleted strategy"} (${id})`
  })

/** Makes what explains alerts: the newest ones, or one with its outcomes and the timeline's words. */
const explaining = Effect.gen(function* () {
  const alerts = yield* Alerts
  const store = yield* StrategyStore
  const timeline = yield* Timeline

  const newest = Effect.fn("chat.alerts")(function* (account: AccountId) {
    const found = yield* alerts.list(account, { limit: MOST_ALERTS })
    if (found.length === 0) return { text: "There are no alerts yet.", buttons: MENU } satisfies Reply
    const lines = found.map(({ alert, outcomes }) => {
      const reasons = [...new Set(outcomes.map(({ reason }) => reason.replaceAll("_", " ")))]
      return `${titleOf(alert)}: ${reasons.length === 0 ? "no outcome yet" : reasons.join(", ")}`
    })
    const buttons = found.map(({ alert }) => ({ label: `Why ${alert.id}`, data: `why:${alert.id}` }))
    return { text: lines.join("\n"), buttons: [buttons] } satisfies Reply
  })

  /** The timeline's entries about an alert, which were written between its arrival and its outcome. */
  const wordsAbout = (account: AccountId, { id, receivedAt }: Alert, strategy: number, until: number) =>
    search(
      timeline,
      { account, strategy },
      { limit: MOST_ENTRIES },
      { from: receivedAt, until: until + 1 }
    ).pipe(
      Effect.map(({ rows }) => rows.filter(({ alertId }) => Option.contains(alertId, id)).reverse()),
      Effect.catchTag("StrategyNotFound", () => Effect.succeed([]))
    )

  const one = Effect.fn("chat.why")(function* (account: AccountId, id: number) {
    const { alert, outcomes } = yield* alerts.get(account, id, { limit: MOST_OUTCOMES })
    const names = yield* namesOf(store, account)
    const lines = yield* Effect.forEach(outcomes, ({ at, reason, strategyId }) =>
      Effect.map(wordsAbout(account, alert, strategyId, at), (entries) => {
        const words = entries.map(({ text }) => plain(text, 400)).join(" ")
        return `${names(strategyId)}: ${outcomeOf(reason)}, ${reason.replaceAll("_", " ")}. ${words}`
      })
    )
    const text = [
      titleOf(alert),
      ...(lines.length === 0 ? ["No strategy of yours has an outcome yet."] : lines)
    ]
    return { text: text.join("\n"), buttons: MENU } satisfies Reply
  })

  return ({ account }: Pairing, id: number | undefined): Effect.Effect<Reply> =>
    id === undefined
      ? newest(account)
      : Effect.catchTag(one(account, id), "AlertNotFound", ({ message }) =>
          Effect.succeed({ text: `${message}: /why shows the newest` })
        )
})

const titleOf = ({ coin, id, quoteCurrency, receivedAt, type }: Alert): string =>
  `${moment(receivedAt)} alert ${id}, ${type.replaceAll("_", " ")} ${coin}/${quoteCurrency}`

const totalLine = ({ account, currency, equity, net, openPnl, trades }: CurrencyTotals): string =>
  `${account === undefined ? "Paper" : "Real money"}, ${currency}: equity ${amount(Decimal.toNumber(equity))}, result ${signed(Decimal.toNumber(net))} in ${count(trades, "trade", "trades")}, open ${signed(openPnl)}.`

const positionLine = ({ holding, standing, strategy }: Held): string => {
  const { average, closing, market, quantity, side } = holding
  const { exchange, kind, pair } = market
  const now =
    closing === undefined
      ? "no price"
      : `now ${amount(closing.price)}, ${signed(closing.pnl)} ${quoteOf(pair)} (${percent(closing.percent)})`
  const money = standing.live === undefined ? "" : ", real money"
  return `${pair} ${side}${kind === "swap" ? ", perpetual" : ""} on ${plain(exchange)}, ${plain(strategy.settings.name)} (${strategy.id})${money}: ${amount(Decimal.toNumber(quantity))} at ${amount(average)}, ${now}`
}
