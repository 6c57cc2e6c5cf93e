// The engine's core: it turns events into steps, synchronously and without effects. One turn of the engine:
// 1. Decide: an alert, a price, a deadline or a report changes a bot in memory, and the change becomes a `Step`.
// 2. Store: `EngineState.settle` takes the steps and commits them together with the journal's cursors.
// 3. Send: only then does `OrderSender` send the stored orders: cancellations, then exits, then the rest.
// 4. Hear: reports come back as events of the same bots, and the turn continues at 1 until nothing is left.
import * as Option from "effect/Option"
import { type Alert, isEntry, type Reason } from "../../domain/Alert.ts"
import type { BotState, StartingBalances } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { isPair, marketKey } from "../../domain/Market.ts"
import type { Order } from "../../domain/Order.ts"
import { onPaper, paperNote } from "../../trading/Arming.ts"
import { apply, decide, isFlat, watch } from "../../trading/Bot.ts"
import { opening } from "../../trading/books/Ledger.ts"
import { type BotAlert, type Context, type Decision, type Event, NOTHING } from "../../trading/Decision.ts"
import type { Note } from "../../trading/Notes.ts"
import type { Patience } from "../../trading/Patience.ts"
import { route } from "../../trading/Routing.ts"
import type { Performance } from "../Performance.ts"
import type { Step } from "../Portfolio.ts"
import { heldAlertRetry } from "./alerts/HeldAlertRetry.ts"
import { isPriced, isSuperfluous, mustWait } from "./alerts/HoldRules.ts"
import { type HeldAlert, nextDeadline, pairText } from "./HeldAlerts.ts"
import type { OutcomeQuota } from "./OutcomeQuota.ts"
import type { Orders } from "./orders/Orders.ts"
import type { OutgoingOrder } from "./orders/OutgoingOrder.ts"
import { reporting } from "./orders/Reporting.ts"
import { type BotEntry, isAside, type Roster } from "./Roster.ts"
import * as SetAside from "./SetAside.ts"
import { type Also, stepOf } from "./Steps.ts"

/** An event that a bot could not decide: a fault of ours. */
export interface Fault {
  readonly bot: BotEntry
  readonly cause: unknown
}

/** Everything to store, and only then to send, before the next event of the same bots. */
export interface Yielded {
  readonly steps: ReadonlyArray<Step>
  readonly sendings: ReadonlyArray<OutgoingOrder>
  /** Resting orders to cancel. */
  readonly cancels: ReadonlyArray<OutgoingOrder<Order>>
  readonly faults: ReadonlyArray<Fault>
  /** Bots whose event led to too many decisions: they are set aside. */
  readonly setAside: ReadonlyArray<BotEntry>
}

/** The most bots that one call of `save` stores because their trails moved. */
const MAX_SAVED = 128

/** Steps at which a commit is due, so that other writers get their turn. */
const MAX_STEPS = 100

