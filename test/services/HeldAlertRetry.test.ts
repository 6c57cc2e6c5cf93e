// The adversary: more held alerts than one call may judge, and none of them can be decided yet. Each round looks at
// every one of them once, and ends.
import { expect, test } from "bun:test"
import { AlertId } from "../../src/domain/Alert.ts"
import { HeldAlertRetry, MAX_AT_ONCE } from "../../src/services/engine/alerts/HeldAlertRetry.ts"
import { HeldAlerts } from "../../src/services/engine/alerts/HeldAlerts.ts"
import type { BotEntry } from "../../src/services/engine/Roster.ts"
import * as Fixtures from "../../src/testing/Fixtures.ts"
import { ENDLESS_PATIENCE } from "../../src/trading/AlertPatience.ts"
import type { Context } from "../../src/trading/Decision.ts"

const HELD = 3 * MAX_AT_ONCE + 6
/** A judge that only counts needs no more of a bot and a moment than this. */
const CONTEXT = {} as Context
const bot = (): BotEntry => {
  const held = new HeldAlerts()
  for (let id = 1; id <= HELD; id++) held.add({ alert: Fixtures.alert({ id: AlertId.make(id) }), since: 0 })
  return { held } as BotEntry
}

/** The ids that are judged, call after call, and how often the bot asked for another call. */
const watched = () => {
  const judged: Array<number> = []
  let again = 0
  const held = new HeldAlertRetry({
    judge: { judge: (_, alert) => judged.push(alert.id) },
    adoption: { answer: () => {}, updateWatch: () => {} },
    outbox: { isSending: () => false },
    patience: ENDLESS_PATIENCE,
    again: () => again++
  })
  return { held, judged, again: () => again }
}
const all = Array.from({ length: HELD }, (_, index) => index + 1)

test("a round goes on where the previous call ended, and comes to an end", () => {
  const { again, held, judged } = watched()
  const own = bot()
  held.retry(own, CONTEXT)
  for (let calls = 1; calls < 10 && again() === calls; calls++) held.resume(own, CONTEXT)
  expect(judged).toEqual(all)
  expect(again()).toBe(3)
})

test("a new round in the middle of another begins at the first alert", () => {
  const { held, judged } = watched()
  const own = bot()
  held.retry(own, CONTEXT)
  held.resume(own, CONTEXT)
  judged.length = 0
  held.retry(own, CONTEXT)
  for (let calls = 0; calls < 3; calls++) held.resume(own, CONTEXT)
  expect(judged).toEqual(all)
})

test("a price of one pair does not make an unfinished round skip alerts", () => {
  const { held, judged } = watched()
  const own = bot()
  held.retry(own, CONTEXT)
  held.retry(own, CONTEXT, ({ id }) => id > HELD - 2)
  judged.length = 0
  for (let calls = 0; calls < 4; calls++) held.resume(own, CONTEXT)
  expect(judged.slice(0, HELD - MAX_AT_ONCE)).toEqual(all.slice(MAX_AT_ONCE))
})
