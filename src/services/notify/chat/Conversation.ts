// What a bot says to an update. A stranger gets nothing but a bounded answer to a code; a paired person reads and stops
// things. What changes something has to be fresh: an old command is answered, and never carried out.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Pairing, Person } from "../../../domain/notify/Chat.ts"
import type { TargetId } from "../../../domain/Target.ts"
import { Events } from "../../Events.ts"
import type { Held } from "../../records/Overview.ts"
import { Chats } from "../Chats.ts"
import * as Acting from "./Acting.ts"
import type { Button, Reply } from "./BotApi.ts"
import { plain } from "./Figures.ts"
import * as Guesses from "./Guesses.ts"
import * as Notes from "./Notes.ts"
import * as Offers from "./Offers.ts"
import * as Reading from "./Reading.ts"
import { commandOf, type Message, type Press } from "./Update.ts"

/** How old a command that changes something may be (ms). */
export const FRESH_MS = 60_000

/** A bot as its conversation knows it, by the messenger's id and name. */
export interface Bot {
  readonly id: string
  readonly name: string
  readonly targets: ReadonlyArray<TargetId>
}

/**
 * The circumstances of an update. `now` is real time (ms). `isListening`: updates were asked for within `FRESH_MS`, so
 * that whatever comes now happened since.
 */
export interface Circumstances {
  readonly now: number
  readonly isListening: boolean
}

/** What an update leads to. `isStored`: it may have changed something, and must not be read again. */
export interface Answered {
  readonly reply: Reply | undefined
  readonly isStored: boolean
  /** The reply takes the place of the message whose button was pressed. */
  readonly isReplacing?: true
  /** To be done after the reply is sent. */
  readonly afterwards?: Effect.Effect<void>
}

const SILENCE: Answered = { reply: undefined, isStored: false }
const replied = (reply: Reply): Answered => ({ reply, isStored: true })

const TOO_OLD: Reply = {
  text: "That was too old to be carried out: nothing was changed. Send it again. (If this comes each time, the clock of the server is wrong.)"
}
const GONE: Reply = {
  text: "This button is used or too old: nothing was done. Ask again.",
  buttons: Reading.MENU
}
const HOW_TO_PAIR: Reply = {
  text: "To pair this chat, send /pair and the code that Signalbox shows under Settings, Notifications."
}
const NO_CODE: Reply = {
  text: "This code does not count: it was used, is older than ten minutes, or is another bot's. Ask Signalbox for a new one."
}

/** Makes the conversation of a bot. */
export const make = Effect.fnUntraced(function* (bot: Bot) {
  const chats = yield* Chats
  const reading = yield* Reading.make
  const changing = yield* changes(bot)

  const { pair, unpair } = yield* pairing(bot)

  /** A command of a paired person; none where there is no such command. */
  const obey = (pairing: Pairing, name: string, words: ReadonlyArray<string>, at: Moment) => {
    const [word = ""] = words
    const read = named(readBy(reading, changing, pairing, at.now), name)
    if (read !== undefined) return Effect.map(read(word), replied)
    const change = named(changing.byName(pairing), name)
    if (change === undefined) return undefined
    return at.isFresh ? Effect.map(change(word), replied) : Effect.succeed(replied(TOO_OLD))
  }

  const message = Effect.fnUntraced(function* (
    { at, isPrivate, person, text }: Message,
    { now }: Circumstances
  ) {
    const command = commandOf(text)
    if (command === undefined && !isPrivate) return SILENCE
    const { bot: addressed, name, words } = command ?? { name: "help", bot: undefined, words: [] }
    if (addressed !== undefined && addressed !== bot.name.toLowerCase()) return SILENCE
    const [word = ""] = words
    if (name === "pair" || (name === "start" && word !== "")) return yield* pair(person, words.join(""), now)
    const pairing = Option.getOrUndefined(yield* chats.find(bot.targets, person))
    if (pairing === undefined) return name === "start" ? yield* pair(person, "", now) : SILENCE
    if (name === "unpair") return unpair(pairing)
    const isFresh = Math.abs(now - at) <= FRESH_MS
    return (
      (yield* obey(pairing, name, words, { now, isFresh }) ?? Effect.succeed(undefined)) ??
      replied(Reading.HELP)
    )
  })

  const press = Effect.fnUntraced(function* (
    { data, id, person }: Press,
    { isListening, now }: Circumstances
  ) {
    const pairing = Option.getOrUndefined(yield* chats.find(bot.targets, person))
    if (pairing === undefined) return SILENCE
    if (data.startsWith(Offers.PREFIX))
      return { ...replied(yield* changing.offered(pairing, data, { id, now })), isReplacing: true as const }
    const [name = "", word = ""] = data.split(":")
    const pressed = obey(pairing, name, [word], { now, isFresh: isListening })
    return pressed === undefined ? replied(GONE) : yield* pressed
  })

  return { message, press }
})

