// Tries an alert on copies of the bots, with the engine's own decisions, and stores and sends nothing.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Identity } from "../../domain/Account.ts"
import { type Alert, AlertId, type Instruction, type Reason } from "../../domain/Alert.ts"
import type { StartingBalances } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { baseOf, type MarketId, quoteOf } from "../../domain/Market.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import type { AlertPatience } from "../../trading/AlertPatience.ts"
import { hasInFlight } from "../../trading/Bot.ts"
import { rateOf } from "../../trading/books/Fees.ts"
import * as ChartOrder from "../../trading/bot/ChartOrder.ts"
import { alertOf, Journal } from "../Journal.ts"
import { Performance } from "../Performance.ts"
import { StrategyStore } from "../StrategyStore.ts"
import type { AlertJudging } from "./alerts/AlertJudging.ts"
import { breathe } from "./Breath.ts"
import type { ContextFor } from "./decide/Context.ts"
import { wordsOf } from "./decide/TimelineTexts.ts"
import * as Engine from "./Engine.ts"
import type { EngineState } from "./EngineState.ts"
import { OrdersInFlight } from "./orders/OrdersInFlight.ts"
import type { OutgoingOrder } from "./orders/OutgoingOrder.ts"
import { NeededMarkets } from "./prices/NeededMarkets.ts"
import { type BotEntry, Roster } from "./Roster.ts"
import type { Turn } from "./Turns.ts"

/** The answer that one strategy would give to the alert now. */
export interface Previewed {
  readonly strategy: StrategyId
  readonly name: string
  /** Absent where the alert would wait. */
  readonly reason: Reason | undefined
  readonly text: string
  /** The bot's actions, a sentence each, with prices and sizes. */
  readonly steps: ReadonlyArray<string>
}

/** How new bots begin, and how long alerts may wait. */
interface Options {
  readonly paper: StartingBalances
  readonly patience: AlertPatience
}

/** Makes the preview: an alert as if it came now, tried after all alerts that were accepted before it. */
export const make = Effect.fnUntraced(function* (
  engineState: EngineState,
  judging: AlertJudging,
  turn: Turn,
  options: Options
) {
  const journal = yield* Journal
  const store = yield* StrategyStore
  const tried = trying(engineState, yield* Performance, options)
  return Effect.fn("Bots.preview")(function* ({ account, token }: Identity, instruction: Instruction) {
    yield* Effect.repeat(turn(judging.turn), {
      while: ({ isRead }) => !isRead || engineState.backlog.laneOf(account) !== undefined
    })
    const own = yield* store.followers(instruction.signalId, account)
    const receivedAt = yield* Clock.currentTimeMillis
    const draft = { account, token, instruction, receivedAt, warnings: [] }
    // The next id: positions held now were opened before it.
    const alert = alertOf(draft, AlertId.make((yield* journal.last) + 1), "record")
    return yield* turn(
      Effect.zipRight(
        engineState.share.own(account),
        Effect.flatMap(engineState.presentOrClosed, (contextFor) => tried(alert, own, contextFor))
      )
    )
  })
})

/** Makes the trial over the strategies of one sender, one after the other. */
const trying = (
  engineState: EngineState,
  performance: typeof Performance.Service,
  { paper, patience }: Options
) => {
  /** `roster` holds the copies tried before, because their positions limit what the next one may open. */
  const tried = (alert: Alert, strategy: Strategy, contextFor: ContextFor, roster: Roster): Previewed => {
    const { quota } = engineState
    const spent = { isSpent: quota.isSpent.bind(quota), add: () => {} }
    const orders = new OrdersInFlight()
    const engine = Engine.make({
      roster,
      orders,
      performance,
      patience,
      paper,
      quota: spent,
      again: () => {}
    })
    const bot = engineState.copyOf(strategy)
    const context = contextFor(bot)
    const isPerpetualInUse = (id: MarketId) =>
      engineState.roster.isPerpetualInUse(bot, id) || roster.isPerpetualInUse(bot, id)
    engine.judge.receive(bot, alert, { ...context, isPerpetualInUse })
    const { sendings, steps } = engine.outbox.take()
    const outcome = steps.flatMap(({ outcomes }) => outcomes)[0]
    const reason = outcome?.reason
    const notes = steps.flatMap((step) => step.notes).filter(({ rule }) => rule !== "alert")
    return {
      strategy: strategy.id,
      name: strategy.settings.name,
      reason,
      text:
        outcome === undefined
          ? waiting(bot, alert.id)
          : wordsOf(outcome.reason, outcome.facts, strategy.settings.quote),
      steps: [...notes.map(({ text }) => text), ...sendings.map(orderWords)]
    }
  }
  return Effect.fnUntraced(function* (
    alert: Alert,
    strategies: ReadonlyArray<Strategy>,
    contextFor: ContextFor
  ) {
    const all: Array<Previewed> = []
    const roster = new Roster(new NeededMarkets())
    for (const strategy of strategies) {
      all.push(tried(alert, strategy, contextFor, roster))
      if (all.length % COMPANY === 0) yield* breathe
    }
    return all
  })
}

/** Strategies tried before the event loop gets a turn: there may be a thousand, and requests wait meanwhile. */
const COMPANY = 32

const waiting = (bot: BotEntry, id: AlertId): string => {
  if (ChartOrder.waitingIn(bot.record.state).includes(id))
    return "it waits up to 2 seconds for the chart's message that belongs before it"
  return hasInFlight(bot.record.state)
    ? "it waits until the order in flight is settled"
    : "it waits for a fresh price; an entry without one in time ends as no_price"
}

/** An order with its size, its price, their product and the fee. */
const orderWords = ({ ticket: { fees, order } }: OutgoingOrder): string => {
  const { pair, price, quantity, side, type } = order
  const notional = Decimal.multiply(quantity, Decimal.fromNumber(price))
  const fee = Decimal.multiply(notional, rateOf(order, fees))
  const quote = quoteOf(pair)
  const [sum, cost] = [notional, fee].map((it) => Number(Decimal.toNumber(it).toFixed(8)))
  return `Order: ${side} ${Decimal.toNumber(quantity)} ${baseOf(pair)} (${order.kind}) at ${type === "limit" ? "" : "about "}${price}, ${sum} ${quote} and a fee of ${cost} ${quote}.`
}
