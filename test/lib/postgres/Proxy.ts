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
  /**
   * Nothing is passed on, and no end of a connection is noticed, until the returned function is called. What was held back
   * is passed on then, unless the way `forgets` its connections: those stay dead without a word.
   */
  readonly silence: () => (forgets: boolean) => void
  /** What the server answers is lost, until the returned function is called. */
  readonly mute: () => () => void
  /** Everything that is sent to the server takes so long (ms) from now on. */
  readonly slow: (delay: number) => void
  /** New connections lead to another server from now on. */
  readonly lead: (port: number) => void
  /** How many answers were lost. */
  readonly lost: () => number
}

/** Opens a way to a local port for as long as the scope lives. */
export const open = (port: number) =>
  Effect.acquireRelease(
    Effect.promise(() => make(port)),
    ({ close }) => Effect.sync(close)
  )

/** Opens a way to a local port, until it is closed. */
export const make = async (first: number): Promise<Proxy & { readonly close: () => void }> => {
  let port = first
  const sockets = new Set<Socket>()
  let losing: string | undefined
  let stranding: { readonly text: string; readonly caught: (arrive: () => void) => void } | undefined
  const stranded = new Set<Socket>()
  let holding: { readonly text: string; readonly until: Promise<void> } | undefined
  let lost = 0
  let isAway = false
  let isMute = false
  let delay = 0
  let silent: Promise<void> | undefined
  /** Connections up to this one are forgotten. */
  let forgotten = 0
  let count = 0
  const pair = (client: Socket) => {
    if (isAway) return void client.destroy()
    const number = ++count
    const server = connect({ port, host: "127.0.0.1" })
    let isLosing = false
    let isStranded = false
    const kept: Array<string | Uint8Array> = []
    let sent = Promise.resolve()
    let answered = Promise.resolve()
    const end = () => {
      client.destroy()
      if (!isStranded) server.destroy()
    }
    /** In its turn, and once the way is open; never on a forgotten connection. */
    const later = (before: Promise<void>, pass: () => void) =>
      before
        .then(() => silent)
        .then(() => {
          if (number > forgotten) pass()
        })
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on("error", () => {})
      socket.on("close", () => sockets.delete(socket))
    }
    client.on("close", () => {
      sent = later(sent, end)
    })
    server.on("close", () => {
      answered = later(answered, end)
    })
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
      const passed = delay === 0 ? sent : sent.then(() => Bun.sleep(delay))
      sent = later(passed, () => {
        if (!server.destroyed) server.write(data)
      })
    })
    server.on("data", (data) => {
      // Nobody waits for the answer to a stranded statement: with it, its connection ends.
      if (isStranded) return void server.destroy()
      if (isMute) return
      if (isLosing) {
        lost++
        return end()
      }
      answered = later(answered, () => {
        if (!client.destroyed) client.write(data)
      })
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
    silence: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      silent = promise
      return (forgets) => {
        if (forgets) forgotten = count
        silent = undefined
        resolve()
      }
    },
    mute: () => {
      isMute = true
      return () => {
        isMute = false
      }
    },
    slow: (millis) => {
      delay = millis
    },
    lead: (other) => {
      port = other
    },
    lost: () => lost,
    close: () => {
      listener.close()
      for (const socket of [...sockets, ...stranded]) socket.destroy()
    }
  }
}
