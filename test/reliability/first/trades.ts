// The first alert and the first trade, with their notifications.
import { must, until } from "../prices/until.ts"
import { EventStream } from "./EventStream.ts"
import { HEARD_MS, type Scene } from "./Scene.ts"
import { inWords, type Steps } from "./Steps.ts"
import { filled } from "./setUp.ts"

const BUY = { bid: 59_990, ask: 60_010 }
const SELL = { bid: 61_500, ask: 61_510, last: 61_505 }
/** A position of a quarter of 10000 USDT in steps of the market, with fees of 0.1 % for each order. */
const QUANTITY = 0.041_65
const PROFIT = QUANTITY * (SELL.bid - BUY.ask) - 0.001 * QUANTITY * (SELL.bid + BUY.ask)

/** Sends the first alert, waits for the first trade, and checks the notifications. */
export const trades = async (steps: Steps, scene: Scene, rounds: number): Promise<void> => {
  const { market, newcomer, receiver } = scene
  const streamed = async (kind: string) => {
    await until(`event ${kind}`, () => (scene.stream?.of(kind).length ?? 0) > 0, HEARD_MS)
    return scene.stream?.of(kind)[0]
  }

  await steps.take("the pasted alert opens at the ask, and a notification says so", async () => {
    scene.stream = await EventStream.open(newcomer.address, newcomer.headers)
    const message = filled(scene.pasted.message)
    const { told, took } = await scene.heard(message)
    must(told.text === "Alert 1 said buy BTC/USDT: an entry is ordered.", told.text)
    scene.believed()
    const opened = await streamed("opened")
    must(opened?.price === BUY.ask, `it was opened at ${opened?.price}`)
    await scene.paste(message)
    const { data }: { readonly data: ReadonlyArray<unknown> } = JSON.parse(await newcomer.ask("/v1/alerts"))
    must(data.length === 1, `sent twice, it counts ${data.length} times`)
    return `signed notification after ${inWords(took)}`
  })

  await steps.take("the profit is taken at the bid, and a notification has its numbers", async () => {
    const began = performance.now()
    market.move(SELL)
    await until("notification of the profit", () => receiver.of("take_profit").length > 0, HEARD_MS, 2)
    const [told] = receiver.of("take_profit")
    const { entry_price, exit_price, pnl } = told?.facts ?? {}
    must(entry_price === BUY.ask && exit_price === SELL.bid, JSON.stringify(told))
    must(Math.abs(Number(pnl) - PROFIT) < 1e-6, `it made ${pnl}, not ${PROFIT}`)
    must(told?.text.startsWith("The long trade in BTC/USDT made 56.9976") === true, JSON.stringify(told))
    scene.believed()
    return `${inWords((told?.at ?? 0) - began)} after the price`
  })

  await steps.take("/v1/events sends the same events", async () => {
    await streamed("take_profit")
    const ids = new Set(scene.stream?.events.map(({ id }) => id))
    const missing = receiver.told.filter(({ id, type }) => type !== "test" && !ids.has(id))
    must(missing.length === 0, `not streamed: ${missing.map(({ text }) => text).join("; ")}`)
    return `${ids.size} events`
  })

  await steps.take("explain prints the same events", async () => {
    const told = await newcomer.said(["explain", "1"])
    for (const part of [
      ...["BTC on BTC/USDT at 60010", "Bought ", "BTC on BTC/USDT at 61500"],
      "minimum profit reached"
    ])
      must(told.includes(part), told)
    return undefined
  })

  await steps.take("notifications arrive soon after their alerts", async () => {
    scene.stream?.close()
    return scene.rounds(rounds)
  })

  await steps.take("/v1/events continues from Last-Event-ID", async () => {
    const before = scene.stream
    const missed = receiver.told.slice(-rounds)
    scene.stream = await EventStream.open(newcomer.address, newcomer.headers, before?.place)
    const last = missed.at(-1)?.id
    const { events } = scene.stream
    const took = await until("missed events", () => events.some(({ id }) => id === last), HEARD_MS)
    const known = new Set(before?.events.map(({ id }) => id))
    must(!events.some(({ id }) => known.has(id)), "an event came twice")
    const ids = events.map(({ id }) => id)
    must(new Set(ids).size === ids.length, "an event came twice in one stream")
    const lost = missed.filter(({ id }) => !ids.includes(id))
    must(lost.length === 0, `lost: ${lost.map(({ text }) => text).join("; ")}`)
    return `${ids.length} missed events within ${inWords(took)}`
  })
}
