// Planted bugs in caps, halts and stops of trading with real money.
import { Effect, Option } from "effect"
import type { BotState } from "../../src/domain/Bot.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { OrderId } from "../../src/domain/Order.ts"
import { Exchange, Report } from "../../src/services/Exchange.ts"
import { Halts } from "../../src/services/money/Halts.ts"
import { Wallets } from "../../src/services/money/Wallets.ts"
import { PAGE } from "./Money.ts"
import { loading } from "./memoryMutants.ts"
import { type Bugs, within } from "./mutant.ts"

const eachSlot = (
  state: BotState,
  change: (slot: BotState["slots"][string]) => BotState["slots"][string]
): BotState => ({
  ...state,
  slots: Object.fromEntries(Object.entries(state.slots).map(([key, slot]) => [key, change(slot)]))
})

export const bugs: Bugs = {
  "a halt that nobody looks at": within(Halts, (sound) => ({ ...sound, all: Effect.as(sound.all, []) })),
  "a halt of everybody taken for nobody's": within(Halts, (sound) => ({
    ...sound,
    all: Effect.map(sound.all, (all) => all.filter(({ account }) => Option.isSome(account)))
  })),
  "a day's loss forgotten at a restart": loading((state, world) => {
    if (state.live === undefined) return state
    const start = world.now - (world.now % 86_400_000)
    return { ...state, live: { ...state.live, day: { start, equity: state.cash } } }
  }),
  "disarming forgotten at a restart": loading((state) => {
    if (state.live === undefined) return state
    const { leaving: _, ...live } = state.live
    return { ...state, live }
  }),
  "the cap of an order forgotten at a restart": loading((state) =>
    state.live === undefined
      ? state
      : { ...state, live: { ...state.live, maxOrder: Decimal.unsafeFromText("1000000") } }
  ),
  "a stop at rest forgotten at a restart": loading((state) =>
    eachSlot(state, ({ stop: _, stopEnding: __, ...slot }) => slot)
  ),
  "a stop taken for gone when no answer came": within(Exchange, (sound) => ({
    ...sound,
    cancel: (ticket) =>
      (sound.cancel ?? sound.lookup)(ticket).pipe(
        Effect.map((report) =>
          report._tag === "Unknown"
            ? Report.Filled({ order: ticket.order.id, fills: [], done: true })
            : report
        )
      )
  })),
  "a stop not taken back before the exit": within(Exchange, (sound) => ({
    ...sound,
    cancel: ({ order }) => Effect.succeed(Report.Filled({ order: order.id, fills: [], done: true }))
  })),
  "a stop placed twice": within(Exchange, (sound) => ({
    ...sound,
    submit: (ticket) => {
      if (ticket.order.type !== "stop") return sound.submit(ticket)
      const order = { ...ticket.order, id: OrderId.make(`${ticket.order.id}-again`) }
      return Effect.zipRight(sound.submit({ ...ticket, order }), sound.submit(ticket))
    }
  })),
  "a fee in the coin bought not taken off": within(Exchange, (sound) => {
    const gross = (report: Report): Report =>
      report._tag === "Filled"
        ? Report.Filled({
            ...report,
            fills: report.fills.map((fill) =>
              fill.paid === undefined
                ? fill
                : { ...fill, quantity: Decimal.add(fill.quantity, fill.paid.amount) }
            )
          })
        : report
    return {
      ...sound,
      submit: (ticket) => Effect.map(sound.submit(ticket), gross),
      lookup: (ticket) => Effect.map(sound.lookup(ticket), gross)
    }
  }),
  "the first page of a wallet taken for all of it": within(Wallets, (sound) => ({
    ...sound,
    of: (account) =>
      Effect.map(sound.of(account), (wallet) => ({
        ...wallet,
        balances: new Map([...wallet.balances].slice(0, PAGE))
      }))
  })),
  "coins that are gone for good after one look": within(Wallets, (sound) => ({
    ...sound,
    of: (account) => Effect.map(sound.of(account), (wallet) => ({ ...wallet, balances: new Map() }))
  }))
}