/** Makes what pairs a chat by a code, which strangers may guess a few times, and what forgets it. */
const pairing = Effect.fnUntraced(function* (bot: Bot) {
  const chats = yield* Chats
  const events = yield* Events
  const guesses = Guesses.make()

  const announce = (pairing: Pairing, note: typeof Notes.paired) =>
    Effect.flatMap(Clock.currentTimeMillis, (at) => events.announce(note(pairing, at), pairing.account))

  const pair = Effect.fn("chat.pair")(function* (person: Person, code: string, now: number) {
    if (!guesses.allow(person.chat, now)) return SILENCE
    if (code === "") return { ...SILENCE, reply: HOW_TO_PAIR }
    const paired = yield* Effect.either(chats.redeem(bot.targets, code, person))
    if (paired._tag === "Left") return replied({ text: `${paired.left.message}.` })
    if (Option.isNone(paired.right)) return replied(NO_CODE)
    const pairing = paired.right.value
    yield* announce(pairing, Notes.paired)
    return replied({ text: `This chat is paired.\n${Reading.HELP.text}`, buttons: Reading.MENU })
  })

  const unpair = (pairing: Pairing): Answered => ({
    ...replied({ text: "This chat is forgotten: it reads and stops nothing any more." }),
    afterwards: chats.remove(pairing.account, pairing.id).pipe(
      Effect.zipRight(announce(pairing, Notes.unpaired)),
      Effect.catchTag("PairingNotFound", () => Effect.void)
    )
  })

  return { pair, unpair }
})

interface Moment {
  readonly now: number
  readonly isFresh: boolean
}

type Changes = Effect.Effect.Success<ReturnType<typeof changes>>
type Reads = Effect.Effect.Success<typeof Reading.make>
type ByName = Readonly<Record<string, (word: string) => Effect.Effect<Reply>>>

/** The command of a name that somebody typed: nothing that every object has is one. */
const named = (commands: ByName, name: string) => (Object.hasOwn(commands, name) ? commands[name] : undefined)

/** The commands that change nothing, late ones too. */
const readBy = (reading: Reads, changing: Changes, pairing: Pairing, now: number): ByName => ({
  status: () => reading.status(pairing),
  positions: () => reading.positions(pairing, changing.offer(pairing, now)),
  close: (word) => reading.positions(pairing, changing.offer(pairing, now), word),
  trades: () => reading.trades(pairing),
  why: (word) => reading.why(pairing, numberOf(word)),
  help: () => Effect.succeed(Reading.HELP),
  start: () => Effect.succeed(Reading.HELP)
})

const numberOf = (word: string): number | undefined => (/^\d{1,15}$/.test(word) ? Number(word) : undefined)

/** Makes the commands and buttons that change something. */
const changes = Effect.fnUntraced(function* (bot: Bot) {
  const { halt, resume } = yield* Acting.halting
  const { list, pause } = yield* Acting.pausing
  const { close, preview } = yield* Acting.closing
  const offers = Offers.make()

  const byName = (pairing: Pairing): ByName => ({
    halt: () => halt(pairing),
    resume: () => resume(pairing),
    pause: (word) => {
      const id = numberOf(word)
      return id === undefined ? list(pairing) : pause(pairing, id)
    }
  })

  /** The button that shows what closing a position comes to. */
  const offer =
    (pairing: Pairing, now: number) =>
    ({ holding: { market }, strategy }: Held): Button => ({
      label: `Close ${market.pair}, ${plain(strategy.settings.name, 30)}`,
      data: offers.make(
        pairing.id,
        {
          step: "preview",
          strategy: strategy.id,
          order: { ...market, act: { _tag: "Close", percent: 100 } }
        },
        now
      )
    })

  /** An offer that was pressed. A close has a key of its own, so that the press of one button closes once. */
  const offered = (
    pairing: Pairing,
    data: string,
    { id, now }: { readonly id: number; readonly now: number }
  ): Effect.Effect<Reply> => {
    const found = offers.take(pairing.id, data, now)
    if (found === undefined) return Effect.succeed(GONE)
    if (found.step === "close") return close(pairing, found, `chat ${bot.id} ${id}`)
    const closeNow = (): Button => ({
      label: "Close now",
      data: offers.make(pairing.id, { ...found, step: "close" }, now)
    })
    return preview(pairing, found, closeNow)
  }

  return { byName, offer, offered }
})
