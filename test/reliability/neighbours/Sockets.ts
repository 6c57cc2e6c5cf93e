// Connections of somebody who keeps as many as are let in, from an address of the machine's own: some with half a request,
// some whose answers nobody reads. One that is closed is opened again.
import { connect, type Socket } from "node:net"

const FROM = "127.0.0.2"
/** Connections of each kind. */
const EACH = 200
/** How soon one that was closed is opened again, and how often half a request grows by a line (ms). */
const AGAIN_MS = 250
const LINE_MS = 2_000
/** Requests behind each other on one connection. */
const PIPELINED = 2

export class Sockets {
  readonly #open = new Set<Socket>()
  readonly #port: number
  readonly #token: string
  #isOver = false
  opened = 0

  constructor(port: number, token: string) {
    this.#port = port
    this.#token = token
    for (let count = 0; count < EACH; count++) {
      this.#keep((socket) => this.#half(socket))
      this.#keep((socket) => this.#unread(socket))
    }
  }

  end(): void {
    this.#isOver = true
    for (const socket of this.#open) socket.destroy()
  }

  #keep(begin: (socket: Socket) => void): void {
    if (this.#isOver) return
    const socket = connect({ port: this.#port, host: "127.0.0.1", localAddress: FROM })
    this.#open.add(socket)
    socket.once("connect", () => {
      this.opened++
      begin(socket)
    })
    socket.on("error", () => {})
    socket.once("close", () => {
      this.#open.delete(socket)
      setTimeout(() => this.#keep(begin), AGAIN_MS)
    })
  }

  /** A request whose head does not end. */
  #half(socket: Socket): void {
    socket.write("POST /v1/signals/alert HTTP/1.1\r\nHost: localhost\r\n")
    const growing = setInterval(() => socket.write("X-More: 1\r\n"), LINE_MS)
    socket.once("close", () => clearInterval(growing))
    socket.resume()
  }

  /** Requests whose answers are left where they are. */
  #unread(socket: Socket): void {
    socket.pause()
    const head = `GET /v1/strategies?limit=500 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${this.#token}\r\n\r\n`
    // The interface allows two such lists a second: the others ask for what nobody has to be known for.
    const free = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    socket.write(this.opened % EACH === 0 ? head : free.repeat(PIPELINED))
  }
}
