import { expect } from "bun:test"
import { createHmac } from "node:crypto"
import { join } from "node:path"
import { Effect, Layer, TestClock } from "effect"
import type { AccountId } from "../../../src/domain/Account.ts"
import type { Channel } from "../../../src/domain/Target.ts"
import { Events } from "../../../src/services/Events.ts"
import { EnginePartitions } from "../../../src/services/engine/EnginePartitions.ts"
import { Notifications } from "../../../src/services/Notifications.ts"
import * as Couriers from "../../../src/services/notify/Couriers.ts"
import { Outbound, type Posted, type Posting, Undelivered } from "../../../src/services/notify/Outbound.ts"
import { Targets } from "../../../src/services/notify/Targets.ts"
import { Portfolio } from "../../../src/services/Portfolio.ts"
import { StrategyStore } from "../../../src/services/StrategyStore.ts"
import { note, step } from "../../../src/testing/contracts/steps.ts"
import { settings } from "../../../src/testing/Fixtures.ts"
import { layer } from "../../lib/effect.ts"
import { folder, memory, onFile, sender } from "../ports.ts"

const OK: Posted = { status: 200, retryAfterSeconds: 0, text: "" }
const OPTIONS = { allowPrivate: false, telegramUrl: "https://telegram.example" }

/** What each address was sent, and how it answers: 200 unless said otherwise. */
class Web {
  readonly sent: Array<Posting> = []
  readonly answers = new Map<string, Effect.Effect<Posted, Undelivered>>()
  readonly layer = Layer.succeed(Outbound, {
    post: (posting) =>
      Effect.suspend(() => {
        this.sent.push(posting)
        return this.answers.get(new URL(posting.url).hostname) ?? Effect.succeed(OK)
      })
  })

  to(host: string) {
    return this.sent.filter(({ url }) => new URL(url).hostname === host)
  }
  texts(host: string) {
    return this.to(host).map(({ body }): string => JSON.parse(body).data.text)
  }
}

const down = Effect.fail(new Undelivered({ reason: "nobody listens there" }))
const answering = (status: number, retryAfterSeconds = 0) =>
  Effect.succeed({ status, retryAfterSeconds, text: "<secret>" })

const webhook = (host: string): Channel => ({
  kind: "webhook",
  url: `https://${host}/`,
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
})

const scene = Effect.gen(function* () {
  const { account } = yield* sender("ann")
  const strategy = yield* (yield* StrategyStore).create(account, settings({ name: "Swing" }))
  const portfolio = yield* Portfolio
  let number = 0
  const happens = (text: string, rule = "trade") =>
    Effect.flatMap(TestClock.currentTimeMillis, (now) =>
      portfolio.commit([step(strategy, ++number, { notes: [{ ...note(text, now), rule, facts: {} }] })])
    )
  const told = (channel: Channel) =>
    Effect.gen(function* () {
      const from = yield* (yield* Events).head
      return yield* (yield* Targets).create(account, { name: "x", channel, kinds: ["closed"] }, from)
    })
  return { account, happens, told, progress: progressOf(account) }
})

const progressOf = (account: AccountId) => (id: number) =>
  Effect.flatMap(Targets, (targets) => Effect.map(targets.get(account, id), ({ progress }) => progress))

const running = (web: Web) =>
  Layer.build(Couriers.layer(OPTIONS).pipe(Layer.provide([web.layer, EnginePartitions.layerAll])))

/** Signing takes its turns in real time, whatever time it is for the server. */
const quiet = (web: Web) =>
  Effect.promise(async () => {
    for (let same = 0, count = web.sent.length; same < 3; same++) {
      await Bun.sleep(1)
      if (web.sent.length !== count) same = 0
      count = web.sent.length
    }
  })
const passing = (web: Web) => (millis: number) => Effect.zipRight(TestClock.adjust(millis), quiet(web))

const it = layer(memory)

it.effect("later events of the chosen kinds are sent once, signed and in sequence", () =>
  Effect.gen(function* () {
    const web = new Web()
    const pass = passing(web)
    const { happens, progress, told } = yield* scene
    yield* happens("before")
    const target = yield* told(webhook("a.example"))
    yield* running(web)
    yield* pass(1_000)
    expect(web.sent).toEqual([])
    for (let count = 1; count <= 40; count++) {
      yield* happens(`trade ${count}`)
      yield* happens("not wanted", "opened")
    }
    for (let looks = 0; looks < 200 && web.sent.length < 40; looks++) yield* pass(100)
    yield* pass(1_000)
    expect(web.texts("a.example")).toEqual(Array.from({ length: 40 }, (_, index) => `trade ${index + 1}`))
    for (const { body, headers } of web.sent) {
      const id = headers["webhook-id"]
      expect(id).toBe(JSON.parse(body).data.id)
      const key = Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64")
      const mac = createHmac("sha256", key).update(`${id}.${headers["webhook-timestamp"]}.${body}`)
      expect(headers["webhook-signature"]).toBe(`v1,${mac.digest("base64")}`)
    }
    expect(yield* progress(target.id)).toMatchObject({ delivered: 40, failures: 0, lastFailure: "" })
  })
)

