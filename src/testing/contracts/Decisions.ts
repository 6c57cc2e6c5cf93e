// The contract of `Decisions`: hooks are pure, never throw, keep sizes within what is free, and exit only where their own
// window said that they may.
import * as Effect from "effect/Effect"
import { Pair } from "../../domain/Market.ts"
import { Decisions } from "../../services/engine/Decisions.ts"
import type { AlertChange, Arrival, Decided, DecidedOrder, OpenPosition } from "../../trading/OwnAlert.ts"
import {
  type Hold,
  type HookName,
  type Hooks,
  type OwnContext,
  OwnDecisions,
  type Proposal
} from "../../trading/OwnDecisions.ts"
import * as Contract from "../Contract.ts"
import { expect, Unexpected } from "../expect.ts"
import { settings } from "../Fixtures.ts"
import { SeededRandom } from "../SeededRandom.ts"

/**
 * The promises of `Decisions`, tried on many made-up alerts, entries and positions of BTC/USDT and ETH/USDT. An
 * implementer writes plain functions of their arguments: no state, no clock, no exception, no size beyond `context.free`,
 * no exit inside the window of their own `hold`, and no answer to an alert that `decide` did not give. A hook that never
 * sees a market of its liking passes too: test that it acts beside this.
 */
export const suite = Contract.suite<Decisions>("Decisions", (it) => {
  it("the same input has the same answer, in whatever sequence", () =>
    Effect.map(Decisions, ({ hooks }) => {
      const forth = CASES.map((seed) => answersTo(hooks, seed))
      const back = CASES.toReversed().map((seed) => answersTo(hooks, seed))
      expect(back.reverse()).toEqual(forth)
    }))

  it("no hook throws or gives an answer that cannot be used", () =>
    Effect.map(Decisions, ({ hooks }) => {
      for (const seed of CASES) answersTo(hooks, seed)
    }))

  it("an alert is answered by a veto or by what decide returned, within a bound of tries", () =>
    Effect.map(Decisions, ({ hooks: { alert } }) => {
      if (alert === undefined) return
      for (const seed of CASES)
        for (const arrival of arrivalsOf(seed)) {
          const { answer } = answeredBy({ alert }, inputOf(seed).context, arrival, seed)
          expect([seed, answer === undefined]).toEqual([seed, false])
        }
    }))

  it("a size is a number from 0 to what is free", () =>
    Effect.map(Decisions, ({ hooks }) => {
      for (const seed of CASES) {
        const { amount, context, proposal } = inputOf(seed)
        const size = hooks.size?.(context, amount, proposal) ?? amount
        expect([size, Number.isFinite(size) && size >= 0 && size <= context.free]).toEqual([size, true])
      }
    }))

  it("an exit holds everywhere inside the window of its own hold", () =>
    Effect.map(Decisions, ({ hooks: { exit } }) => {
      if (exit === undefined) return
      for (const seed of CASES) {
        const { context, position } = inputOf(seed)
        const answer = exit(context, position)
        if (answer._tag === "Leave") continue
        const dice = new SeededRandom(seed + 0.5)
        for (let step = 0; step < STEPS; step++) {
          const later = within(answer, context, dice)
          const { _tag } = exit(later, position)
          expect(`${_tag} at ${later.price} and ${later.now}`).toBe(`Hold at ${later.price} and ${later.now}`)
        }
      }
    }))
})

/** Made-up inputs, and steps within each window. */
const CASES = Array.from({ length: 300 }, (_, seed) => seed + 1)
const STEPS = 20

/** All answers to one input, which is made anew; throws where a hook does or its answer cannot be used. */
const answersTo = (hooks: Hooks, seed: number) => {
  const own = new OwnDecisions(hooks, (hook: HookName, error) => {
    throw new Unexpected(`${hook} failed at input ${seed}: ${String(error)}`)
  })
  const { amount, context, position, proposal } = inputOf(seed)
  return {
    alerts: arrivalsOf(seed).map((arrival) => answeredBy(hooks, context, arrival, seed)),
    entry: own.entry(context, proposal),
    size: own.size(context, amount, proposal),
    exit: own.exit(context, position)
  }
}

