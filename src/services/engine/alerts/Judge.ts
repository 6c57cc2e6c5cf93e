// Judges an alert for one bot: the bot answers it, or holds it until a price comes or an order ends.
import * as Option from "effect/Option"
import { type Alert, extrasOf, isEntry, type Reason } from "../../../domain/Alert.ts"
import { isPair, marketKey, type Pair } from "../../../domain/Market.ts"
import type { AlertPatience } from "../../../trading/AlertPatience.ts"
import { decide } from "../../../trading/Bot.ts"
import * as ChartOrder from "../../../trading/bot/ChartOrder.ts"
import { type BotAlert, type Context, type Decision, NOTHING } from "../../../trading/Decision.ts"
import { factsOf } from "../../../trading/ReasonFacts.ts"
import { oppositeOf, type Routed, route } from "../../../trading/Routing.ts"
import type { Adoption } from "../decide/Adoption.ts"
import type { Faults } from "../decide/Faults.ts"
import type { Outbox } from "../decide/Outbox.ts"
import type { OutcomeQuota } from "../decide/OutcomeQuota.ts"
import { type BotEntry, isAside } from "../Roster.ts"
import { type HeldAlert, pairText } from "./HeldAlerts.ts"
import { isPriced, isSuperfluous, isTurnTooMany, mustWait } from "./HoldRules.ts"

interface Parts {
  readonly adoption: Adoption
  readonly faults: Faults
  readonly quota: Pick<OutcomeQuota, "isSpent">
  readonly patience: AlertPatience
  readonly outbox: Pick<Outbox, "isSending">
}

const TOO_MANY = "too_many" as const

const remembered = (charts: ChartOrder.Charts): Decision => ({
  ...NOTHING,
  changes: [{ _tag: "Charts", charts }]
})

/** Judges alerts. */
export class Judge {
  readonly #parts: Parts
  /** In candles alerts wait for the next one, as in a back-test, and never for a price that does not come. */
  readonly #isInCandles: boolean

  constructor(parts: Parts) {
    this.#parts = parts
    this.#isInCandles = parts.patience.priceMs === Number.POSITIVE_INFINITY
  }

  /** Judges an alert for the first time; after a fault of ours, the bot holds the alert to judge it again. */
  receive(bot: BotEntry, alert: Alert, context: Context): void {
    const { faults } = this.#parts
    if (faults.attempt(bot, () => this.judge(bot, alert, context))) return
    faults.attempt(bot, () => this.hold(bot, alert, context))
    bot.isFaulty = true
  }

  /** Judges an alert; `held` is given for one that the bot holds already. */
  judge(bot: BotEntry, alert: Alert, context: Context, held?: HeldAlert): void {
    const { quota } = this.#parts
    if (isAside(bot)) return this.#shelve(bot, alert, context)
    if (!isClosing(bot, alert, context) && quota.isSpent(bot.strategy.account, context.now))
      return this.#answer(bot, { alert, reason: TOO_MANY }, context)
    const pair = pairText(alert)
    if (!isPair(pair)) return this.#answer(bot, { alert, reason: "pair_not_listed" }, context)
    if (this.#isOutOfOrder(bot, alert, context, held)) return
    this.#decide(bot, alert, context, { pair, held })
    this.#judgeNext(bot, alert, context)
  }

  #decide(
    bot: BotEntry,
    alert: Alert,
    context: Context,
    { held, pair }: { readonly pair: Pair; readonly held: HeldAlert | undefined }
  ): void {
    const { adoption, patience } = this.#parts
    const seen = seenByBot(bot, alert, pair)
    const routed = route(context, bot.record.state, seen, { patience, since: held?.since ?? context.now })
    if (routed._tag === "Waiting" || this.#mustHold(bot, alert, context, { routed, held }))
      return this.#wait(bot, alert, context, held)
    if (routed._tag === "Answered")
      return this.#answer(bot, { alert, reason: routed.reason }, context, { held })
    const entry = this.#isOverQuota(bot, alert, context)
      ? { ...routed.entry, refused: TOO_MANY }
      : routed.entry
    const event = { _tag: "Alert", alert: seen, market: routed.market, entry } as const
    const decision = decide(context, bot.record.state, event)
    if (decision.alert?._tag === "Answered")
      return this.#answer(bot, { alert, reason: decision.alert.reason }, context, { decision, held })
    adoption.adopt(bot, decision, context, {})
    if (isAside(bot)) return this.#shelve(bot, alert, context)
    this.#wait(bot, alert, context, held)
  }

  /** Whether an entry comes after the day's last outcome. One that turns still closes the other side. */
  #isOverQuota({ strategy }: BotEntry, { type }: Alert, { now }: Context): boolean {
    return isEntry(type) && this.#parts.quota.isSpent(strategy.account, now)
  }

  /** Whether a chart's message waits for the one that belongs before it; else its position is remembered. */
  #isOutOfOrder(bot: BotEntry, alert: Alert, context: Context, held: HeldAlert | undefined): boolean {
    if (alert.stated === undefined || this.#isInCandles) return false
    const isHeld = (id: number) => bot.held.get(id) !== undefined
    const message = { alert, since: held?.since }
    const { charts, waits } = ChartOrder.judge(bot.record.state, message, context.now, isHeld)
    const change = charts === undefined ? NOTHING : remembered(charts)
    if (waits && held === undefined) bot.held.add({ alert, since: context.now })
    if (waits && held === undefined) this.#parts.adoption.adopt(bot, change, context, { wait: alert })
    else if (charts !== undefined) this.#parts.adoption.adopt(bot, change, context, {})
    return waits
  }

