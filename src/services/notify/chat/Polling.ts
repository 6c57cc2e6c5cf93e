// Asks Telegram for one bot's updates, one long request after another, and carries them out in their sequence. Any fault
// of the network makes a pause that grows; the owners are told once of what only they can mend.
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type { AccountId } from "../../../domain/Account.ts"
import type { Cursor } from "../../../domain/notify/Chat.ts"
import { Events } from "../../Events.ts"
import { inRealTime } from "../../internal/RealTime.ts"
import { toTheEnd } from "../../internal/ToTheEnd.ts"
import { Chats } from "../Chats.ts"
import { Outbound } from "../Outbound.ts"
import * as BotApi from "./BotApi.ts"
import * as Conversation from "./Conversation.ts"
import { read, type Update } from "./Update.ts"

/** A bot to listen to. `accounts` own its targets. */
export interface Listened extends Pick<Conversation.Bot, "targets"> {
  readonly token: Redacted.Redacted
  readonly accounts: ReadonlyArray<AccountId>
}

/** Updates of one response. */
const MOST_UPDATES = 10
/** After this long without an update (ms) Telegram may number them anew, and the cursor counts no more. */
const CURSOR_MS = 6 * 86_400_000
/** The first and the longest pause after a failed request. */
const FIRST_PAUSE = "1 second"
const MOST_PAUSE = "1 minute"
/** The pause while the token is not valid (ms): it may have been a mistake of Telegram's. */
const REVOKED_PAUSE_MS = 3_600_000
/** How often in a row another reader is met before the owners hear of it: one of our own may just have ended. */
const TIMES_BEFORE_TELLING = 3
/** The longest wait before a reply is sent once more (ms). */
const MOST_RETRY_MS = 30_000

/** One second, doubled up to a minute, plus or minus a fifth. */
const PAUSES = Schedule.exponential(FIRST_PAUSE).pipe(
  Schedule.union(Schedule.spaced(MOST_PAUSE)),
  Schedule.jittered
)

/** Repeats a call until it works, in real time. */
const retried = <A, R>(call: Effect.Effect<A, BotApi.BotFault, R>): Effect.Effect<A, never, R> =>
  call.pipe(Effect.retry(PAUSES), Effect.orDie, inRealTime)

const realNow = inRealTime(Clock.currentTimeMillis)

/** What only the owner can mend, in words; others mend themselves. */
const MENDING: Partial<Readonly<Record<BotApi.FaultKind, string>>> = {
  revoked:
    "commands from a chat are not heard: Telegram does not know the bot's token any more. Add the notification again with the token that BotFather shows",
  conflict:
    "commands from a chat are not heard: another program reads the messages of the same bot. End that program, or give Signalbox a bot of its own",
  webhook:
    "commands from a chat are not heard: the messages of the bot are sent to an address of another program. Give Signalbox a bot of its own"
}

/** Listens until it is interrupted. */
export const listen = Effect.fn("chat.listen")(function* (
  { accounts, targets, token }: Listened,
  url: string
) {
  const chats = yield* Chats
  const [id = ""] = Redacted.value(token).split(":")
  const api = BotApi.make(yield* Outbound, url, token)
  const faults = yield* faultsOf(accounts, id, api)
  const name = yield* api.name.pipe(Effect.tapError(faults.met), retried)
  const talk = yield* talking(api, { id, name, targets })

  let cursor = yield* Effect.flatMap(realNow, (now) => Effect.map(chats.cursor(id), stillCounts(now)))
  let limit = MOST_UPDATES
  let askedAt = Number.NEGATIVE_INFINITY

  const ask = Effect.suspend(() => api.updates(cursor?.update, limit)).pipe(
    Effect.tapError((fault) =>
      Effect.flatMap(realNow, (now) => {
        // One that cannot be read among many is looked for alone, and then passed over.
        if (fault.kind === "unreadable" && limit > 1) limit = 1
        else if (fault.past !== undefined && fault.past > (cursor?.update ?? Number.NEGATIVE_INFINITY))
          cursor = { update: fault.past, at: now }
        return faults.met(fault)
      })
    ),
    retried
  )

  const round = Effect.gen(function* () {
    const raw = yield* ask
    yield* faults.over
    const now = yield* realNow
    const isListening = now - askedAt <= Conversation.FRESH_MS
    for (const update of inSequence(raw, cursor)) {
      const next = { update: update.id, at: now }
      yield* toTheEnd(Effect.tap(talk(update, next, isListening), () => Effect.sync(() => (cursor = next))))
    }
    askedAt = yield* realNow
    limit = MOST_UPDATES
    cursor = stillCounts(askedAt)(Option.fromNullable(cursor))
  })
  // Whoever listens next goes on behind what was answered here.
  const left = Effect.suspend(() => (cursor === undefined ? Effect.void : chats.advance(id, cursor)))
  return yield* Effect.onInterrupt(Effect.forever(round), () => Effect.ignore(Effect.sandbox(left)))
})

