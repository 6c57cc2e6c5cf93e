// Listening to a bot through every fault of the network: it goes on with pauses, tells what only the owner can mend once,
// loses no command that is still fresh, and never shows the bot's token.
import { expect } from "bun:test"
import { Effect, Layer, Logger, Option, Redacted, TestClock } from "effect"
import * as Memory from "../../../src/Memory.ts"
import { Accounts } from "../../../src/services/Accounts.ts"
import { Events } from "../../../src/services/Events.ts"
import { RealTime } from "../../../src/services/internal/RealTime.ts"
import { Halts } from "../../../src/services/money/Halts.ts"
import { Notifications } from "../../../src/services/Notifications.ts"
import * as ChatListener from "../../../src/services/notify/ChatListener.ts"
import { Chats } from "../../../src/services/notify/Chats.ts"
import { Outbound } from "../../../src/services/notify/Outbound.ts"
import { layer } from "../../lib/effect.ts"
import { BotServer, FAULTS, type Fault, type Who } from "../../lib/telegram.ts"
import { sender } from "../ports.ts"

const TOKEN = "123456:AAabcdefghijklmnopqrstuv"
const ANN: Who = { chat: 7, user: 7 }

let telegram = new BotServer(TOKEN)
const logged: Array<string> = []
const heard = Logger.replace(
  Logger.defaultLogger,
  Logger.make(({ cause, message }) => void logged.push(`${message} ${cause}`))
)
const outbound = Layer.sync(Outbound, () => {
  telegram = new BotServer(TOKEN)
  logged.length = 0
  return telegram.outbound
})
const it = layer(
  Layer.mergeAll(Memory.layerWith(outbound), heard).pipe(
    Layer.provideMerge(Layer.effect(RealTime, Effect.clock))
  )
)

const pass = (seconds: number) =>
  Effect.gen(function* () {
    yield* TestClock.adjust(seconds * 1_000)
    for (let turn = 0; turn < 5; turn++) {
      yield* Effect.promise(() => Bun.sleep(1))
      yield* TestClock.adjust("10 millis")
    }
  })
const says = (text: string, changes: object = {}) =>
  Effect.zipRight(telegram.types(ANN, text, changes), pass(1))

/** An account with a paired chat; `restarted` listens anew, as after a crash. */
const scene = Effect.gen(function* () {
  yield* TestClock.setTime(1_795_000_000_000)
  const { account } = yield* sender("ann")
  const notifications = yield* Notifications
  const { target } = yield* notifications.create(account, { kind: "telegram", token: TOKEN, chat_id: "7" })
  const code = Effect.map(notifications.pair(account, target.id), ({ code }) => Redacted.value(code))
  const started = Layer.build(ChatListener.layer({ telegramUrl: "https://telegram.example" }))
  return { account, target, code, started }
})
const paired = Effect.gen(function* () {
  const { account, code, started, target } = yield* scene
  yield* started
  yield* says(`/pair ${yield* code}`)
  return { account, target }
})
const isHalted = Effect.flatMap(Halts, ({ all }) => Effect.map(all, (found) => found.length === 1))
const faultsTold = (account: Parameters<typeof Events.Service.after>[0]) =>
  Effect.flatMap(Events, ({ after }) =>
    Effect.map(after(account, { entry: 0, alert: 0 }, 500), ({ events }) =>
      events.filter(({ event }) => event.rule === "chat_fault").map(({ event }) => event.text)
    )
  )

const PASSING: ReadonlyArray<readonly [string, Fault]> = [
  ["an answer of 502", FAULTS.broken],
  ["an answer of 429 with a time", FAULTS.busy],
  ["a response that was cut", "cut"],
  ["a response that is too long", "huge"],
  ["no answer at all", "silence"],
  ["a name that cannot be resolved", "unreachable"],
  ["an answer of 400", { status: 400, body: "{}" }],
  ["a redirect", { status: 302 }],
  ["200 with another program's page", { status: 200, body: "<html>log in</html>" }],
  ["200 without updates", { status: 200, body: { ok: true, result: { not: "a list" } } }],
  ["200 that is not ok", { status: 200, body: { ok: false } }],
  ["an empty answer", { status: 200, body: "" }]
]

