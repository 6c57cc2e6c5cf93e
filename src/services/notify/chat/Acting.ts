// What a chat may change: stop entries, switch a strategy off, close a position. All of it takes risk away, and doing
// it twice is doing it once. The one way back is `resume`, which undoes only what the same chat did the same day.
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Pairing } from "../../../domain/notify/Chat.ts"
import type { Strategy } from "../../../domain/Strategy.ts"
import type { StrategyId } from "../../../domain/StrategyId.ts"
import { Bots } from "../../Bots.ts"
import { Events } from "../../Events.ts"
import * as ManualForms from "../../engine/orders/ManualForms.ts"
import * as Halting from "../../money/Halting.ts"
import { bindingOn, Halts } from "../../money/Halts.ts"
import { dayOf } from "../../records/Results.ts"
import { Strategies } from "../../Strategies.ts"
import { StrategyStore } from "../../StrategyStore.ts"
import type { Button, Reply } from "./BotApi.ts"
import { moment, plain } from "./Figures.ts"
import * as Notes from "./Notes.ts"
import type { Offer } from "./Offers.ts"

/** The most strategies that are offered to be switched off. */
const MOST_STRATEGIES = 20
/** How long an order by hand may take; what was decided goes on all the same. */
const PATIENCE = "30 seconds"

const ELSEWHERE = "End it in the dashboard, or with signalbox resume"
const RESUME: Button = { label: "Resume", data: "resume" }

/** The text of a halt by this chat, by which the chat knows its own. */
const causeOf = (pairing: Pairing): string => `by ${Notes.titleOf(pairing)}`

/** Makes the changes of halts. */
export const halting = Effect.gen(function* () {
  const halts = yield* Halts
  const events = yield* Events
  const hasLostTooMuch = yield* losing
  const provided = <A, E>(self: Effect.Effect<A, E, Halts | Events>) =>
    self.pipe(Effect.provideService(Halts, halts), Effect.provideService(Events, events))

  const halt = Effect.fn("chat.halt")(function* (pairing: Pairing) {
    const before = bindingOn(yield* halts.all, pairing.account)
    const { at, text } = yield* provided(Halting.halt(Option.some(pairing.account), "chat", causeOf(pairing)))
    const already = Option.getOrUndefined(before)
    return already === undefined
      ? ({
          text: "Entries are halted: no strategy of yours opens or adds to a position. Exits go on.",
          buttons: [[RESUME]]
        } satisfies Reply)
      : ({
          text: `Entries were halted already since ${moment(Math.min(at, already.at))}: ${plain(text, 200)}. Exits go on.`
        } satisfies Reply)
  })

  const resume = Effect.fn("chat.resume")(function* (pairing: Pairing) {
    const all = yield* halts.all
    const own = all.find(({ account }) => Option.contains(account, pairing.account))
    const now = yield* Clock.currentTimeMillis
    if (own === undefined) {
      const binding = Option.getOrUndefined(bindingOn(all, pairing.account))
      return {
        text:
          binding === undefined
            ? "Entries are not halted."
            : `Entries are halted for everybody. ${ELSEWHERE}.`
      } satisfies Reply
    }
    if (own.cause !== "chat" || own.text !== causeOf(pairing))
      return {
        text: `This chat did not begin the halt: ${plain(own.text, 200)}. ${ELSEWHERE}.`
      } satisfies Reply
    if (dayOf(own.at) !== dayOf(now))
      return { text: `The halt began on another day, UTC. ${ELSEWHERE}.` } satisfies Reply
    if (yield* hasLostTooMuch(pairing))
      return {
        text: `A strategy has lost as much today as it may, which halts entries too. ${ELSEWHERE}.`
      } satisfies Reply
    yield* provided(Halting.resume(own.account))
    const left = Option.isSome(bindingOn(yield* halts.all, pairing.account))
    return {
      text: left ? `This chat's halt has ended, but everybody is halted. ${ELSEWHERE}.` : "Entries go on."
    } satisfies Reply
  })

  return { halt, resume }
})

