// The adversary: more held alerts than one call may judge, and none of them can be decided yet. Each round looks at
// every one of them once, and ends. And a signal whose alerts never get a price: giving one up must not look at the rest.
import { expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import { ALERT_TYPES, type Alert, AlertId, isEntry } from "../../src/domain/Alert.ts"
import { HeldAlertRetry, MAX_AT_ONCE } from "../../src/services/engine/alerts/HeldAlertRetry.ts"
import { HeldAlerts, pairText } from "../../src/services/engine/alerts/HeldAlerts.ts"
import { IdsByKey } from "../../src/services/engine/alerts/IdsByKey.ts"
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

/** A bot that holds a buy and a sell of a pair by turns, each judged a second after the one before. */
const alternating = (): BotEntry => {
  const held = new HeldAlerts()
  for (let id = 1; id <= HELD; id++) {
    const type = id % 2 === 1 ? "buy" : "sell"
    held.add({ alert: Fixtures.alert({ id: AlertId.make(id), type }), since: id * 1000 })
  }
  return { held, record: { state: {} } } as BotEntry
}

/** The ids that are judged, call after call, and how often the bot asked for another call. Entries are answered. */
const watched = (patience = ENDLESS_PATIENCE) => {
  const judged: Array<number> = []
  let again = 0
  const judge = ({ held }: BotEntry, { id, type }: Alert) => {
    judged.push(id)
    if (patience !== ENDLESS_PATIENCE && isEntry(type)) held.drop(id)
  }
  const held = new HeldAlertRetry({
    judge: { judge },
    adoption: { answer: () => {}, updateWatch: () => {} },
    outbox: { isSending: () => false },
    patience,
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
  held.retry(own, CONTEXT, [...own.held].slice(-2))
  judged.length = 0
  for (let calls = 0; calls < 4; calls++) held.resume(own, CONTEXT)
  expect(judged.slice(0, HELD - MAX_AT_ONCE)).toEqual(all.slice(MAX_AT_ONCE))
})

test("an entry that is given up lets the exit behind it through, and leaves those behind other entries alone", () => {
  const { held, judged } = watched({ ...ENDLESS_PATIENCE, priceMs: 10_000 })
  const own = alternating()
  held.expire(own, { now: 13_000 } as Context)
  expect(judged).toEqual([1, 3, 2, 4])
})

test("alerts of a pair are told from those of others, however they come and go", () => {
  const id = FastCheck.integer({ min: 1, max: 40 })
  const change = FastCheck.record({
    id,
    isHeld: FastCheck.boolean(),
    type: FastCheck.constantFrom(...ALERT_TYPES),
    coin: FastCheck.constantFrom("BTC", "ETH")
  })
  FastCheck.assert(
    FastCheck.property(FastCheck.array(change, { maxLength: 80 }), (changes) => {
      const held = new HeldAlerts()
      for (const { coin, id, isHeld, type } of changes) {
        if (!isHeld) held.drop(id)
        else held.add({ alert: Fixtures.alert({ id: AlertId.make(id), coin, type }), since: 0 })
      }
      for (const pair of ["BTC/USDT", "ETH/USDT"]) {
        const all = [...held].filter(({ alert }) => pairText(alert) === pair)
        expect([...held.ofPair(pair)]).toEqual(all)
        const inFront = all.filter(
          ({ alert }) => !isEntry(alert.type) && held.entriesAhead(alert).length === 0
        )
        expect(new Set(held.exitsInFront(pair, []))).toEqual(new Set(inFront))
      }
    })
  )
})

test("ids of a key stay sorted, however they come and go", () => {
  const change = FastCheck.record({ id: FastCheck.integer({ min: 1, max: 30 }), isIn: FastCheck.boolean() })
  FastCheck.assert(
    FastCheck.property(FastCheck.array(change, { maxLength: 120 }), (changes) => {
      const ids = new IdsByKey()
      const known = new Set<number>()
      for (const { id, isIn } of changes) {
        if (isIn && !known.has(id)) ids.add("key", id)
        if (!isIn) ids.drop("key", id)
        if (isIn) known.add(id)
        else known.delete(id)
      }
      const sorted = [...known].sort((one, other) => one - other)
      expect(ids.first("key", [])).toBe(sorted[0])
      expect(ids.first("key", sorted.slice(0, 2))).toBe(sorted[2])
      expect(ids.upTo("key", 15)).toEqual(sorted.filter((id) => id < 15))
      expect(ids.before("key", 15)).toBe(sorted.findLast((id) => id < 15))
      expect(ids.between("key", 5, 20)).toBe(sorted.filter((id) => id > 5 && id < 20).length)
    })
  )
})