for (const [name, fault] of PASSING)
  it.effect(`after ${name}, three times, a fresh command is heard`, () =>
    Effect.gen(function* () {
      const { account } = yield* paired
      telegram.faults.set("getUpdates", [fault, fault, fault])
      yield* pass(120)
      expect(yield* isHalted).toBe(false)
      yield* says("/halt")
      yield* pass(60)
      expect(yield* isHalted).toBe(true)
      expect(yield* faultsTold(account)).toEqual([])
      expect(logged.filter((line) => line.includes("not heard")).length).toBe(1)
      expect(logged.filter((line) => line.includes("heard again")).length).toBe(1)
      expect(logged.join("\n")).not.toContain("AAabcdef")
    })
  )

it.effect("while nothing answers, the pauses grow to a minute", () =>
  Effect.gen(function* () {
    yield* paired
    telegram.always.set("getUpdates", FAULTS.broken)
    yield* pass(30)
    const before = telegram.count("getUpdates")
    for (let minute = 0; minute < 60; minute++) yield* pass(60)
    const asked = telegram.count("getUpdates") - before
    expect(asked).toBeGreaterThan(40)
    expect(asked).toBeLessThan(100)
  })
)

it.effect("429 is obeyed: nothing is asked before the time that it names", () =>
  Effect.gen(function* () {
    yield* paired
    telegram.faults.set("getUpdates", [FAULTS.busy])
    yield* pass(26)
    const before = telegram.count("getUpdates")
    yield* pass(15)
    expect(telegram.count("getUpdates")).toBe(before)
    yield* pass(10)
    expect(telegram.count("getUpdates")).toBe(before + 1)
  })
)

it.effect("another reader of the same bot is told once, with what to do, until it is over", () =>
  Effect.gen(function* () {
    const { account } = yield* paired
    telegram.always.set("getUpdates", FAULTS.conflict)
    for (let minute = 0; minute < 10; minute++) yield* pass(60)
    expect(yield* faultsTold(account)).toEqual([expect.stringContaining("give Signalbox a bot of its own")])
    telegram.always.clear()
    yield* pass(90)
    yield* says("/halt")
    expect(yield* isHalted).toBe(true)
  })
)

it.effect("a request of our own that Telegram still holds is not told as another reader", () =>
  Effect.gen(function* () {
    const { account } = yield* paired
    telegram.faults.set("getUpdates", [FAULTS.conflict])
    yield* pass(60)
    yield* says("/halt")
    expect(yield* isHalted).toBe(true)
    expect(yield* faultsTold(account)).toEqual([])
  })
)

it.effect("a webhook of an older set-up is ended once, and one that comes again is told", () =>
  Effect.gen(function* () {
    const { account } = yield* paired
    telegram.always.set("getUpdates", FAULTS.webhook)
    yield* pass(60)
    expect(telegram.count("deleteWebhook")).toBe(1)
    yield* says("/halt")
    expect(yield* isHalted).toBe(true)
    telegram.always.set("getUpdates", FAULTS.webhook)
    for (let minute = 0; minute < 5; minute++) yield* pass(60)
    expect(telegram.count("deleteWebhook")).toBe(1)
    expect((yield* faultsTold(account)).length).toBe(1)
  })
)

it.effect("a revoked token is told once, and asked for once an hour", () =>
  Effect.gen(function* () {
    const { account } = yield* paired
    telegram.always.set("getUpdates", FAULTS.revoked)
    yield* pass(30)
    const before = telegram.count("getUpdates")
    for (let minute = 0; minute < 60; minute++) yield* pass(60)
    expect(telegram.count("getUpdates") - before).toBeLessThanOrEqual(2)
    const [told, ...more] = yield* faultsTold(account)
    expect(told).toContain("does not know the bot's token any more")
    expect(more).toEqual([])
    expect(told).not.toContain("AAabcdef")
  })
)

