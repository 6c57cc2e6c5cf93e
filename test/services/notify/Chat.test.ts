// Commands from a chat, told by the adversary: strangers, forged and altered updates, old and doubled ones change nothing.
import { expect } from "bun:test"
import { Context, Effect, Layer, Option, Redacted, TestClock } from "effect"
import * as Memory from "../../../src/Memory.ts"
import { Events } from "../../../src/services/Events.ts"
import { RealTime } from "../../../src/services/internal/RealTime.ts"
import * as Halting from "../../../src/services/money/Halting.ts"
import { Halts } from "../../../src/services/money/Halts.ts"
import { Notifications } from "../../../src/services/Notifications.ts"
import * as ChatListener from "../../../src/services/notify/ChatListener.ts"
import { Outbound } from "../../../src/services/notify/Outbound.ts"
import { Trades } from "../../../src/services/records/Trades.ts"
import { StrategyStore } from "../../../src/services/StrategyStore.ts"
import { Timeline } from "../../../src/services/Timeline.ts"
import { layer } from "../../lib/effect.ts"
import * as Flow from "../../lib/flow.ts"
import { BotServer, messageOf, pressOf, type Who } from "../../lib/telegram.ts"

const TOKEN = "123456:AAabcdefghijklmnopqrstuv"
const ANN: Who = { chat: 7, user: 7 }
const STRANGER: Who = { chat: 666, user: 666, first: "Mallory" }
const DESK: Who = { chat: -100, user: 7 }

class Telegram extends Context.Tag("test/Telegram")<Telegram, BotServer>() {}

const world = Memory.layerWith(
  Layer.effect(
    Outbound,
    Effect.map(Telegram, ({ outbound }) => outbound)
  )
).pipe(
  Layer.provideMerge(Layer.sync(Telegram, () => new BotServer(TOKEN))),
  Layer.provideMerge(Layer.effect(RealTime, Effect.clock))
)
const it = layer(world)

/** Lets time pass, and everybody finish what is due. */
const pass = (time: `${number} seconds`) =>
  Effect.gen(function* () {
    yield* TestClock.adjust(time)
    for (let turn = 0; turn < 5; turn++) {
      yield* Effect.promise(() => Bun.sleep(1))
      yield* TestClock.adjust("10 millis")
    }
  })

/** Ann, her strategy with an open position, her notification, and the bot that is listened to. */
const sceneAt = Effect.fnUntraced(function* (beginning: number) {
  yield* TestClock.setTime(beginning)
  const telegram = yield* Telegram
  const notifications = yield* Notifications
  const user = yield* Flow.ann({ buy_percentage: 10 })
  yield* Flow.quote(60_000)
  yield* Flow.say(user.identity, user.signal, "buy")
  const { target } = yield* notifications.create(user.account, {
    kind: "telegram",
    token: TOKEN,
    chat_id: "7"
  })
  yield* Layer.build(ChatListener.layer({ telegramUrl: "https://telegram.example" }))
  const code = Effect.map(notifications.pair(user.account, target.id), ({ code }) => Redacted.value(code))
  const says = (who: Who, text: string, changes: object = {}) =>
    Effect.zipRight(telegram.types(who, text, changes), pass("1 seconds"))
  const presses = (who: Who, data: string, changes: object = {}) =>
    Effect.zipRight(telegram.presses(who, data, changes), pass("1 seconds"))
  const paired = Effect.flatMap(code, (code) => says(ANN, `/pair ${code}`))
  return { telegram, user, target, code, says, presses, paired, notifications }
})
const BEGINNING = 1_795_000_000_000
const scene = sceneAt(BEGINNING)
/** Half a minute before the UTC day ends. */
const LATE = Math.ceil(BEGINNING / 86_400_000) * 86_400_000 - 30_000

const halted = Effect.flatMap(Halts, ({ all }) => all)
const strategyOf = ({ account, strategy }: Flow.User) =>
  Effect.flatMap(StrategyStore, (store) => store.get(account, strategy))
const tradesOf = ({ account }: Flow.User) =>
  Effect.flatMap(Trades, (trades) =>
    Effect.map(
      trades.search(account, {}, { order: "closed_at", direction: "desc", offset: 0, limit: 9 }),
      ({ total }) => total
    )
  )
/** Whatever a command could change. */
const stateOf = (user: Flow.User) =>
  Effect.all({
    halts: halted,
    settings: Effect.map(strategyOf(user), ({ settings }) => settings.active),
    trades: tradesOf(user)
  })
const entries = ({ account, strategy }: Flow.User) =>
  Effect.flatMap(Timeline, (timeline) =>
    Effect.map(timeline.list(account, strategy, { limit: 50 }), (all) =>
      all.map(({ rule, text }) => `${rule}: ${text}`)
    )
  )