/** Makes the question whether a strategy of the account has lost as much today as it may: a halt may stand for that too. */
const losing = Effect.gen(function* () {
  const bots = yield* Bots
  const store = yield* StrategyStore
  return Effect.fnUntraced(function* ({ account }: Pairing) {
    const all = yield* store.followed(account)
    const standings = yield* bots.standings(all.map(({ strategy }) => strategy))
    return [...standings.values()].some(({ live }) => live?.day?.tripped === true)
  })
})

/** Makes what switches a strategy off. */
export const pausing = Effect.gen(function* () {
  const strategies = yield* Strategies
  const store = yield* StrategyStore

  const list = Effect.fn("chat.pauses")(function* ({ account }: Pairing) {
    const all = yield* store.followed(account)
    const on = all.map(({ strategy }) => strategy).filter(({ settings }) => settings.active)
    if (on.length === 0) return { text: "No strategy is on." } satisfies Reply
    const shown = on.slice(0, MOST_STRATEGIES)
    const rest = on.length > shown.length ? ` ${on.length - shown.length} more: /pause and its number.` : ""
    return {
      text: `Which strategy is to be switched off? It opens nothing and adds to nothing from then on; exits go on. Only the dashboard or a terminal switches it on again.${rest}`,
      buttons: shown.map((strategy) => [
        { label: `Pause ${titleOf(strategy)}`, data: `pause:${strategy.id}` }
      ])
    } satisfies Reply
  })

  const pause = (pairing: Pairing, id: number): Effect.Effect<Reply> =>
    Effect.gen(function* () {
      const strategy = yield* store.get(pairing.account, id)
      if (!strategy.settings.active) return { text: `${titleOf(strategy)} is off already.` }
      const note = Notes.ordered(pairing, yield* Clock.currentTimeMillis)
      yield* strategies.put(pairing.account, id, { active: false }, note)
      return { text: `${titleOf(strategy)} is off: no entries. Exits go on.` }
    }).pipe(Effect.catchAll(({ message }) => Effect.succeed({ text: `Nothing was changed: ${message}.` })))

  return { list, pause }
})

/** Makes what closes a position: first its preview, then the order by hand, under a key of its own. */
export const closing = Effect.gen(function* () {
  const bots = yield* Bots
  const store = yield* StrategyStore
  const found = (pairing: Pairing, strategy: StrategyId) => store.get(pairing.account, strategy)
  const refused = ({ message }: { readonly message: string }) =>
    Effect.succeed({ text: `Nothing was ordered: ${message}.` } satisfies Reply)

  const preview = (
    pairing: Pairing,
    { order, strategy }: Offer,
    button: () => Button
  ): Effect.Effect<Reply> =>
    Effect.gen(function* () {
      const own = yield* found(pairing, strategy)
      const { isLive, text } = yield* bots.previewByHand(own, order)
      return {
        text: `${titleOf(own)}${isLive ? ", with real money" : ", on paper"}: ${text}\nThe button counts for a minute.`,
        buttons: [[button()]]
      }
    }).pipe(Effect.catchAll(refused))

  const close = (pairing: Pairing, { order, strategy }: Offer, key: string): Effect.Effect<Reply> =>
    Effect.gen(function* () {
      const own = yield* found(pairing, strategy)
      const note = Notes.ordered(pairing, yield* Clock.currentTimeMillis)
      const { body } = yield* bots.byHand(own, order, {
        form: ManualForms.text,
        once: { key, request: key },
        note
      })
      return { text: `${titleOf(own)}: ${body}` }
    }).pipe(
      Effect.catchAll(refused),
      Effect.disconnect,
      Effect.timeoutTo({
        duration: Duration.decode(PATIENCE),
        onTimeout: () => ({ text: "There is no answer yet. See /positions before you ask again." }),
        onSuccess: (reply) => reply
      })
    )

  return { preview, close }
})

const titleOf = ({ id, settings }: Strategy): string => `${plain(settings.name)} (${id})`