it.effect("a command that came during a long fault is answered, and a button too, but not carried out", () =>
  Effect.gen(function* () {
    yield* paired
    telegram.always.set("getUpdates", "unreachable")
    yield* pass(60)
    yield* telegram.types(ANN, "/halt")
    yield* telegram.presses(ANN, "halt")
    yield* pass(120)
    telegram.always.clear()
    yield* pass(120)
    expect(yield* isHalted).toBe(false)
    expect(telegram.said.filter(({ text }) => text.includes("too old")).length).toBe(2)
    yield* telegram.presses(ANN, "halt")
    yield* pass(1)
    expect(yield* isHalted).toBe(true)
  })
)

it.effect("a reply that cannot be sent is lost, and what it was about is not done again", () =>
  Effect.gen(function* () {
    const { account } = yield* paired
    telegram.faults.set("sendMessage", [FAULTS.busy, FAULTS.broken])
    yield* says("/halt")
    yield* pass(60)
    expect(yield* isHalted).toBe(true)
    yield* Effect.flatMap(Halts, ({ resume }) => resume(Option.some(account)))
    yield* pass(60)
    expect(yield* isHalted).toBe(false)
    yield* says("/status")
    expect(telegram.last.text).toContain("Entries go on.")
  })
)

it.effect("after a restart nothing is carried out twice, although Telegram sends it again", () =>
  Effect.gen(function* () {
    const { account, code, started } = yield* scene
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* started
        yield* says(`/pair ${yield* code}`)
        yield* says("/halt")
      })
    )
    const again = telegram.push({ update_id: 1_001, message: { ...halt(), date: 1_795_000_002 } })
    yield* Effect.flatMap(Halts, ({ resume }) => resume(Option.some(account)))
    yield* started
    yield* pass(2)
    expect(telegram.pending).not.toContain(again)
    expect(yield* isHalted).toBe(false)
    expect(Option.getOrThrow(yield* Effect.flatMap(Chats, ({ cursor }) => cursor("123456"))).update).toBe(
      1_001
    )
  })
)

it.effect("after six days without an update its numbers may begin anew", () =>
  Effect.gen(function* () {
    const { code, started } = yield* scene
    yield* (yield* Chats).advance("123456", { update: 900_000, at: 1_795_000_000_000 - 6 * 86_400_000 })
    yield* started
    yield* says(`/pair ${yield* code}`)
    yield* says("/halt")
    expect(yield* isHalted).toBe(true)
  })
)

it.effect("two notifications of one bot are one listener, and each account has its own chats", () =>
  Effect.gen(function* () {
    const { account, code, started } = yield* scene
    const notifications = yield* Notifications
    const { account: bob } = yield* sender("bob")
    const { target } = yield* notifications.create(bob, { kind: "telegram", token: TOKEN, chat_id: "8" })
    yield* started
    yield* says(`/pair ${yield* code}`)
    const { code: his } = yield* notifications.pair(bob, target.id)
    yield* pass(1)
    yield* says(`/pair ${Redacted.value(his)}`)
    expect(telegram.last.text).toContain("paired with another account")
    yield* telegram.types({ chat: 8, user: 8, first: "Bob" }, `/pair ${Redacted.value(his)}`)
    yield* pass(1)
    yield* telegram.types({ chat: 8, user: 8 }, "/halt")
    yield* pass(1)
    const halts = yield* Effect.flatMap(Halts, ({ all }) => all)
    expect(halts.map(({ account }) => account)).toEqual([Option.some(bob)])
    expect((yield* notifications.chats(account)).length).toBe(1)
    expect((yield* Effect.flatMap(Accounts, ({ all }) => all)).length).toBe(2)
    yield* pass(25)
    const before = telegram.count("getUpdates")
    yield* pass(25)
    expect(telegram.count("getUpdates")).toBe(before + 1)
  })
)

const halt = () => ({
  message_id: 5,
  from: { id: 7, is_bot: false, first_name: "Ann" },
  chat: { id: 7, type: "private" },
  text: "/halt"
})
