// Planted bugs of kinds that have cost people money elsewhere. The world must find each.
import { Context, Effect } from "effect"
import * as Decimal from "../../src/domain/Decimal.ts"
import { OrderId } from "../../src/domain/Order.ts"
import { isSound } from "../../src/domain/Ticker.ts"
import { Exchange, Report, type Ticket } from "../../src/services/Exchange.ts"
import { StreamingFeed } from "../../src/services/feeds/StreamingFeed.ts"
import { QuoteQueue } from "../../src/services/feeds/streaming/QuoteQueue.ts"
import { Performance } from "../../src/services/Performance.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { PriceEvent, Tickers } from "../../src/services/Tickers.ts"
import * as Alerts from "./alertMutants.ts"
import * as Books from "./bookMutants.ts"
import * as Live from "./liveMutants.ts"
import * as Memory from "./memoryMutants.ts"
import { type Bugs, within } from "./mutant.ts"
import { lifePlants, plants, postgresPlants } from "./plants.ts"
import { rulePlants } from "./rules/plants.ts"
import type { Mutant } from "./World.ts"

/** A bug in the handling of an exchange's reports. */
const answers = (change: (report: Report) => Report) =>
  within(Exchange, (sound) => ({
    submit: (ticket) => Effect.map(sound.submit(ticket), change),
    lookup: (ticket) => Effect.map(sound.lookup(ticket), change)
  }))

type Filled = Extract<Report, { readonly _tag: "Filled" }>

const fills = (change: (filled: Filled) => Filled) =>
  answers((report) => (report._tag === "Filled" ? change(report) : report))

const eachFill = (change: (fill: Filled["fills"][number], index: number) => Filled["fills"][number]) =>
  fills((report) => ({ ...report, fills: report.fills.map(change) }))

const failed = (order: OrderId) => Report.Rejected({ order, reason: "taken for a failure" })

const orders: Bugs = {
  "a new id for each try": within(Exchange, (sound) => ({
    ...sound,
    submit: (ticket) => {
      const order = { ...ticket.order, id: OrderId.make(`${ticket.order.id}-again`) }
      return Effect.flatMap(sound.submit(ticket), (report) =>
        report._tag === "Unknown" ? sound.submit({ ...ticket, order }) : Effect.succeed(report)
      )
    }
  })),
  "an order sent again when no answer came": within(Exchange, (sound) => ({
    ...sound,
    submit: (ticket) =>
      sound.submit(ticket).pipe(
        Effect.timeoutTo({
          duration: 4_000,
          onTimeout: () => sound.submit(ticket),
          onSuccess: (report) => Effect.succeed(report)
        }),
        Effect.flatten
      )
  })),
  "an order sent again when it is not found": within(Exchange, (sound) => {
    const tickets = new Map<string, Ticket>()
    return {
      submit: (ticket) => {
        tickets.set(ticket.order.id, ticket)
        return sound.submit(ticket)
      },
      lookup: (ticket) =>
        Effect.flatMap(sound.lookup(ticket), (report) => {
          const again = tickets.get(ticket.order.id)
          return report._tag === "Missing" && again !== undefined
            ? sound.submit(again)
            : Effect.succeed(report)
        })
    }
  }),
  "a time-out taken for a failure": answers((report) =>
    report._tag === "Unknown" ? failed(report.order) : report
  ),
  "a silence taken for a failure": within(Exchange, (sound) => ({
    ...sound,
    submit: (ticket) =>
      Effect.timeoutTo(sound.submit(ticket), {
        duration: 5_000,
        onTimeout: () => failed(ticket.order.id),
        onSuccess: (report) => report
      })
  })),
  "not found taken for never placed": answers((report) =>
    report._tag === "Missing" ? failed(report.order) : report
  ),
  "a fill counted each time it is told": eachFill((fill, index) => ({ ...fill, id: `${fill.id}.${index}` })),
  "a part taken for the whole": fills((report) => ({
    ...report,
    done: report.done || report.fills.length > 0
  })),
  "only the first fill taken in": fills((report) => ({ ...report, fills: report.fills.slice(0, 1) })),
  "the fee forgotten": eachFill((fill) => ({ ...fill, fee: Decimal.zero })),
  "amounts rounded": eachFill((fill) => ({ ...fill, quantity: Decimal.round(fill.quantity, 3) })),
  "the price of the order taken for that of the fill": within(Exchange, (sound) => {
    const priced = (ticket: Parameters<typeof sound.lookup>[0]) => (report: Report) =>
      report._tag === "Filled"
        ? { ...report, fills: report.fills.map((fill) => ({ ...fill, price: ticket.order.price })) }
        : report
    return {
      submit: (ticket) => Effect.map(sound.submit(ticket), priced(ticket)),
      lookup: (ticket) => Effect.map(sound.lookup(ticket), priced(ticket))
    }
  })
}