/** The updates that were not seen yet, by id, each once. */
export const inSequence = (
  raw: ReadonlyArray<unknown>,
  cursor: Cursor | undefined
): ReadonlyArray<Update> => {
  const unseen = new Map<number, Update>()
  for (const one of raw.slice(0, MOST_UPDATES)) {
    const update = read(one)
    if (
      update !== undefined &&
      update.id > (cursor?.update ?? Number.NEGATIVE_INFINITY) &&
      !unseen.has(update.id)
    )
      unseen.set(update.id, update)
  }
  return [...unseen.values()].sort((one, other) => one.id - other.id)
}

/** A cursor of long ago may lie beyond the numbers that Telegram gives now. */
const stillCounts = (now: number) => (cursor: Option.Option<Cursor>) =>
  Option.getOrUndefined(Option.filter(cursor, ({ at }) => now - at < CURSOR_MS))

/**
 * Makes what carries out an update: first what it asks for, which is the same however often it is done; then the cursor
 * is stored; then the reply is sent. A crash in between repeats a harmless change, or loses a reply.
 */
const talking = Effect.fnUntraced(function* (api: BotApi.BotApi, bot: Conversation.Bot) {
  const chats = yield* Chats
  const conversation = yield* Conversation.make(bot)

  const answered = (update: Update, circumstances: Conversation.Circumstances) => {
    switch (update._tag) {
      case "Message":
        return conversation.message(update, circumstances)
      case "Press":
        return conversation.press(update, circumstances)
      case "Other":
        return Effect.succeed(undefined)
    }
  }

  const deliver = (update: Update, reply: BotApi.Reply, isReplacing: boolean) => {
    if (update._tag === "Other") return Effect.void
    const { chat } = update.person
    const send = api.send(chat, reply)
    if (update._tag === "Message") return send
    const answer = isReplacing ? Effect.orElse(api.edit(chat, update.message, reply), () => send) : send
    return Effect.zipRight(Effect.ignore(api.acknowledge(update.query)), answer)
  }

  /** A reply that cannot be sent is lost: the person asks again. */
  const reply = (update: Update, text: BotApi.Reply, isReplacing: boolean) =>
    deliver(update, text, isReplacing).pipe(
      Effect.catchIf(
        ({ kind }) => kind === "busy",
        ({ retryAfterSeconds }) =>
          Effect.zipRight(
            Effect.sleep(Math.min(retryAfterSeconds * 1_000, MOST_RETRY_MS)),
            deliver(update, text, isReplacing)
          )
      ),
      Effect.catchAll(({ reason }) => Effect.logWarning(`a reply to a chat was not sent: ${reason}`)),
      inRealTime
    )

  return (update: Update, cursor: Cursor, isListening: boolean): Effect.Effect<void> =>
    Effect.gen(function* () {
      const now = yield* realNow
      const done = yield* answered(update, { now, isListening })
      if (done?.isStored === true) yield* chats.advance(bot.id, cursor)
      if (done?.reply !== undefined) yield* reply(update, done.reply, done.isReplacing === true)
      if (done?.afterwards !== undefined) yield* done.afterwards
    }).pipe(
      Effect.catchAllCause((cause) =>
        Cause.isInterrupted(cause)
          ? Effect.interrupt
          : Effect.logError("a message of a chat could not be carried out", cause)
      )
    )
})

/** Makes what is done about faults: a log line and, where only the owners can mend it, an event, once until it is over. */
const faultsOf = Effect.fnUntraced(function* (
  accounts: ReadonlyArray<AccountId>,
  id: string,
  api: BotApi.BotApi
) {
  const events = yield* Events
  let last: BotApi.FaultKind | undefined
  let times = 0
  let isFreed = false

  const announced = Effect.fnUntraced(function* (text: string) {
    const at = yield* Clock.currentTimeMillis
    const none = { alertId: Option.none(), reason: Option.none() }
    const note = { at, rule: "chat_fault", ...none, text: `${text}.`, facts: { bot: id } }
    yield* Effect.forEach(accounts, (account) => events.announce(note, account), { discard: true })
  })

  const met = Effect.fnUntraced(function* ({ kind, reason, retryAfterSeconds }: BotApi.BotFault) {
    if (kind === "webhook" && !isFreed) {
      // An older set-up of the same bot, most likely. It is freed once, and never fought over.
      isFreed = true
      yield* Effect.logWarning(`bot ${id}: ${reason}; that is ended now`)
      return yield* Effect.ignore(api.endWebhook)
    }
    times = kind === last ? times + 1 : 1
    last = kind
    if (times === 1) yield* Effect.logWarning(`commands from the chats of bot ${id} are not heard: ${reason}`)
    const mending = MENDING[kind]
    if (mending !== undefined && times === (kind === "conflict" ? TIMES_BEFORE_TELLING : 1))
      yield* announced(`Bot ${id}: ${mending}`)
    yield* Effect.sleep(kind === "revoked" ? REVOKED_PAUSE_MS : retryAfterSeconds * 1_000)
  })

  const over = Effect.suspend(() => {
    if (last === undefined) return Effect.void
    last = undefined
    return Effect.logInfo(`commands from the chats of bot ${id} are heard again`)
  })

  return { met, over }
})
