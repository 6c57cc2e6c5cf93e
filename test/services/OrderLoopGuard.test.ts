import { expect, test } from "bun:test"
import { fresh } from "../../src/services/engine/Roster.ts"
import { OrderLoopGuard } from "../../src/services/engine/store/OrderLoopGuard.ts"
import * as Fixtures from "../../src/testing/Fixtures.ts"
import { MAX_DECISIONS } from "../../src/trading/Overrun.ts"
import { begin } from "../../src/trading/Performance.ts"

// The adversary's bot orders something anew whenever it hears of its last order.
const strategy = Fixtures.strategy()
const state = Fixtures.botState()
const record = { strategy: strategy.id, state, tally: begin(state.startingBalance, 0), step: 0 }
const bot = fresh(strategy, record)
const quiet = [{ bot: record, outcomes: [] }]
const answering = [{ bot: record, outcomes: [Fixtures.outcome()] }]

test("a bot that orders in over a thousand rounds in a row is reported, however many orders a round has", () => {
  const rounds = new OrderLoopGuard()
  for (let round = 0; round < MAX_DECISIONS; round++)
    expect(rounds.after(quiet, [{ bot }, { bot }])).toEqual([])
  expect(rounds.after(quiet, [])).toEqual([])
  expect(rounds.after(quiet, [{ bot }])).toEqual([bot])
})

test("any number of alerts that waited for an order may be answered in a row", () => {
  const rounds = new OrderLoopGuard()
  for (let round = 0; round < 3 * MAX_DECISIONS; round++)
    expect(rounds.after(answering, [{ bot }])).toEqual([])
})