/** Makes an engine. A bot in the roster is always in the state that it will have once its steps are stored. */
export const make = (
  roster: Roster,
  orders: Orders,
  performance: typeof Performance.Service,
  patience: Patience,
  paper: StartingBalances,
  quota: Pick<OutcomeQuota, "isSpent" | "add">,
  /** Called for a bot that has more held alerts to judge than one call may. */
  again: (bot: BotEntry) => void
) => {
  /** In candles alerts wait for the next one, as in a back-test, and never for a price that does not come. */
  const isInCandles = patience.priceMs === Number.POSITIVE_INFINITY
  let steps: Array<Step> = []
  let sendings: Array<OutgoingOrder> = []
  let senders = new Set<BotEntry>()
  let cancels: Array<OutgoingOrder<Order>> = []
  let faults: Array<Fault> = []

  const take = (): Yielded => {
    const yielded = { steps, sendings, cancels, faults, setAside: aside.take() }
    ;[steps, sendings, cancels, faults] = [[], [], [], []]
    senders = new Set()
    return yielded
  }

  /** Acts on a bot; false where that threw. A fault in one bot must not stop the others. */
  const safely = (bot: BotEntry, act: () => void): boolean => {
    try {
      roster.bringUp(bot)
      act()
      bot.ailing = false
      return true
    } catch (cause) {
      if (!bot.ailing) faults.push({ bot, cause })
      bot.ailing = true
      return false
    }
  }

  /** Makes the decision the bot's new state and queues a step of it; a decision that changes nothing queues none. */
  const adopt = (bot: BotEntry, decision: Decision, context: Context, also: Also): void => {
    if (decision.overrun === true) return aside.put(bot, context)
    const { record } = bot
    const { notes, postings, trades } = decision
    const state = apply(record.state, decision)
    const isTrace = notes.length + decision.orders.length + postings.length + trades.length > 0
    if (isTrace || also.alert !== undefined || also.wait !== undefined || also.status !== undefined) {
      const tally = trades.reduce(performance.add, record.tally)
      const isUnchanged = state === record.state && tally === record.tally && !bot.moved
      if (!isUnchanged) bot.record = { strategy: record.strategy, state, tally, step: record.step + 1 }
      bot.moved = false
      if (also.alert !== undefined) {
        bot.held.drop(also.alert.alert.id)
        quota.add(bot.strategy.account, context.now)
      }
      steps.push(stepOf(bot, decision, context.now, isUnchanged ? { ...also, unchanged: true } : also))
      const ticket = <O extends Order>(order: O) => ({ order, fees: context.fees(order), at: context.now })
      for (const order of decision.orders) sendings.push({ bot, ticket: ticket(order) })
      if (decision.orders.length > 0) senders.add(bot)
      for (const order of decision.cancels) cancels.push({ bot, ticket: ticket(order) })
      if (decision.trip !== undefined) roster.halt(bot.strategy.account)
      backToPaper(bot, context)
      roster.reindex(bot)
    } else if (state !== record.state) {
      bot.record = { ...record, state }
      bot.moved = true
    }
    look(bot, context)
  }

  /** Puts a disarmed bot back on paper once it is flat. */
  const backToPaper = (bot: BotEntry, { now }: Context): void => {
    const { state } = bot.record
    if (state.live?.leaving !== true || !isFlat(state)) return
    const { quote } = bot.strategy.settings
    const begun = onPaper(state, paper[quote], quote)
    begin(bot, begun, now, paperNote(begun, now))
  }

  /** Starts a new performance period for a flat bot, with the starting balance of this state. */
  const begin = (bot: BotEntry, state: BotState, now: number, ...notes: ReadonlyArray<Note>): void => {
    const left = bot.record.state.cash
    bot.record = { ...bot.record, state, tally: performance.begin(state.startingBalance, now) }
    open(bot, now, left, notes)
  }

  /** Notes which prices and deadlines can change the next decision. A deadline that passed unseen stays due. */
  const look = (bot: BotEntry, context: Context): void => {
    if (isAside(bot)) return aside.rest(bot)
    if (bot.wakesAt <= context.now) bot.overdue = true
    roster.watch(bot, watch(context, bot.record.state))
    let wakesAt = Number.POSITIVE_INFINITY
    // A slot without a price waits for a price, not for a deadline.
    for (const { at } of bot.windows.values()) if (at > 0 && at < wakesAt) wakesAt = at
    bot.wakesAt = bot.overdue ? 0 : Math.min(wakesAt, nextDeadline(bot.held, patience, context.now))
  }

  /** Gives a bot an event that is not an alert. A bot that is set aside gets none. */
  const tell = (bot: BotEntry, event: Event, context: Context, also: Also = {}): void => {
    if (!isAside(bot)) adopt(bot, decide(context, bot.record.state, event), context, also)
  }

  /** Adopts a decision from within a candle; `seen` is the alert that it answers. */
  const walked = (bot: BotEntry, decision: Decision, seen: BotAlert | undefined, context: Context): void => {
    const held = seen === undefined ? undefined : bot.held.get(seen.id)
    if (held === undefined || decision.alert?._tag !== "Answered") return adopt(bot, decision, context, {})
    answer(bot, held.alert, decision.alert.reason, decision, context)
  }

  /** Posts a new period's deposit, after a withdrawal of what the previous period left. */
  const open = (
    bot: BotEntry,
    now: number,
    left: Decimal.Decimal = Decimal.zero,
    notes: ReadonlyArray<Note> = []
  ): void => {
    const deposits = [Decimal.negate(left), bot.record.state.startingBalance].filter(
      (sum) => !Decimal.isZero(sum)
    )
    const postings = deposits.map((sum) => opening(sum, now))
    bot.record = { ...bot.record, step: bot.record.step + 1 }
    steps.push(stepOf(bot, { ...NOTHING, postings, notes }, now, {}))
  }

  /** Judges an alert: the bot answers it, or holds it until a price comes or an order ends. */
  const judge = (bot: BotEntry, alert: Alert, context: Context, held?: HeldAlert): void => {
    if (isAside(bot)) return aside.shelve(bot, alert, context)
    if (isEntry(alert.type) && quota.isSpent(bot.strategy.account, context.now))
      return answer(bot, alert, "too_many", NOTHING, context)
    const pair = pairText(alert)
    if (!isPair(pair)) return answer(bot, alert, "pair_not_listed", NOTHING, context)
    const botAlert = seenByBot(alert, pair)
    const routed = route(context, bot.record.state, botAlert, {
      ...patience,
      since: held?.since ?? context.now
    })
    const isFinal = routed._tag === "Answered" && routed.reason !== "no_position"
    if (routed._tag === "Waiting" || (!isFinal && isInCandles && !isPriced(bot, alert, context)))
      return wait(bot, alert, context, held)
    const slot = routed._tag === "Slot" ? bot.record.state.slots[marketKey(routed.market)] : undefined
    if (!isFinal && slot?.position === undefined && mustWait(bot, alert, slot, held))
      return wait(bot, alert, context, held)
    if (routed._tag === "Answered") return answer(bot, alert, routed.reason, NOTHING, context)
    const decision = decide(context, bot.record.state, {
      _tag: "Alert",
      alert: botAlert,
      market: routed.market
    })
    if (decision.alert?._tag === "Answered")
      return answer(bot, alert, decision.alert.reason, decision, context)
    adopt(bot, decision, context, {})
    if (isAside(bot)) return aside.shelve(bot, alert, context)
    wait(bot, alert, context, held)
  }

  /** Holds an alert, unless it would be one too many. */
  const wait = (bot: BotEntry, alert: Alert, context: Context, held: HeldAlert | undefined): void =>
    isInCandles || !isSuperfluous(bot, alert)
      ? hold(bot, alert, context, held)
      : answer(bot, alert, "pending_exit", NOTHING, context)

  const answer = (bot: BotEntry, alert: Alert, reason: Reason, decision: Decision, context: Context): void =>
    adopt(bot, decision, context, { alert: { alert, reason } })

  const hold = (bot: BotEntry, alert: Alert, context: Context, held: HeldAlert | undefined): void => {
    if (held !== undefined) return
    bot.held.add({ alert, since: context.now })
    adopt(bot, NOTHING, context, { wait: alert })
  }

  /** Judges an alert for the first time; after a fault of ours, the bot holds the alert to judge it again. */
  const receive = (bot: BotEntry, alert: Alert, context: Context): void => {
    if (safely(bot, () => judge(bot, alert, context))) return
    safely(bot, () => hold(bot, alert, context, undefined))
    bot.ailing = true
  }

  const aside = SetAside.make({ roster, push: (step) => void steps.push(step), answer, hold: wait })
  const report = reporting(tell, orders)

  /** Stores bots whose trails have moved, at most `MAX_SAVED` a call; true when none is left. */
  const save = (now: number): boolean => {
    let left = MAX_SAVED
    for (const bot of roster.all()) {
      roster.bringUp(bot)
      if (!bot.moved) continue
      if (left-- === 0) return false
      bot.moved = false
      bot.record = { ...bot.record, step: bot.record.step + 1 }
      steps.push(stepOf(bot, NOTHING, now, {}))
    }
    return true
  }

  /** Whether an order of this bot waits to be sent. */
  const isSending = (bot: BotEntry): boolean => senders.has(bot)

  const { dismiss, expire, resume, retry } = heldAlertRetry(judge, answer, look, isSending, again, patience)

  /** Whether an order waits to be sent of a bot that a price of this market may concern. */
  const isAwaitedAt = (key: string): boolean =>
    senders.size > 0 && [...senders].some((bot) => bot.windows.has(key) || bot.held.size > 0)

  /** Whether there are as many steps as one commit should hold. */
  const isFull = (): boolean => steps.length >= MAX_STEPS

  const isIdle = (): boolean => steps.length === 0 && faults.length === 0

  return {
    take,
    isFull,
    isIdle,
    safely,
    isSending,
    isAwaitedAt,
    tell,
    look,
    walked,
    open,
    receive,
    retry,
    resume,
    expire,
    report,
    dismiss,
    setAside: aside.put,
    readmit: aside.readmit,
    begin,
    goHome: backToPaper,
    hold: (bot: BotEntry, alert: Alert, context: Context) => hold(bot, alert, context, undefined),
    save
  }
}

export type Engine = ReturnType<typeof make>

/** The alert as the pure core reads it. */
export const seenByBot = (alert: Alert, pair: BotAlert["pair"]): BotAlert => ({
  id: alert.id,
  type: alert.type,
  pair,
  at: alert.receivedAt,
  ...Option.match(alert.tp, { onNone: () => ({}), onSome: (tp) => ({ tp }) }),
  ...Option.match(alert.sl, { onNone: () => ({}), onSome: (sl) => ({ sl }) })
})
