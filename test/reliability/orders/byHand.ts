// The owner's own orders: a part sold by hand however its order ends, an entry cancelled at the exchange while it fills,
// and a server killed around the answer. Each request is sent twice under one key, and acts once.
import * as Schema from "effect/Schema"
import * as Decimal from "../../../src/domain/Decimal.ts"
import { result } from "../prices/Case.ts"
import { must, until } from "../prices/until.ts"
import { type Case, coinOf, each } from "./Case.ts"
import { equal } from "./compare.ts"
import { ENDED_MS, endedSo, offered } from "./ends.ts"
import { type Ending, endings, held, isFollowed, leaves } from "./following.ts"
import { rested, resting } from "./stops.ts"
import { SOON_MS, Trader } from "./Trader.ts"
import type { World } from "./World.ts"

const STOP = { stop_loss: true, stop_loss_percentage: 10 }
const Result = Schema.Struct({ outcome: Schema.String, real_money: Schema.Boolean })

/** How often a request is sent while the server is too busy to take it. */
const MOST_TRIES = 10

/** Sends a request until it is taken, as a client with a key may; returns its status and text. */
const send = async (trader: Trader, act: string, body: object, key: string) => {
  for (let tries = 1; ; tries++) {
    const answer = await sendOnce(trader, act, body, key)
    if (answer.status !== 503 || tries === MOST_TRIES) return answer
    await Bun.sleep(1000)
  }
}

const sendOnce = async (trader: Trader, act: string, body: object, key: string) => {
  const { owner, slot, strategy, venue, world } = trader
  const response = await world.fetch(owner, `/v1/strategies/${strategy}/positions/${act}`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify({ exchange: venue.name, ...slot, ...body })
  })
  return { status: response.status, text: await response.text() }
}

/** Sends a request twice at once; fails unless both get the same answer. */
const twice = async (trader: Trader, act: string, body: object = {}): Promise<string> => {
  const key = `${act}-${trader.strategy}-${JSON.stringify(body)}`
  const [one, other] = await Promise.all([send(trader, act, body, key), send(trader, act, body, key)])
  must(one.status === 200, `${act} was answered ${one.status}: ${one.text.slice(0, 300)}`)
  must(one.text === other.text, `${act} was answered in two ways: ${one.text} and ${other.text}`)
  const { outcome, real_money } = Schema.decodeUnknownSync(Result)(JSON.parse(one.text))
  must(real_money, "it is not about real money")
  return outcome
}

/** Sells what is left by hand, and compares the books. */
const soldOut = async (trader: Trader): Promise<void> => {
  await twice(trader, "close")
  const trade = await trader.closed(1, ENDED_MS)
  must(trade.exitReason === "manual", `closed by ${trade.exitReason}`)
  must(resting(trader).length === 0, "a stop rests on, though there is no position")
  await equal(trader)
  await trader.disarm()
}

/** 40 percent are sold by hand; the stop makes way before, and follows what is left. Then the rest is sold. */
const part: Ending = async (owner, world, coin, end) => {
  const trader = await Trader.make(world, owner, coin, { settings: STOP, terms: { isProtected: true } })
  await world.streams(owner.venue)
  await trader.open(ENDED_MS)
  await rested(trader, 90)
  const before = held(trader)
  end.plan(trader, 1)
  const outcome = await twice(trader, "close", { percent: 40 })
  must(outcome === "waiting", `a close behind a stop is ${outcome}`)
  await offered(end, trader)
  await until("smaller stop", () => trader.isIdle && isFollowed(trader, before), ENDED_MS)
  leaves(trader, before, 0.6)
  endedSo(end, trader)
  must(trader.trades.length === 0, "a part was taken for the whole")
  await soldOut(trader)
}