const others: Bugs = {
  "every trade counted as a win": within(Performance, (sound) => ({
    ...sound,
    add: (tally, trade) => ({ ...sound.add(tally, trade), wins: tally.wins + 1 })
  })),
  "fees taken off twice": within(Performance, (sound) => ({
    ...sound,
    add: (tally, trade) => sound.add(tally, { ...trade, pnl: Decimal.subtract(trade.pnl, trade.fees) })
  })),
  "the account not checked": within(StrategyStore, (sound) => {
    const owner = (id: number) =>
      Effect.map(sound.all, (all) => all.find((strategy) => strategy.id === id)?.account)
    return {
      ...sound,
      get: (account, id) => Effect.flatMap(owner(id), (own) => sound.get(own ?? account, id)),
      update: (account, id, settings) =>
        Effect.flatMap(owner(id), (own) => sound.update(own ?? account, id, settings))
    }
  }),
  "an old price taken for a new one": within(Tickers, (sound, world) => ({
    ...sound,
    next: Effect.map(sound.next, (events) =>
      events.map((event) =>
        event._tag === "Quoted"
          ? PriceEvent.Quoted({ ...event, ticker: { ...event.ticker, at: world.now } })
          : event
      )
    )
  })),
  "a wild price believed at once": () => (base) => {
    const pending = new QuoteQueue()
    const arrived = Effect.unsafeMakeLatch()
    const take = Effect.sync(() => {
      arrived.unsafeClose()
      return pending.take()
    })
    return base.pipe(
      Context.add(StreamingFeed, {
        ...Context.get(base, StreamingFeed),
        publish: (quotes) => {
          for (const quote of quotes) if (isSound(quote.ticker)) pending.add(quote)
          if (pending.size > 0) arrived.unsafeOpen()
        }
      }),
      Context.add(Tickers, {
        ...Context.get(base, Tickers),
        next: Effect.zipRight(arrived.await, take)
      })
    )
  },
  "a wild price that comes twice taken for two": within(StreamingFeed, (sound) => ({
    ...sound,
    publish: (quotes) =>
      sound.publish(
        quotes.flatMap(({ market, ticker }) => [
          { market, ticker: { ...ticker, at: ticker.at - 1 } },
          { market, ticker }
        ])
      )
  })),
  "a price of another market": within(Tickers, (sound) => ({
    ...sound,
    next: Effect.map(sound.next, (events) =>
      events.map((event) =>
        event._tag === "Quoted" && event.market.kind === "swap"
          ? PriceEvent.Quoted({ ...event, market: { ...event.market, kind: "spot" } })
          : event
      )
    )
  }))
}

export const mutants: ReadonlyArray<Mutant> = Object.entries({
  ...orders,
  ...Alerts.bugs,
  ...Books.bugs,
  ...Memory.bugs,
  ...Live.bugs,
  ...others
})
  .map(([name, alter]): Mutant => ({ name, alter }))
  .concat(Object.keys({ ...plants, ...lifePlants, ...rulePlants }).map((name) => ({ name })))

/** Those that only the world on Postgres finds. */
export const postgresMutants: ReadonlyArray<Mutant> = Object.keys(postgresPlants).map((name) => ({ name }))
