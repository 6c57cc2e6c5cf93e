// What Linux tells of the connections of a port, beside sockets that are none of its.
import { expect, test } from "bun:test"
import { connect, type Socket } from "node:net"
import * as Sockets from "../../src/sockets/Sockets.ts"

const connected = (port: number, host: string, localAddress?: string) =>
  new Promise<Socket>((resolve) => {
    const socket = connect({ port, host, ...(localAddress === undefined ? {} : { localAddress }) }, () =>
      resolve(socket)
    )
    socket.on("error", () => {})
  })
const until = async (holds: () => boolean) => {
  for (let looks = 0; looks < 200 && !holds(); looks++) await Bun.sleep(10)
  expect(holds()).toBe(true)
}

test.skipIf(process.platform !== "linux")(
  "the kernel's table shows connected peers and whether they were answered, and a connection can be ended",
  async () => {
    const sockets = Sockets.open()
    if (sockets === undefined) throw new Error("Linux tells nothing")
    expect(sockets.descriptors).toBeGreaterThan(64)
    for (const [hostname, host, from, shown] of [
      ["127.0.0.1", "127.0.0.1", "127.0.0.2", "127.0.0.2"],
      ["::", "127.0.0.1", "127.0.0.3", "127.0.0.3"],
      ["::", "::1", undefined, "0:0:0:0:0:0:0:1"]
    ] as const) {
      const server = Bun.serve({ hostname, port: 0, fetch: () => new Response("x") })
      const ports = new Set([server.port ?? 0])
      const seen = () => sockets.accepted(ports)
      const caller = await connected(server.port ?? 0, host, from)
      await until(() => seen().length === 1)
      const [found] = seen()
      expect(found).toMatchObject({ address: shown, port: caller.localPort })
      const descriptor = found?.descriptor ?? -1
      expect(sockets.traffic(descriptor).isAnswered).toBe(false)
      caller.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      await until(() => sockets.traffic(descriptor).isAnswered)
      expect(sockets.traffic(descriptor).quietMs).toBeLessThan(2_000)
      const ended = new Promise((resolve) => caller.on("close", resolve).resume())
      sockets.end(descriptor)
      await ended
      await until(() => seen().length === 0)
      await server.stop(true)
    }
  }
)