  /** Judges the messages of the same chart that waited for this one; behind an order they wait for its report. */
  #judgeNext(bot: BotEntry, alert: Alert, context: Context): void {
    if (alert.stated === undefined || this.#isInCandles) return
    for (const id of ChartOrder.waitingIn(bot.record.state, ChartOrder.keyOf(alert))) {
      if (this.#parts.outbox.isSending(bot) || isAside(bot)) return
      const held = bot.held.get(id)
      if (held === undefined || !ChartOrder.isNext(bot.record.state, held.alert)) continue
      return this.judge(bot, held.alert, context, held)
    }
  }

  /** Adopts a decision from within a candle; `seen` is the alert that it answers. */
  walked(bot: BotEntry, decision: Decision, seen: BotAlert | undefined, context: Context): void {
    const { adoption } = this.#parts
    const held = seen === undefined ? undefined : bot.held.get(seen.id)
    if (held === undefined || decision.alert?._tag !== "Answered")
      return adoption.adopt(bot, decision, context, {})
    this.#answer(bot, { alert: held.alert, reason: decision.alert.reason }, context, { decision, held })
  }

  /** Answers an alert, with the numbers of the moment that decided. */
  #answer(
    bot: BotEntry,
    { alert, reason }: { readonly alert: Alert; readonly reason: Reason },
    context: Context,
    { decision = NOTHING, held }: { readonly decision?: Decision; readonly held?: HeldAlert | undefined } = {}
  ): void {
    const { adoption, patience } = this.#parts
    const pair = pairText(alert)
    const { state } = bot.record
    const since = held?.since ?? context.now
    const facts = isPair(pair)
      ? factsOf(reason, { context, state, alert: seenByBot(bot, alert, pair), patience, since })
      : {}
    const answered = Object.keys(facts).length === 0 ? { alert, reason } : { alert, reason, facts }
    adoption.answer(bot, answered, context, decision)
  }

  /** Lets the bot hold an alert that it does not hold yet. */
  hold(bot: BotEntry, alert: Alert, context: Context, held?: HeldAlert): void {
    if (held !== undefined) return
    bot.held.add({ alert, since: context.now })
    this.#parts.adoption.adopt(bot, NOTHING, context, { wait: alert })
  }

  /** Whether an alert that could be decided has to wait all the same. */
  #mustHold(
    bot: BotEntry,
    alert: Alert,
    context: Context,
    { held, routed }: { readonly routed: Routed; readonly held: HeldAlert | undefined }
  ): boolean {
    if (routed._tag === "Answered" && routed.reason !== "no_position") return false
    if (this.#isInCandles && !isPriced(bot, alert, context)) return true
    const slot = routed._tag === "Slot" ? bot.record.state.slots[marketKey(routed.market)] : undefined
    return slot?.position === undefined && mustWait(bot, alert, slot, held)
  }

  /** Holds an alert, unless it would be one too many. */
  #wait(bot: BotEntry, alert: Alert, context: Context, held: HeldAlert | undefined): void {
    const isTooMany = isEntry(alert.type)
      ? isClosing(bot, alert, context) && isTurnTooMany(bot, alert)
      : isSuperfluous(bot, alert)
    if (this.#isInCandles || !isTooMany) this.hold(bot, alert, context, held)
    else this.#parts.adoption.answer(bot, { alert, reason: "pending_exit" }, context)
  }

  /**
   * Handles an alert for a bot that is set aside: an entry is answered `set_aside`, since it would be too late
   * afterwards; one that closes something is held.
   */
  #shelve(bot: BotEntry, alert: Alert, context: Context): void {
    if (!isClosing(bot, alert, context))
      this.#parts.adoption.answer(bot, { alert, reason: "set_aside" }, context)
    else this.#wait(bot, alert, context, bot.held.get(alert.id))
  }
}

/** Whether an alert closes something: by its type, or as the first leg of a turn. */
const isClosing = (bot: BotEntry, alert: Alert, context: Context): boolean => {
  if (!isEntry(alert.type)) return true
  const pair = pairText(alert)
  return isPair(pair) && oppositeOf(context, bot.record.state, seenByBot(bot, alert, pair)) !== undefined
}

/** The alert as the pure core reads it. */
export const seenByBot = (
  { record, strategy }: Pick<BotEntry, "strategy" | "record">,
  alert: Alert,
  pair: BotAlert["pair"]
): BotAlert => ({
  id: alert.id,
  type: alert.type,
  pair,
  at: alert.receivedAt,
  ...Option.match(alert.tp, { onNone: () => ({}), onSome: (tp) => ({ tp }) }),
  ...Option.match(alert.sl, { onNone: () => ({}), onSome: (sl) => ({ sl }) }),
  ...extrasOf(alert),
  ...(alert.account === strategy.account ? {} : { foreign: true }),
  ...placed(ChartOrder.placeOf(record.state, alert))
})

const placed = (place: number | undefined) => (place === undefined ? {} : { place })
