import * as Net from "node:net"

interface Pipe {
  readonly outside: Net.Socket
  readonly inside: Net.Socket
  isStream: boolean
  isFrozen: boolean
}

/**
 * A TCP port in front of a server, so that its sockets can be treated as networks treat them: a server by itself
 * answers each ping and says goodbye to each line. The port stays the same when the door is shut and opened again.
 */
export class Door {
  readonly #target: number
  readonly #pipes = new Set<Pipe>()
  #server: Net.Server
  port = 0

  constructor(target: number) {
    this.#target = target
    this.#server = this.#listener()
  }

  /** Also opens it again after `shut`. */
  readonly open = async (): Promise<void> => {
    this.#server = this.#listener()
    await new Promise<void>((done, failed) => {
      this.#server.once("error", failed)
      this.#server.listen(this.port, "127.0.0.1", done)
    })
    const address = this.#server.address()
    if (typeof address === "object" && address !== null) this.port = address.port
  }

  /** Connections are refused, and those that are open are torn down. */
  readonly shut = async (): Promise<void> => {
    const closed = new Promise<void>((done) => this.#server.close(() => done()))
    for (const pipe of this.#pipes) end(pipe)
    await closed
  }

  /** Tears down the one connection that comes to the server from that port. */
  readonly cut = (port: number): void => {
    for (const pipe of this.#pipes) if (pipe.inside.localPort === port) end(pipe)
  }

  /** Nothing passes any more over the streams that are open now, in either direction; new ones work. */
  readonly freeze = (): void => {
    for (const pipe of this.#pipes) {
      if (!pipe.isStream) continue
      pipe.isFrozen = true
      pipe.outside.unpipe(pipe.inside).pause()
      pipe.inside.unpipe(pipe.outside).pause()
    }
  }

  /** What was held back passes, late. */
  readonly thaw = (): void => {
    for (const pipe of this.#pipes) {
      if (!pipe.isFrozen) continue
      pipe.isFrozen = false
      pipe.outside.pipe(pipe.inside)
      pipe.inside.pipe(pipe.outside)
    }
  }

  readonly #listener = (): Net.Server =>
    Net.createServer((outside) => {
      const inside = Net.connect(this.#target, "127.0.0.1")
      const pipe: Pipe = { outside, inside, isStream: false, isFrozen: false }
      this.#pipes.add(pipe)
      outside.setNoDelay(true)
      inside.setNoDelay(true)
      const gone = () => {
        this.#pipes.delete(pipe)
        if (!pipe.isFrozen) end(pipe)
      }
      for (const socket of [outside, inside]) socket.on("error", gone).on("close", gone)
      outside.once("data", (head) => {
        pipe.isStream = /\r\nupgrade: *websocket/i.test(head.toString())
      })
      outside.pipe(inside)
      inside.pipe(outside)
    })
}

const end = (pipe: Pipe): void => {
  pipe.outside.destroy()
  pipe.inside.destroy()
}
