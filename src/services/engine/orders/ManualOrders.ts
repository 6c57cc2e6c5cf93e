// Carries out the owner's own orders. One is decided and stored together with the response to its request, under the
// request's idempotency key, and only then sent: the same request again gets that response and acts no second time.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Fill } from "../../../domain/Fill.ts"
import { type MarketId, MarketKind, marketKey } from "../../../domain/Market.ts"
import type { OrderId } from "../../../domain/Order.ts"
import { type ManualOrder, type ManualOutcome, ManualRefused } from "../../../domain/position/ManualOrder.ts"
import { Violations, violation } from "../../../domain/requests/Violations.ts"
import type { Strategy } from "../../../domain/Strategy.ts"
import type { TimelineNote } from "../../../domain/Timeline.ts"
import { decide } from "../../../trading/Bot.ts"
import type { ManualAnswer } from "../../../trading/bot/ManualAnswer.ts"
import { wordsOf } from "../../../trading/bot/ManualWords.ts"
import { type Context, type Decision, NOTHING } from "../../../trading/Decision.ts"
import { Idempotency } from "../../Idempotency.ts"
import { Orders } from "../../money/Orders.ts"
import { StorageUnavailable } from "../../records/StorageUnavailable.ts"
import { stepOf } from "../decide/Steps.ts"
import type { EngineState } from "../EngineState.ts"
import * as BotSnapshots from "../prices/BotSnapshots.ts"
import { type BotEntry, isAside } from "../Roster.ts"
import type { ManualResult } from "./ManualForms.ts"
import * as ManualForms from "./ManualForms.ts"

/**
 * The form of the response, and the idempotency key and digest of the request, if it has a key. `note` goes to the
 * strategy's timeline with the order.
 */
export interface ManualRequest {
  readonly form: ManualForms.ManualForm
  readonly once?: { readonly key: string; readonly request: string } | undefined
  readonly note?: TimelineNote
}

/** A decision that was not refused. */
interface Decided {
  readonly market: MarketId
  readonly decision: Decision
  readonly answer: Exclude<ManualAnswer, { readonly _tag: "Refused" | "Unfit" }>
}

/** The newest orders among which an order by hand is looked for: besides it only stops are made. */
const NEWEST = 20

/** Makes both. Run each in a turn. */
export const make = Effect.fnUntraced(function* (engineState: EngineState) {
  const idempotency = yield* Idempotency
  const carriedOut = yield* acting(engineState)

  /** Decides on a copy, and fails where that is refused. */
  const tried = Effect.fnUntraced(function* (strategy: Strategy, order: ManualOrder) {
    const bot = engineState.copyOf(strategy)
    return previewOf(bot, yield* decidedBy(bot, order, yield* contextFor(engineState, bot, order)))
  })

  const give = Effect.fnUntraced(function* (strategy: Strategy, order: ManualOrder, request: ManualRequest) {
    const { once } = request
    const before =
      once === undefined ? Option.none() : yield* idempotency.find(strategy.account, once.key, once.request)
    if (Option.isSome(before)) return before.value
    const bot = Option.getOrUndefined(engineState.roster.get(strategy.id))
    if (bot !== undefined) return yield* carriedOut(bot, order, request)
    // A strategy without a bot holds nothing.
    yield* tried(strategy, order)
    return yield* Effect.dieMessage("an order by hand was decided for a strategy without a bot")
  })

  return { give, preview: tried }
})

/** Makes what decides, stores with a response that says what is decided, sends, and completes the response. */
const acting = Effect.fnUntraced(function* (engineState: EngineState) {
  const idempotency = yield* Idempotency
  const orders = yield* Orders
  const standings = BotSnapshots.make(engineState)
  const { engine, settle } = engineState
  const fillsOf = (strategy: Strategy, id: OrderId) =>
    Effect.map(
      orders.page(strategy.id, { limit: NEWEST }),
      (all) => all.find(({ order }) => order.id === id)?.fills ?? []
    )

  return Effect.fnUntraced(function* (
    bot: BotEntry,
    order: ManualOrder,
    { form, note, once }: ManualRequest
  ) {
    const { account } = bot.strategy
    const answer = (result: ManualResult) =>
      Effect.map(standings([bot.strategy]), (all) =>
        ManualForms.written(form, { strategy: bot.strategy, result, standing: all.get(bot.strategy.id) })
      )
    const context = yield* contextFor(engineState, bot, order)
    const decided = yield* decidedBy(bot, order, context)
    const adopted = Effect.gen(function* () {
      const isAdopted = engine.faults.attempt(bot, () =>
        engine.adoption.adopt(bot, decided.decision, context, {})
      )
      if (!isAdopted || (once === undefined && note === undefined)) return isAdopted
      const also = {
        ...(once === undefined
          ? {}
          : { response: { ...once, answer: yield* answer(resultOf(bot, decided, [])) } }),
        ...(note === undefined ? {} : { note })
      }
      // In the same commit: nothing is stored between the two steps, and no interruption parts them.
      engine.outbox.push(stepOf(bot, NOTHING, context.now, { unchanged: true, ...also }))
      return true
    })
    if (!(yield* Effect.uninterruptible(adopted)))
      return yield* Effect.zipRight(settle(), Effect.dieMessage(FAULT))
    const { step } = bot.record
    yield* settle()
    if (bot.record.step < step) return yield* Effect.die(new StorageUnavailable({ reason: FAULT }))
    const id = orderOf(decided)
    const fills = id === undefined ? [] : yield* fillsOf(bot.strategy, id)
    const given = yield* answer(resultOf(bot, decided, fills))
    if (once !== undefined) yield* idempotency.amend(account, { ...once, answer: given })
    return given
  })
})

