// A way to a Postgres server that loses answers and holds questions back, as networks and frozen machines do.
import { connect, createServer, type Socket } from "node:net"
import { Effect } from "effect"

/** A way to a server. */
export interface Proxy {
  readonly port: number
  /** The next statement that holds the text reaches the server; its answer does not come back, and its connection ends. */
  readonly loseAnswerTo: (text: string) => void
  /** The next statement that holds the text reaches the server only once the returned function is called. */
  readonly holdBack: (text: string) => () => void
  /**
   * The next statement that holds the text stays on its way, and `caught` is called with what lets it arrive. Until then
   * its connection stays, whoever sent it: it may have ended long before.
   */
  readonly strand: (text: string, caught: (arrive: () => void) => void) => void
  /** Nobody reaches the server, and every connection is gone, until the returned function is called. */
  readonly leave: () => () => void
  /** How many answers were lost. */
  readonly lost: () => number
}

/** Opens a way to a local port for as long as the scope lives. */
export const open = (port: number) =>
  Effect.acquireRelease(
    Effect.promise(() => make(port)),
    ({ close }) => Effect.sync(close)
  )

const make = async (port: number): Promise<Proxy & { readonly close: () => void }> => {
  const sockets = new Set<Socket>()
  let losing: string | undefined
  let stranding: { readonly text: string; readonly caught: (arrive: () => void) => void } | undefined
  const stranded = new Set<Socket>()
  let holding: { readonly text: string; readonly until: Promise<void> } | undefined
  let lost = 0
  let isAway = false
  const pair = (client: Socket) => {
    if (isAway) return void client.destroy()
    const server = connect({ port, host: "127.0.0.1" })
    let isLosing = false
    let isStranded = false
    const kept: Array<string | Uint8Array> = []
    let sent = Promise.resolve()
    const end = () => {
      client.destroy()
      if (!isStranded) server.destroy()
    }
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on("error", end)
      socket.on("close", () => {
        sockets.delete(socket)
        end()
      })
    }
    client.on("data", (data) => {
      const holds = (text: string | undefined) => text !== undefined && data.includes(text)
      if (holds(losing)) {
        losing = undefined
        isLosing = true
      }
      if (isStranded) return void kept.push(data)
      if (stranding !== undefined && holds(stranding.text)) {
        const { caught } = stranding
        stranding = undefined
        isStranded = true
        sockets.delete(server)
        stranded.add(server)
        kept.push(data)
        return caught(() => {
          if (!server.destroyed) for (const part of kept) server.write(part)
        })
      }
      if (holds(holding?.text)) {
        const { until } = holding ?? { until: sent }
        holding = undefined
        sent = sent.then(() => until)
      }
      sent = sent.then(() => {
        if (!server.destroyed) server.write(data)
      })
    })
    server.on("data", (data) => {
      // Nobody waits for the answer to a stranded statement: with it, its connection ends.
      if (isStranded) server.destroy()
      else if (isLosing) {
        lost++
        end()
      } else client.write(data)
    })
  }
  const listener = createServer(pair)
  await new Promise<void>((done) => listener.listen(0, "127.0.0.1", done))
  const address = listener.address()
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    loseAnswerTo: (text) => {
      losing = text
    },
    strand: (text, caught) => {
      stranding = { text, caught }
    },
    holdBack: (text) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      holding = { text, until: promise }
      return resolve
    },
    leave: () => {
      isAway = true
      for (const socket of sockets) socket.destroy()
      return () => {
        isAway = false
      }
    },
    lost: () => lost,
    close: () => {
      listener.close()
      for (const socket of [...sockets, ...stranded]) socket.destroy()
    }
  }
}