const eventsOf = ({ account }: Flow.User) =>
  Effect.flatMap(Events, ({ after }) =>
    Effect.map(after(account, { entry: 0, alert: 0 }, 500), ({ events }) => events.map(({ event }) => event))
  )

it.effect("nobody polls a bot without a code or a pairing, and polling ends with them", () =>
  Effect.gen(function* () {
    const { code, notifications, paired, telegram, user } = yield* scene
    yield* pass("60 seconds")
    expect(telegram.calls).toEqual([])
    yield* code
    yield* pass("1 seconds")
    expect(telegram.count("getUpdates")).toBe(1)
    yield* pass("700 seconds")
    const polled = telegram.count("getUpdates")
    yield* pass("100 seconds")
    expect(telegram.count("getUpdates")).toBe(polled)
    yield* paired
    const [chat] = yield* notifications.chats(user.account)
    expect(chat).toMatchObject({ chat: 7, user: 7, name: "Ann" })
    yield* notifications.unpair(user.account, chat?.id ?? 0)
    yield* pass("30 seconds")
    const before = telegram.count("getUpdates")
    yield* pass("100 seconds")
    expect(telegram.count("getUpdates")).toBe(before)
  })
)

it.effect("a paired person reads the account, and every answer has buttons", () =>
  Effect.gen(function* () {
    const { paired, presses, says, telegram, user } = yield* scene
    yield* paired
    expect(telegram.last.text).toContain("This chat is paired.")
    yield* says(ANN, "/status")
    expect(telegram.last.text).toContain("Entries go on.")
    expect(telegram.last.text).toContain("1 of 1 strategy is on, 1 position is open.")
    yield* presses(ANN, telegram.button("Positions"))
    expect(telegram.last.text).toContain("BTC/USDT long on binance")
    expect(telegram.last.buttons[0]?.label).toStartWith("Close BTC/USDT")
    yield* says(ANN, "/trades")
    expect(telegram.last.text).toBe("There are no trades yet.")
    yield* says(ANN, "/why")
    expect(telegram.last.text).toContain("alert 1, buy BTC/USDT: opened")
    yield* presses(ANN, telegram.button("Why 1"))
    expect(telegram.last.text).toContain("acted, opened.")
    expect(telegram.last.text).toContain(`(${user.strategy})`)
    yield* says(ANN, "/why 99")
    expect(telegram.last.text).toContain("there is no such alert")
    yield* says(ANN, "/constructor")
    expect(telegram.last.text).toContain("/status")
    expect(telegram.acknowledged.length).toBe(2)
  })
)

it.effect(
  "a halt by chat stops entries, is on the timeline, and ends by the same chat on the same day alone",
  () =>
    Effect.gen(function* () {
      const { code, paired, says, telegram, user } = yield* sceneAt(LATE)
      yield* paired
      yield* says(ANN, "/halt")
      expect(yield* halted).toMatchObject([{ cause: "chat" }])
      yield* Flow.say(user.identity, user.signal, "buy", { pair: "ETH/USDT" })
      yield* says({ ...DESK, user: 8 }, `/pair ${yield* code}`)
      yield* says({ ...DESK, user: 8 }, "/resume")
      expect(telegram.last.text).toContain("This chat did not begin the halt")
      expect((yield* halted).length).toBe(1)
      yield* says(ANN, "/resume")
      expect(telegram.last.text).toBe("Entries go on.")
      expect(yield* halted).toEqual([])
      yield* says(ANN, "/resume")
      expect(telegram.last.text).toBe("Entries are not halted.")
      yield* says(ANN, "/halt")
      yield* says(ANN, "/halt")
      expect(telegram.last.text).toContain("halted already")
      yield* pass("30 seconds")
      yield* says(ANN, "/resume")
      expect(telegram.last.text).toContain("another day")
      expect((yield* halted).length).toBe(1)
      const texts = (yield* eventsOf(user)).map(({ text }) => text)
      expect(texts).toContain("Entries are halted: by chat 1, Ann. Exits go on.")
    })
)

it.effect("a halt of the dashboard or of everybody is never ended by a chat", () =>
  Effect.gen(function* () {
    const { paired, says, telegram, user } = yield* scene
    yield* paired
    yield* Halting.halt(Option.some(user.account), "request", "by hand")
    yield* says(ANN, "/halt")
    yield* says(ANN, "/resume")
    expect(telegram.last.text).toContain("This chat did not begin the halt")
    expect(yield* halted).toMatchObject([{ cause: "request" }])
    yield* Halting.resume(Option.some(user.account))
    yield* Halting.halt(Option.none(), "command", "by a command")
    yield* says(ANN, "/resume")
    expect(telegram.last.text).toContain("halted for everybody")
    yield* says(ANN, "/halt")
    yield* says(ANN, "/resume")
    expect(yield* halted).toMatchObject([{ cause: "command" }])
  })
)