const FAULT = "the bot could not carry out an order by hand"

/**
 * The prices that a person's order may use: fresh quotes, and the last candle's close in a replay. A market order at an
 * exchange fills at the exchange's price: an old one is enough to get out with real money.
 */
const contextFor = (engineState: EngineState, bot: BotEntry, { act }: ManualOrder) => {
  const { marks, presentBy, presentOrClosed } = engineState
  const isUrgent = act._tag === "Close" && bot.record.state.live !== undefined
  const builder = isUrgent ? presentBy((id, now) => marks.fresh(id, now) ?? marks.last(id)) : presentOrClosed
  return Effect.map(builder, (contextOf) => contextOf(bot))
}

const SET_ASIDE =
  "the bot is set aside and gets no events: save the strategy's settings once more, even unchanged ones, and it is back"

/** The decision, unless it is refused. */
const decidedBy = Effect.fnUntraced(function* (bot: BotEntry, order: ManualOrder, context: Context) {
  if (isAside(bot)) return yield* new ManualRefused({ reason: "set_aside", detail: SET_ASIDE })
  const market = yield* marketOf(bot, order)
  const decision = decide(context, bot.record.state, { _tag: "Manual", market, act: order.act })
  const { manual: answer } = decision
  if (answer === undefined)
    return yield* new ManualRefused({ reason: "busy", detail: "the bot decides too much at once: try again" })
  if (answer._tag === "Refused") return yield* new ManualRefused(answer)
  if (answer._tag === "Unfit") {
    const { sl, tp } = answer
    return yield* Violations.of([
      ...(tp === undefined ? [] : [violation("tp", tp)]),
      ...(sl === undefined ? [] : [violation("sl", sl)])
    ])
  }
  return { market, decision, answer } satisfies Decided
})

/** The market of an order: without a kind the one that is in use, or spot where neither is. */
const marketOf = ({ record }: BotEntry, { exchange, kind, pair }: ManualOrder) => {
  if (kind !== undefined) return Effect.succeed({ exchange, pair, kind })
  const used = MarketKind.literals.filter(
    (one) => record.state.slots[marketKey({ exchange, pair, kind: one })] !== undefined
  )
  return used.length > 1
    ? Effect.fail(
        Violations.of([violation("kind", "must be spot or swap: both markets of the pair are in use")])
      )
    : Effect.succeed({ exchange, pair, kind: used[0] ?? "spot" })
}

const orderOf = ({ answer, decision, market }: Decided): OrderId | undefined =>
  answer._tag === "Cancelling"
    ? answer.order
    : answer._tag === "Closing"
      ? decision.orders.find(
          (order) => order.exitReason === "manual" && marketKey(order) === marketKey(market)
        )?.id
      : undefined

/** What has come of a decision by now. */
const outcomeOf = ({ record }: BotEntry, { answer, market }: Decided, isFilled: boolean): ManualOutcome => {
  switch (answer._tag) {
    case "Closing": {
      if (answer.isWaiting) return "waiting"
      const slot = record.state.slots[marketKey(market)]
      if (!isFilled || slot?.order !== undefined) return "ordered"
      return slot?.position === undefined ? "closed" : "reduced"
    }
    case "EntryCancelled":
      return "entry_cancelled"
    case "Cancelling":
      return "cancelling"
    case "Retargeted":
      return "targets_updated"
  }
}

const resultOf = (bot: BotEntry, decided: Decided, fills: ReadonlyArray<Fill>): ManualResult => {
  const { answer, market } = decided
  const outcome = outcomeOf(bot, decided, fills.length > 0)
  const { live } = bot.record.state
  const plan = answer._tag === "Closing" ? answer.plan : undefined
  return {
    market,
    isPreview: false,
    outcome,
    text: wordsOf(answer, market, outcome),
    isLive: live !== undefined,
    order: orderOf(decided),
    plan,
    fills
  }
}

/** What a decision on a copy would lead to. On paper an order fills at once. */
const previewOf = (bot: BotEntry, decided: Decided): ManualResult => {
  const { answer, market } = decided
  const { live } = bot.record.state
  const plan = answer._tag === "Closing" ? answer.plan : undefined
  const onPaper = plan === undefined || live !== undefined ? undefined : plan.closesAll ? "closed" : "reduced"
  return {
    market,
    isPreview: true,
    outcome: onPaper ?? outcomeOf(bot, decided, false),
    text: wordsOf(answer, market, undefined),
    isLive: live !== undefined,
    order: answer._tag === "Cancelling" ? answer.order : undefined,
    plan,
    fills: []
  }
}
