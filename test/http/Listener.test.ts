// The adversary: a database that is silent for longer than a connection may be quiet, and a caller who keeps quiet.
import { expect } from "bun:test"
import { connect } from "node:net"
import { Effect } from "effect"
import * as Listener from "../../src/http/edge/Listener.ts"
import * as Proxies from "../../src/http/edge/Proxies.ts"
import { it } from "../lib/effect.ts"

/** Longer than the runtime waits on a connection that is idle (ms). */
const LATE_MS = 14_000

/** The time until a connection is closed on which one request is answered at once (ms). */
const closed = (port: number): Promise<number> =>
  new Promise((resolve) => {
    const began = performance.now()
    const socket = connect(port, "127.0.0.1", () => socket.write("GET /now HTTP/1.1\r\nHost: a\r\n\r\n"))
    socket.on("data", () => {})
    socket.on("close", () => resolve(performance.now() - began))
  })

it.live(
  "a request without a body gets its late answer, and a connection that is idle after its answer is closed no later than before",
  () =>
    Effect.gen(function* () {
      const handle = async ({ url }: Request) => {
        if (url.endsWith("/late")) await Bun.sleep(LATE_MS)
        return new Response("here")
      }
      const { port, url } = yield* Listener.open(
        { host: "127.0.0.1", port: 0 },
        undefined,
        handle,
        Proxies.none
      )
      const [answer, idle] = yield* Effect.promise(() =>
        Promise.all([fetch(`${url}/late`).then((response) => response.text()), closed(port)])
      )
      expect(answer).toBe("here")
      expect(idle).toBeLessThan(LATE_MS)
    }),
  30_000
)
