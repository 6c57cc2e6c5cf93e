import { expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import { AccountId, TokenId } from "../../src/domain/Account.ts"
import { type Alert, AlertId, type ChartPosition, instruction } from "../../src/domain/Alert.ts"
import { SignalId } from "../../src/domain/Signal.ts"
import * as ChartOrder from "../../src/trading/bot/ChartOrder.ts"

const at = (size: number): ChartPosition =>
  size === 0 ? { side: "flat" } : { side: size > 0 ? "long" : "short", size: Math.abs(size) }

interface Sent {
  readonly id: number
  readonly time?: number
  readonly from?: number
  readonly to: number
  readonly pair?: string
}

const alertOf = ({ from, id, pair = "BTC", time = 0, to }: Sent): Alert => ({
  ...instruction({
    signalId: SignalId.make(1),
    coin: pair,
    quoteCurrency: "USDT",
    type: "long",
    stated: { ...(from === undefined ? {} : { before: at(from) }), after: at(to) }
  }),
  id: AlertId.make(id),
  account: AccountId.make(1),
  token: TokenId.make(1),
  receivedAt: time,
  repeats: 0,
  warnings: []
})

/** Plays messages into a bot's memory, some ms apart, and returns the ids in the sequence in which they are acted on. */
const played = (messages: ReadonlyArray<Sent>, apart = 1): ReadonlyArray<number> => {
  let charts: ChartOrder.Charts = {}
  const held = new Map<number, { readonly alert: Alert; readonly since: number }>()
  const acted: Array<number> = []
  const judge = (alert: Alert, now: number) => {
    const since = held.get(alert.id)?.since
    const gate = ChartOrder.judge({ charts }, { alert, since }, now, (id) => held.has(id))
    charts = gate.charts ?? charts
    if (gate.waits) {
      held.set(alert.id, { alert, since: since ?? now })
      return
    }
    held.delete(alert.id)
    acted.push(alert.id)
    for (const id of ChartOrder.waitingIn({ charts }, ChartOrder.keyOf(alert))) {
      const next = held.get(id)?.alert
      if (next === undefined || !ChartOrder.isNext({ charts }, next)) continue
      return judge(next, now)
    }
  }
  let now = 0
  for (const message of messages) {
    now = message.time ?? now + apart
    judge(alertOf({ ...message, time: now }), now)
  }
  for (; held.size > 0; now += 500) for (const { alert } of held.values()) judge(alert, now)
  return acted
}

test("however a bar's messages are shuffled, they are acted on in the chart's sequence, each once", () => {
  const sizes = FastCheck.uniqueArray(
    FastCheck.integer({ min: -5, max: 5 }).filter((size) => size !== 0),
    {
      minLength: 2,
      maxLength: 8
    }
  )
  FastCheck.assert(
    FastCheck.property(sizes, FastCheck.infiniteStream(FastCheck.nat()), (steps, draws) => {
      const messages = steps.map((to, index) => ({ id: index + 1, from: steps[index - 1] ?? 0, to }))
      const [opening, ...rest] = messages
      if (opening === undefined) return
      const shuffled = rest
        .map((message) => ({ message, draw: Number(draws.next().value) }))
        .sort((one, other) => one.draw - other.draw)
        .map(({ message }) => message)
      expect(played([opening, ...shuffled])).toEqual(messages.map(({ id }) => id))
    }),
    { numRuns: 500, seed: 20_261_123 }
  )
})

test("any messages at all are acted on, each once", () => {
  const size = FastCheck.integer({ min: -3, max: 3 })
  const message = FastCheck.record({ from: FastCheck.option(size, { nil: undefined }), to: size })
  FastCheck.assert(
    FastCheck.property(
      FastCheck.array(message, { maxLength: 40 }),
      FastCheck.integer({ min: 0, max: 3000 }),
      (all, apart) => {
        const sent = all.map(({ from, to }, index) => ({
          id: index + 1,
          to,
          ...(from === undefined ? {} : { from })
        }))
        expect([...played(sent, apart)].sort((one, other) => one - other)).toEqual(sent.map(({ id }) => id))
      }
    ),
    { numRuns: 500, seed: 20_261_123 }
  )
})

test("a message is not held after a minute, nor where nothing is remembered, nor where sizes differ by rounding alone", () => {
  expect(played([{ id: 1, from: 3, to: 1 }])).toEqual([1])
  expect(
    played([
      { id: 1, from: 0, to: 0.1 + 0.2 },
      { id: 2, from: 0.3, to: 0 }
    ])
  ).toEqual([1, 2])
  const late = { id: 2, from: 3, to: 4, time: 60_001 }
  expect(played([{ id: 1, from: 0, to: 1, time: 0 }, late, { id: 3, from: 4, to: 0, time: 60_002 }])).toEqual(
    [1, 2, 3]
  )
  expect(
    played([
      { id: 1, from: 0, to: 1 },
      { id: 2, from: 2, to: 3 },
      { id: 3, from: 0, to: 1, pair: "ETH" }
    ])
  ).toEqual([1, 3, 2])
})

test("a bot's memory of charts is bounded", () => {
  let charts: ChartOrder.Charts = {}
  for (let id = 1; id <= 2000; id++) {
    const alert = alertOf({ id, to: 1, from: 0, pair: `C${id}` })
    charts = ChartOrder.judge({ charts }, { alert }, 0, () => false).charts ?? charts
  }
  expect(Object.keys(charts).length).toBeLessThanOrEqual(256)
  const alert = alertOf({ id: 3000, to: 1, from: 0, time: 100_000 })
  charts = ChartOrder.judge({ charts }, { alert }, 100_000, () => false).charts ?? charts
  expect(Object.keys(charts).length).toBe(1)
})