/** An entry that filled in part and waits for more is cancelled; at every other exchange it fills just before. */
export const entriesCancelled = each(async (owner, world, coin) => {
  const trader = await Trader.make(world, owner, coin)
  await world.streams(owner.venue)
  const { book } = trader.desk
  book.patient = true
  book.fillsBeforeCancel = world.traders.indexOf(owner) % 2 === 1
  book.supply(trader.slot, "2")
  await trader.expect("buy", "opened")
  await until("first fill", () => Decimal.isPositive(held(trader)), SOON_MS)
  // Coinbase and Bitget end an order by market price that finds too little: nothing is left to be cancelled.
  if (trader.theirs.every(({ isDone }) => isDone)) return unneeded(trader)
  const outcome = await twice(trader, "cancel")
  must(outcome === "cancelling", `the cancellation is ${outcome}`)
  await until("end of the entry", () => trader.isIdle, ENDED_MS)
  const [entry, ...more] = trader.theirs
  must(entry?.isDone === true && more.length === 0, `there are ${trader.theirs.length} orders`)
  const isWhole = entry !== undefined && Decimal.equals(entry.filled, entry.amount)
  must(isWhole === book.fillsBeforeCancel, "the exchange did not cancel what had not filled")
  Object.assign(book, { patient: false, fillsBeforeCancel: false })
  book.supply(trader.slot, undefined)
  await soldOut(trader)
  return undefined
})

/** The cancellation of an entry that has ended by itself is refused. */
const unneeded = async (trader: Trader): Promise<string> => {
  await until("end of the entry", () => trader.isIdle, ENDED_MS)
  const { status, text } = await send(trader, "cancel", {}, `unneeded-${trader.strategy}`)
  must(status === 409 && text.includes("no_entry"), `the cancellation was answered ${status}: ${text}`)
  Object.assign(trader.desk.book, { patient: false, fillsBeforeCancel: false })
  trader.desk.book.supply(trader.slot, undefined)
  await soldOut(trader)
  return "some exchanges end such an order themselves"
}

/** The moments of the kill after the request was sent (ms). */
const KILL_MS = [0, 5, 20, 60]

/** The server is killed around the answer; the same request sent again after its start sells nothing more. */
export const killedByHand: Case["run"] = async (world, number) => {
  const made = await Promise.all(
    world.traders.map(async (owner) => {
      const trader = await Trader.make(world, owner, coinOf(number, owner), { settings: STOP })
      await world.streams(owner.venue)
      await trader.open()
      return { trader, before: held(trader) }
    })
  )
  for (const [round, afterMs] of KILL_MS.entries()) await killAround(world, made, round, afterMs)
  return Promise.all(
    made.map(({ before, trader }) =>
      result(trader.owner.name, async () => {
        // Each of the parts is of what was left by the one before.
        const least = Decimal.multiply(before, Decimal.fromNumber(0.9 ** KILL_MS.length * 0.97))
        must(
          !Decimal.lessThan(held(trader), least),
          `${Decimal.toText(held(trader))} are left of ${Decimal.toText(before)}`
        )
        const exits = trader.theirs.filter(({ ticket }) => ticket.side === "sell").length
        must(exits === KILL_MS.length, `${exits} sales for ${KILL_MS.length} requests`)
        await soldOut(trader)
        return undefined
      })
    )
  )
}

type Made = ReadonlyArray<{ readonly trader: Trader }>

/** Sells a tenth at each exchange, kills the server meanwhile, and sends the same again until it is answered. */
const killAround = async (world: World, made: Made, round: number, afterMs: number): Promise<void> => {
  const body = { percent: 10 }
  const sending = made.map(({ trader }) =>
    send(trader, "close", body, `killed-${round}`).catch(() => undefined)
  )
  await Bun.sleep(afterMs)
  await world.kill()
  await Promise.all(sending)
  await world.restart()
  await Promise.all(
    made.map(async ({ trader }) => {
      await world.streams(trader.venue)
      const isAnswered = async () => {
        const { status } = await send(trader, "close", body, `killed-${round}`)
        return status === 200
      }
      await until("answer to the same request", isAnswered, ENDED_MS, 500)
      // An order that never reached the exchange is made again after a wait: until then the slot has none.
      await until("end of the sale", () => trader.isSettled, ENDED_MS)
    })
  )
}

/** A part by hand, and then the rest, with every end of its order. */
export const soldInPart = (isShort: boolean): Case["run"] => each(endings(isShort, part))