it.effect("a strategy is switched off by chat, with a note of it, and never on", () =>
  Effect.gen(function* () {
    const { paired, presses, says, telegram, user } = yield* scene
    yield* paired
    yield* says(ANN, "/pause")
    yield* presses(ANN, telegram.button("Pause"))
    expect((yield* strategyOf(user)).settings.active).toBe(false)
    expect(yield* entries(user)).toContain("by_chat: Ordered by chat 1, Ann.")
    yield* says(ANN, `/pause ${user.strategy}`)
    expect(telegram.last.text).toContain("is off already")
    yield* says(ANN, "/pause 99")
    expect(telegram.last.text).toContain("Nothing was changed")
    for (const text of ["/start", "/activate 1", "/arm 1", "/buy BTC", `/resume ${user.strategy}`])
      yield* says(ANN, text)
    expect((yield* strategyOf(user)).settings.active).toBe(false)
  })
)

it.effect("a position is closed after a preview, once, whatever is pressed again", () =>
  Effect.gen(function* () {
    const { paired, presses, says, telegram, user } = yield* scene
    yield* paired
    yield* says(ANN, "/close btc")
    yield* presses(ANN, telegram.button("Close BTC/USDT"))
    expect(telegram.last.text).toContain("Would sell")
    expect(telegram.last.isEdit).toBe(true)
    expect(yield* tradesOf(user)).toBe(0)
    const now = telegram.button("Close now")
    const press = { callback_query: pressOf(ANN, now) }
    telegram.push({ update_id: 5_000, ...press })
    telegram.push({ update_id: 5_000, ...press })
    telegram.push({ update_id: 5_001, ...press })
    yield* pass("1 seconds")
    expect(yield* tradesOf(user)).toBe(1)
    expect(telegram.said.filter(({ text }) => text.includes("Sold")).length).toBe(1)
    expect(telegram.last.text).toContain("This button is used or too old")
    expect(yield* entries(user)).toContain("by_chat: Ordered by chat 1, Ann.")
    yield* says(ANN, "/trades")
    expect(telegram.last.text).toContain("BTC/USDT long")
  })
)

it.effect("a close that is pressed after a minute orders nothing", () =>
  Effect.gen(function* () {
    const { paired, presses, says, telegram, user } = yield* scene
    yield* paired
    yield* says(ANN, "/positions")
    yield* presses(ANN, telegram.button("Close BTC/USDT"))
    const now = telegram.button("Close now")
    yield* pass("60 seconds")
    yield* presses(ANN, now)
    expect(telegram.last.text).toContain("too old")
    expect(yield* tradesOf(user)).toBe(0)
  })
)

it.effect("strangers get silence, and a bounded number of answers to codes", () =>
  Effect.gen(function* () {
    const { code, paired, presses, says, telegram, user } = yield* scene
    yield* paired
    const before = yield* stateOf(user)
    const said = telegram.said.length
    for (const text of ["/status", "/halt", "/close", "/pause 1", "/unpair", "hello", "/start@other_bot"])
      yield* says(STRANGER, text)
    yield* presses(STRANGER, "halt")
    yield* presses({ ...STRANGER, chat: 7 }, "halt")
    expect(telegram.said.length).toBe(said)
    expect(telegram.acknowledged).toEqual([])
    for (let count = 0; count < 20; count++) yield* says(STRANGER, "/pair 00000-00000-00000-00000")
    expect(telegram.said.length).toBe(said + 3)
    for (let user = 1_000; user < 1_060; user++) yield* says({ chat: user, user }, "/pair wrong")
    expect(telegram.said.length).toBe(said + 29)
    // A valid code does not help one who has guessed too often.
    yield* says(STRANGER, `/pair ${yield* code}`)
    expect(telegram.said.length).toBe(said + 29)
    expect(yield* stateOf(user)).toEqual(before)
  })
)

