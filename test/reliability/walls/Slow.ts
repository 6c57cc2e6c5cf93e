// Slow clients: half-open connections and a byte a second must not keep others from being served.
import type { Effort, Row } from "../suite.ts"
import { Tally } from "../Tally.ts"
import { Wire } from "../Wire.ts"
import type { Cast } from "./Cast.ts"

/** The number of connections that never finish, and how long the server may keep each one (ms). */
const HALF_OPEN = 200
const PATIENCE_MS = 15_000
/** How soon all others must be answered (ms). */
const PROMPT_MS = 1000

const beginnings = (key: string) => [
  "",
  "G",
  "GET /healthz HTTP/1.1\r\n",
  "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: ",
  `POST /v1/signals/charting?key=${key} HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{`,
  `POST /v1/signals/charting?key=${key} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{`,
  "POST /v1/strategies HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{"
]

/**
 * Half-open connections keep nobody from being served, and in the full form are cut off in time; a client that sends
 * a byte a second is no exception.
 */
export const slow = async ({ ann, hook, server }: Cast, { short }: Effort): Promise<Row> => {
  const tally = new Tally()
  const all = beginnings(hook.token)
  const started = performance.now()
  const open = await Promise.all(
    Array.from({ length: HALF_OPEN }, async (_, index) => {
      const wire = await Wire.open(server.port)
      wire.send(all[index % all.length] ?? "")
      return wire
    })
  )
  let worst = 0
  for (let times = 0; times < 20; times++) {
    const asked = performance.now()
    const reply = await ann.ask("GET", "/v1/signals")
    const took = performance.now() - asked
    worst = Math.max(worst, took)
    tally.check(
      reply?.status === 200 && took < PROMPT_MS,
      () => `beside ${HALF_OPEN} half-open ones: ${reply?.status} after ${took} ms`
    )
  }
  if (short) {
    for (const wire of open) wire.close()
    return tally.row("hostile: slow clients", `answered in ${worst.toFixed(0)} ms beside ${HALF_OPEN}`)
  }
  const dripping = all.map((text) => dripped(server.port, text))
  const closed = await Promise.all(open.map((wire) => wire.untilClosed(PATIENCE_MS)))
  const cut = performance.now() - started
  for (const [index, isClosed] of closed.entries())
    tally.check(isClosed, () => `still open after ${PATIENCE_MS} ms: ${all[index % all.length]}`)
  for (const [index, isClosed] of (await Promise.all(dripping)).entries())
    tally.check(isClosed, () => `still open with a byte a second: ${all[index]}`)
  return tally.row(
    "hostile: slow clients",
    `answered in ${worst.toFixed(0)} ms beside ${HALF_OPEN}, all cut off after ${(cut / 1000).toFixed(1)} s`
  )
}

/** How long a client may send one byte a second. */
const DRIPS = 40

const dripped = async (port: number, beginning: string): Promise<boolean> => {
  const wire = await Wire.open(port)
  wire.send(beginning)
  for (let drips = 0; drips < DRIPS && !wire.closed; drips++) {
    await Bun.sleep(1000)
    wire.send("x")
  }
  const { closed } = wire
  wire.close()
  return closed
}
