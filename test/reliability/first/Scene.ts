// The actors of the first ten minutes: a newcomer, an exchange and a receiver, and what was created so far.
import * as Schema from "effect/Schema"
import { must, until } from "../prices/until.ts"
import type { EventStream } from "./EventStream.ts"
import type { Market } from "./Market.ts"
import { type Newcomer, posted } from "./Newcomer.ts"
import type { Notification, Receiver } from "./Receiver.ts"
import { inWords } from "./Steps.ts"

const Listed = Schema.Struct({
  id: Schema.Int,
  state: Schema.String,
  pending: Schema.Int,
  last_failure: Schema.NullOr(Schema.String)
})
const decodeListed = Schema.decodeUnknownSync(Schema.parseJson(Schema.Array(Listed)))

/** How soon a notification must come, on a machine that runs other tests too. */
export const HEARD_MS = 5_000
/** The longest wait for an expected event. */
const LOOK_MS = 2

export class Scene {
  readonly newcomer: Newcomer
  readonly market: Market
  readonly receiver: Receiver
  /** The address to paste, and the message for a buy. */
  pasted = { url: "", message: "" }
  stream: EventStream | undefined
  #alerts = 0

  constructor(newcomer: Newcomer, market: Market, receiver: Receiver) {
    this.newcomer = newcomer
    this.market = market
    this.receiver = receiver
  }

  /** Sends an alert as the platform would; returns its notification, and how long after the alert it came (ms). */
  async heard(message: string): Promise<{ readonly told: Notification; readonly took: number }> {
    const alert = ++this.#alerts
    const began = performance.now()
    await this.paste(message)
    const find = () => this.receiver.told.find((one) => one.alert === alert)
    await until(`notification of alert ${alert}`, () => find() !== undefined, HEARD_MS, LOOK_MS)
    const told = find()
    if (told === undefined) throw new Error(`nothing was told of alert ${alert}`)
    return { told, took: told.at - began }
  }

  paste(message: string): Promise<string> {
    const headers = { "content-type": "text/plain; charset=utf-8" }
    return posted(this.pasted.url, { method: "POST", headers, body: message })
  }

  /** Sends alerts in sequence; returns a text with the time until each notification. */
  async rounds(count: number): Promise<string> {
    const times: Array<number> = []
    for (let round = 0; round < count; round++) {
      // The delivery loop runs four times a second, so alerts are sent at random moments between two runs.
      await Bun.sleep((round * 97) % 250)
      const type = round % 2 === 0 ? "buy" : "sell"
      const time = new Date().toISOString()
      const { took } = await this.heard(JSON.stringify({ type, symbol: "BTCUSDT", time }))
      times.push(took)
    }
    times.sort((one, other) => one - other)
    const middle = times[Math.floor(times.length / 2)] ?? 0
    return `${count} alerts to notification: p50 ${inWords(middle)}, max ${inWords(times.at(-1) ?? 0)}`
  }

  /** A target's state, as `notify list` prints it. */
  async target(id: number): Promise<typeof Listed.Type> {
    const listed = decodeListed(await this.newcomer.said(["notify", "list", "--json"]))
    const found = listed.find((one) => one.id === id)
    if (found === undefined) throw new Error(`notification ${id} is not listed`)
    return found
  }

  /** Fails if a notification came twice or unsigned. */
  believed(): void {
    const { forged, told } = this.receiver
    must(forged.length === 0, forged.join("; "))
    const ids = told.map(({ id }) => id)
    const twice = ids.filter((id, index) => ids.indexOf(id) !== index)
    must(twice.length === 0, `told twice: ${twice.join(", ")}`)
  }
}