it.effect("forged and borrowed updates change nothing", () =>
  Effect.gen(function* () {
    const { paired, presses, says, telegram, user } = yield* scene
    yield* paired
    const before = yield* stateOf(user)
    const said = telegram.said.length
    const now = 1_795_000_001_000
    const halt = messageOf(ANN, "/halt", now)
    for (const changes of [
      { forward_origin: { type: "user" } },
      { forward_date: 1 },
      { forward_from: { id: 1 } },
      { via_bot: { id: 1, is_bot: true } },
      { sender_chat: { id: -5 } },
      { edit_date: 5 },
      { from: { id: 7, is_bot: true, first_name: "Ann" } },
      { from: undefined },
      { chat: { id: 8, type: "private" } },
      { chat: { id: 7, type: "channel" } },
      { chat: { id: "7", type: "private" } },
      { text: undefined, caption: "/halt" },
      { date: "now" }
    ])
      yield* says(ANN, "/halt", changes)
    for (const update of [
      { edited_message: halt },
      { channel_post: halt },
      { edited_channel_post: halt },
      { business_message: halt },
      { message: [halt] },
      { message: null },
      { callback_query: pressOf(ANN, "halt", { message: undefined, inline_message_id: "1" }) },
      { callback_query: pressOf(ANN, "halt", { from: { id: 7, is_bot: true } }) },
      { callback_query: pressOf({ chat: 7, user: 666 }, "halt") },
      { callback_query: pressOf({ chat: -100, user: 7 }, "halt") },
      { update_id: "1", message: halt },
      { update_id: 1.5, message: halt }
    ])
      telegram.push(update)
    yield* pass("3 seconds")
    expect(telegram.said.length).toBe(said)
    for (const data of ["offer:", "offer:AAAA", "resume all", "pause:all", "__proto__", "x".repeat(64), ""])
      yield* presses(ANN, data)
    expect(yield* stateOf(user)).toEqual(before)
  })
)

it.effect("old and future commands are answered and not carried out; reading goes on", () =>
  Effect.gen(function* () {
    const { paired, says, telegram, user } = yield* scene
    yield* paired
    const before = yield* stateOf(user)
    const now = Math.floor(1_795_000_001_000 / 1_000)
    for (const date of [now - 70, now - 86_400, 0, now + 300]) {
      yield* says(ANN, "/halt", { date })
      expect(telegram.last.text).toContain("too old")
      yield* says(ANN, "/pause 1", { date })
      expect(telegram.last.text).toContain("too old")
    }
    expect(yield* stateOf(user)).toEqual(before)
    yield* says(ANN, "/status", { date: 5 })
    expect(telegram.last.text).toContain("Entries go on.")
  })
)

it.effect("updates that come twice or in another order are carried out once, by their numbers", () =>
  Effect.gen(function* () {
    const { paired, telegram, user } = yield* scene
    yield* paired
    const now = 1_795_000_001_000
    const said = telegram.said.length
    telegram.push({ update_id: 9_002, message: messageOf(ANN, "/resume", now) })
    telegram.push({ update_id: 9_001, message: messageOf(ANN, "/halt", now) })
    telegram.push({ update_id: 9_001, message: messageOf(ANN, "/halt", now) })
    yield* pass("1 seconds")
    expect(telegram.said.slice(said).map(({ text }) => text.slice(0, 20))).toEqual([
      "Entries are halted: ",
      "Entries go on."
    ])
    telegram.push({ update_id: 9_001, message: messageOf(ANN, "/halt", now) })
    telegram.push({ update_id: 12, message: messageOf(ANN, "/halt", now) })
    yield* pass("1 seconds")
    expect(yield* halted).toEqual([])
    expect(yield* tradesOf(user)).toBe(0)
  })
)

it.effect("a member of a paired person's group is a stranger, and an unpaired chat too", () =>
  Effect.gen(function* () {
    const { code, says, telegram, user } = yield* scene
    yield* says(DESK, `/pair@Signal_test_bot ${yield* code}`)
    expect(telegram.last.text).toContain("This chat is paired.")
    const said = telegram.said.length
    yield* says({ ...DESK, user: 8 }, "/halt")
    yield* says(ANN, "/halt")
    yield* says(DESK, "/halt@another_bot")
    yield* says(DESK, "just talking")
    expect(telegram.said.length).toBe(said)
    expect(yield* halted).toEqual([])
    yield* says(DESK, "/halt@signal_test_bot")
    expect((yield* halted).length).toBe(1)
    yield* says(DESK, "/unpair")
    expect(telegram.last.text).toContain("forgotten")
    yield* says(DESK, "/resume")
    expect((yield* halted).length).toBe(1)
    const rules = (yield* eventsOf(user)).map(({ rule }) => rule)
    expect(rules).toContain("chat_paired")
    expect(rules).toContain("chat_unpaired")
  })
)

it.effect("no answer of a bot and no event holds its token or a code", () =>
  Effect.gen(function* () {
    const { code, says, telegram, user } = yield* scene
    const secret = yield* code
    yield* says(ANN, `/start ${secret}`)
    for (const text of [
      "/status",
      "/positions",
      "/trades",
      "/why",
      "/why 1",
      "/help",
      "/halt",
      "/pause",
      `/pair ${secret}`
    ])
      yield* says(ANN, text)
    const written = JSON.stringify([telegram.said, yield* eventsOf(user), yield* entries(user)])
    expect(written).not.toContain("AAabcdef")
    expect(written).not.toContain(secret)
    expect(telegram.said.length).toBe(10)
  })
)
