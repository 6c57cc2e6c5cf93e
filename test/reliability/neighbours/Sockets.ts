// Holds as many connections as are accepted, from an own address of the machine: some with half a request, some whose
// answers nobody reads. A closed one is opened again.
import { connect, type Socket } from "node:net"

const FROM = "127.0.0.2"
/** The number of connections of each kind. */
const EACH = 200
/** How soon a closed connection is opened again, and how often half a request gets another line (ms). */
const AGAIN_MS = 250
const LINE_MS = 2_000
/** The number of pipelined requests on one connection. */
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

  /** Sends a request whose head does not end. */
  #half(socket: Socket): void {
    socket.write("POST /v1/signals/alert HTTP/1.1\r\nHost: localhost\r\n")
    const growing = setInterval(() => socket.write("X-More: 1\r\n"), LINE_MS)
    socket.once("close", () => clearInterval(growing))
    socket.resume()
  }

  /** Sends requests and does not read the answers. */
  #unread(socket: Socket): void {
    socket.pause()
    const head = `GET /v1/strategies?limit=500 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${this.#token}\r\n\r\n`
    // The limit allows two such lists a second, so the other requests need no token.
    const free = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    socket.write(this.opened % EACH === 0 ? head : free.repeat(PIPELINED))
  }
}