/** The answer to an alert, and the changes that a bot which would make each of them was given. */
const answeredBy = (hooks: Hooks, context: OwnContext, arrival: Arrival, seed: number) => {
  const own = new OwnDecisions(hooks, (hook: HookName, error) => {
    throw new Unexpected(`${hook} failed at input ${seed}: ${String(error)}`)
  })
  const changes: Array<AlertChange> = []
  const answer = own.alert(context, arrival, (change): Decided => {
    changes.push(change)
    return decidedBy(context, { ...arrival, ...change })
  })
  return { answer, changes }
}

const decidedBy = ({ free, price }: OwnContext, { act, position, side }: Arrival): Decided => {
  const isLong = side === "long"
  if (act === "close")
    return position === undefined
      ? { answer: "no_position", orders: [] }
      : { answer: "closed", orders: [order(isLong ? "sell" : "buy", "exit", position.quantity, price)] }
  return position === undefined
    ? { answer: "opened", orders: [order(isLong ? "buy" : "sell", "entry", free / price, price)] }
    : { answer: "already_open", orders: [] }
}

const order = (
  side: DecidedOrder["side"],
  purpose: DecidedOrder["purpose"],
  quantity: number,
  price: number
): DecidedOrder => ({ side, purpose, quantity, price })

/** An alert that opens and one that closes, each with a position and without. */
const arrivalsOf = (seed: number): ReadonlyArray<Arrival> => {
  const { context, position, proposal } = inputOf(seed)
  const { alert } = proposal
  const { side } = position
  const targets = seed % 2 === 0 ? {} : { tp: context.price * (side === "long" ? 1.1 : 0.9) }
  return (["open", "close"] as const).flatMap((act) => [
    { alert, act, side, ...(act === "open" ? targets : {}) },
    { alert, act, side, position, ...(act === "open" ? targets : {}) }
  ])
}

interface Input {
  readonly context: OwnContext
  readonly proposal: Proposal
  readonly amount: number
  readonly position: OpenPosition
}

/** An input, the same for the same seed. */
const inputOf = (seed: number): Input => {
  const dice = new SeededRandom(seed)
  const price = dice.between(0.001, 100_000)
  const now = BEGAN + dice.below(366 * DAY_MS)
  const equity = dice.between(0, 100_000)
  const free = equity * dice.next()
  const side = dice.pick(["long", "short"])
  const market = {
    exchange: "binance",
    pair: Pair.make(dice.pick(["BTC/USDT", "ETH/USDT"])),
    kind: side === "long" ? dice.pick(["spot", "swap"]) : "swap"
  } as const
  const average = price * dice.between(0.7, 1.4)
  const quantity = dice.between(0.0001, 10)
  return {
    context: contextAt({ settings: settings(), market, free, equity }, price, now),
    proposal: { purpose: dice.pick(["entry", "dca"]), side, alert: 1 + dice.below(1000) },
    amount: free * dice.next(),
    position: {
      ...{ side, quantity, average, cost: quantity * average, entries: dice.whole(1, 5) },
      openedAt: now - dice.below(30 * DAY_MS)
    }
  }
}

const BEGAN = Date.UTC(2024, 0, 1)
const DAY_MS = 86_400_000

type Around = Pick<OwnContext, "settings" | "market" | "free" | "equity">

const contextAt = (around: Around, price: number, now: number): OwnContext => ({
  ...around,
  now,
  price,
  ticker: { bid: price, ask: price, last: price, at: now }
})

/** A context strictly inside a window, at the same time or later. */
const within = ({ above, at, below }: Hold, context: OwnContext, dice: SeededRandom): OwnContext => {
  const lowest = Math.max(below ?? 0, context.price / 4)
  const highest = Math.min(above ?? Number.POSITIVE_INFINITY, context.price * 4)
  const latest = at === undefined || at <= context.now ? context.now + 7 * DAY_MS : at
  const price = lowest < highest ? lowest + (highest - lowest) * (0.001 + 0.998 * dice.next()) : context.price
  const now =
    context.now + Math.floor((Math.min(latest, context.now + 7 * DAY_MS) - context.now) * dice.next())
  return contextAt(context, price, now)
}
