// The adversary: two servers that both ask one bot for its messages, of which Telegram answers one alone, or that both carry
// out what a person typed once.
import { describe, expect } from "bun:test"
import { Effect, Layer, Redacted } from "effect"
import { partitionOf } from "../../src/domain/Partition.ts"
import { Notifications } from "../../src/services/Notifications.ts"
import { Outbound } from "../../src/services/notify/Outbound.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import { isInstalled } from "../lib/postgres/Database.ts"
import { BotServer } from "../lib/telegram.ts"
import { hand, twoServers } from "./lib/TwoServers.ts"

const TOKEN = "123456789:AAF_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
const ANN = { chat: 7, user: 7, name: "Ann" }
const ROUNDS = 6

describe.skipIf(!isInstalled)("a bot that two servers could listen to", () => {
  it.live(
    "is asked by one of them at a time, and each message is answered once, while its account changes hands",
    () =>
      Effect.gen(function* () {
        const telegram = new BotServer(TOKEN)
        let reading = 0
        let most = 0
        const outbound = Layer.succeed(Outbound, {
          post: (posting) => {
            const call = telegram.outbound.post(posting)
            if (!posting.url.endsWith("/getUpdates")) return call
            return Effect.acquireUseRelease(
              Effect.sync(() => {
                reading++
                most = Math.max(most, reading)
              }),
              () => call,
              () =>
                Effect.sync(() => {
                  reading--
                })
            )
          }
        })
        const { a, b } = yield* twoServers({ outbound })
        const ann = yield* b.on(Flow.user("ann"))
        const notifications = yield* a.on(Notifications)
        const { target } = yield* notifications.create(ann.account, {
          kind: "telegram",
          token: TOKEN,
          chat_id: "7"
        })
        const { code } = yield* notifications.pair(ann.account, target.id)
        // The courier tells of the pairing in the same chat.
        const answers = () => telegram.said.filter(({ text }) => !text.startsWith("Paired with")).length
        const replies = (count: number) =>
          Effect.promise(async () => {
            for (const began = performance.now(); performance.now() - began < 8_000; await Bun.sleep(10))
              if (answers() >= count) break
          })
        yield* telegram.types(ANN, `/pair ${Redacted.value(code)}`)
        yield* replies(1)
        let [from, to] = [b, a]
        for (let round = 1; round <= ROUNDS; round++) {
          yield* telegram.types(ANN, "/status")
          // Before, while and after it is answered.
          yield* Effect.sleep((round % 3) * 20)
          yield* hand(from, to, [partitionOf(ann.account)])
          ;[from, to] = [to, from]
          yield* replies(1 + round)
        }
        yield* Effect.sleep("300 millis")
        expect(answers()).toBe(1 + ROUNDS)
        expect(most).toBe(1)
      }),
    60_000
  )
})