it.effect("the signature equals the one in the specification's own example", () =>
  Effect.gen(function* () {
    const { headersOf } = yield* Effect.promise(
      () => import("../../../src/services/notify/couriers/Signature.ts")
    )
    const body = '{"test": 2432232314}'
    const headers = yield* headersOf(
      "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      "msg_p5jXN8AQM9LWM0D4loKWxJek",
      1_614_265_330,
      body
    )
    expect(headers["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  })
)

it.effect("a dead target is tried less and less often under one id, and does not delay a live one", () =>
  Effect.gen(function* () {
    const web = new Web()
    const pass = passing(web)
    const { account, happens, progress, told } = yield* scene
    const dead = yield* told(webhook("dead.example"))
    const live = yield* told(webhook("live.example"))
    // It takes its time to be dead, too.
    web.answers.set("dead.example", Effect.delay(down, "10 seconds"))
    yield* running(web)
    yield* happens("one")
    yield* pass(1_000)
    yield* happens("two")
    yield* pass(1_000)
    expect(web.texts("live.example")).toEqual(["one", "two"])
    expect(web.to("dead.example").length).toBe(1)
    yield* (yield* Targets).remove(account, live.id)
    for (let seconds = 0; seconds < 150; seconds += 5) yield* pass(5_000)
    const tries = web.to("dead.example")
    // After 5, 10, 20, 40 seconds or about, each try taking ten.
    expect(tries.length).toBeGreaterThanOrEqual(5)
    expect(tries.length).toBeLessThanOrEqual(6)
    expect(new Set(tries.map(({ headers }) => headers["webhook-id"])).size).toBe(1)
    expect(new Set(tries.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(tries.length)
    const failing = yield* progress(dead.id)
    expect(failing).toMatchObject({ delivered: 0, givenUp: 0, lastFailure: "nobody listens there" })
    web.answers.delete("dead.example")
    for (let looks = 0; looks < 50 && web.to("dead.example").length < tries.length + 2; looks++)
      yield* pass(5_000)
    yield* pass(1_000)
    expect(web.texts("dead.example").slice(tries.length)).toEqual(["one", "two"])
    expect(yield* progress(dead.id)).toMatchObject({ delivered: 2, failures: 0, nextAt: 0 })
  })
)

it.effect(
  "slow targets wait for each other, and delay no others",
  () =>
    Effect.gen(function* () {
      const web = new Web()
      const pass = passing(web)
      const { happens, told } = yield* scene
      for (let count = 0; count < 19; count++) {
        yield* told(webhook(`slow${count}.example`))
        web.answers.set(`slow${count}.example`, Effect.delay(answering(200), "3 seconds"))
      }
      yield* told(webhook("quick.example"))
      yield* running(web)
      yield* happens("one")
      for (let looks = 0; looks < 2; looks++) yield* pass(4_000)
      expect(web.texts("quick.example")).toEqual(["one"])
      yield* happens("two")
      yield* pass(1_000)
      yield* happens("three")
      yield* pass(1_000)
      expect(web.texts("quick.example")).toEqual(["one", "two", "three"])
    }),
  20_000
)

it.effect("events that could not be delivered for a day are given up, younger ones are not", () =>
  Effect.gen(function* () {
    const web = new Web()
    const pass = passing(web)
    const { happens, progress, told } = yield* scene
    const target = yield* told(webhook("dead.example"))
    web.answers.set("dead.example", answering(500))
    yield* running(web)
    yield* happens("old")
    yield* happens("old too")
    const hours = (count: number) => Effect.repeatN(pass(1_200_000), count * 3 - 1)
    yield* hours(12)
    yield* happens("young")
    yield* hours(14)
    expect(yield* progress(target.id)).toMatchObject({ delivered: 0, givenUp: 2 })
    expect(web.sent.length).toBeLessThan(50)
    web.answers.clear()
    const before = web.sent.length
    for (let looks = 0; looks < 120 && web.sent.length === before; looks++) yield* pass(60_000)
    for (let looks = 0; looks < 5; looks++) yield* pass(1_000)
    expect(web.texts("dead.example").at(-1)).toBe("young")
    const done = yield* progress(target.id)
    expect(done).toMatchObject({ delivered: 1, givenUp: 2, lastFailure: "it answered 500" })
  })
)

it.effect("a 410 disables a target; a successful test enables it again, without the events in between", () =>
  Effect.gen(function* () {
    const web = new Web()
    const pass = passing(web)
    const { account, happens, progress, told } = yield* scene
    const target = yield* told(webhook("gone.example"))
    yield* running(web)
    web.answers.set("gone.example", answering(410))
    yield* happens("one")
    yield* pass(1_000)
    yield* happens("missed")
    yield* pass(20_000)
    expect(web.sent.length).toBe(1)
    expect((yield* progress(target.id)).disabled).toContain("410")
    const use = Notifications.layer(OPTIONS).pipe(Layer.provide(web.layer))
    const test = Effect.provide(
      Effect.flatMap(Notifications, (it) => it.test(account, target.id)),
      use
    )
    expect(yield* test).toContain("410")
    web.answers.clear()
    expect(yield* test).toBeUndefined()
    yield* pass(1_000)
    yield* happens("two")
    yield* pass(1_000)
    expect(web.texts("gone.example").at(-1)).toBe("two")
    expect(web.texts("gone.example")).not.toContain("missed")
  })
)

it.effect("a target is tried again at the time that it asks for", () =>
  Effect.gen(function* () {
    const web = new Web()
    const pass = passing(web)
    const { happens, told } = yield* scene
    yield* told(webhook("busy.example"))
    web.answers.set("busy.example", answering(429, 300))
    yield* running(web)
    yield* happens("one")
    yield* pass(1_000)
    yield* pass(298_000)
    expect(web.sent.length).toBe(1)
    yield* pass(2_000)
    expect(web.sent.length).toBe(2)
  })
)

it.effect("chats get simultaneous events in one message, at one message a second", () =>
  Effect.gen(function* () {
    const web = new Web()
    const pass = passing(web)
    const { happens, told } = yield* scene
    yield* told({ kind: "telegram", token: "1:secret", chat: "-100" })
    for (let count = 1; count <= 25; count++) yield* happens(`trade ${count}`)
    yield* running(web)
    yield* pass(500)
    expect(web.sent.length).toBe(1)
    yield* pass(5_000)
    const lines = web.sent.map(({ body }): string => JSON.parse(body).text).map((text) => text.split("\n"))
    expect(lines.map(({ length }) => length)).toEqual([10, 10, 5])
    expect(lines.flat()).toEqual(Array.from({ length: 25 }, (_, index) => `Swing: trade ${index + 1}`))
    expect(web.sent[0]?.url).toBe("https://telegram.example/bot1:secret/sendMessage")
  })
)

layer(Layer.empty).effect("a restart in between neither loses nor repeats events", () =>
  Effect.gen(function* () {
    const filename = join(yield* folder, "signalbox.db")
    const web = new Web()
    const pass = passing(web)
    const life = <A, E, R>(self: Effect.Effect<A, E, R>) =>
      Effect.scoped(Effect.provide(self, onFile(filename)))
    yield* life(
      Effect.gen(function* () {
        const { happens, told } = yield* scene
        yield* told(webhook("a.example"))
        yield* told(webhook("dead.example"))
        web.answers.set("dead.example", down)
        yield* running(web)
        for (let count = 1; count <= 5; count++) yield* happens(`trade ${count}`)
        yield* pass(1_000)
      })
    )
    expect(web.texts("a.example").length).toBe(5)
    web.answers.clear()
    const before = web.to("dead.example").length
    yield* life(
      Effect.gen(function* () {
        yield* running(web)
        yield* pass(8_000)
        yield* pass(1_000)
      })
    )
    const all = Array.from({ length: 5 }, (_, index) => `trade ${index + 1}`)
    expect(web.texts("a.example")).toEqual(all)
    expect(web.texts("dead.example").slice(before)).toEqual(all)
  })
)

it.effect("a removed target gets nothing more, and a new one gets later events", () =>
  Effect.gen(function* () {
    const web = new Web()
    const pass = passing(web)
    const { account, happens, told } = yield* scene
    yield* running(web)
    const target = yield* told(webhook("a.example"))
    yield* pass(500)
    yield* happens("one")
    yield* pass(500)
    yield* (yield* Targets).remove(account, target.id)
    yield* pass(500)
    yield* happens("two")
    yield* pass(5_000)
    expect(web.texts("a.example")).toEqual(["one"])
  })
)
