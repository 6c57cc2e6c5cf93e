// HTTP/1.1 by hand over one socket: sends what no client would send, and reads the exact response.
import { connect, type Socket } from "node:net"

/** A response. Header names are lower case; repeated headers are joined by ", ". */
export interface Reply {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

export const textOf = (reply: Reply): string => reply.body.toString("utf8")

/** The parts of a request for `Wire.ask`. */
export interface Ask {
  readonly method: string
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** A connection with one request at a time. */
export class Wire {
  private readonly socket: Socket
  private held = Buffer.alloc(0)
  private over = false
  private wake = () => {}

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on("data", (data: Buffer) => {
      this.held = Buffer.concat([this.held, data])
      this.wake()
    })
    socket.on("error", () => {})
    socket.on("close", () => {
      this.over = true
      this.wake()
    })
  }

  static open(port: number): Promise<Wire> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true })
      socket.once("error", reject)
      socket.once("connect", () => resolve(new Wire(socket)))
    })
  }

  get closed(): boolean {
    return this.over
  }

  send(bytes: string | Uint8Array): void {
    if (!this.over) this.socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes)
  }

  /** Sends a well-formed request; undefined if the server closed or stayed silent. */
  ask({ body, headers = {}, method, target }: Ask, patienceMs?: number): Promise<Reply | undefined> {
    const bytes = typeof body === "string" ? Buffer.from(body, "utf8") : body
    const all = {
      host: "localhost",
      ...headers,
      ...(bytes === undefined ? {} : { "content-length": `${bytes.length}` })
    }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    this.send(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`)
    if (bytes !== undefined && bytes.length > 0) this.send(bytes)
    return this.reply(method, patienceMs)
  }

  /** The next response; undefined if none comes in time, or only a part. */
  async reply(method = "GET", patienceMs = 5000): Promise<Reply | undefined> {
    const until = performance.now() + patienceMs
    for (;;) {
      const found = parse(this.held, method, this.over)
      if (found !== undefined) {
        this.held = this.held.subarray(found.used)
        if (found.reply.status >= 200 || found.reply.status === 101) return found.reply
        continue
      }
      const left = until - performance.now()
      if (this.over || left <= 0) return undefined
      await this.news(left)
    }
  }

  /**
   * All answers until the server closes, or says nothing for `quietMs`; the first may take `firstMs`. Whether it closed
   * is `closed` then.
   */
  async replies(method = "GET", quietMs = 300, firstMs = quietMs): Promise<ReadonlyArray<Reply>> {
    const all: Array<Reply> = []
    for (;;) {
      const reply = await this.reply(method, all.length === 0 ? firstMs : quietMs)
      if (reply === undefined) return all
      all.push(reply)
    }
  }

  /** Bytes received that are not part of a response. */
  get rest(): string {
    return this.held.toString("latin1")
  }

  /** Resolves when the server closes, or when the time is up. */
  async untilClosed(patienceMs: number): Promise<boolean> {
    for (const until = performance.now() + patienceMs; !this.over; ) {
      const left = until - performance.now()
      if (left <= 0) return false
      await this.news(left)
    }
    return true
  }

  close(): void {
    this.socket.destroy()
  }

  private news(millis: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, millis)
      this.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/** A connection that is reopened after the server closed it. */
export class Line {
  private readonly port: number
  private wire: Wire | undefined

  constructor(port: number) {
    this.port = port
  }

  async ask(ask: Ask, patienceMs?: number): Promise<Reply | undefined> {
    if (this.wire === undefined || this.wire.closed) this.wire = await Wire.open(this.port)
    const reply = await this.wire.ask(ask, patienceMs)
    if (reply === undefined || reply.headers.get("connection") === "close") this.close()
    return reply
  }

  close(): void {
    this.wire?.close()
    this.wire = undefined
  }
}

interface Found {
  readonly reply: Reply
  readonly used: number
}

const parse = (held: Buffer, method: string, over: boolean): Found | undefined => {
  const end = held.indexOf("\r\n\r\n")
  if (end < 0) return undefined
  const [first = "", ...lines] = held.subarray(0, end).toString("latin1").split("\r\n")
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? Number.NaN)
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(":")
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    const known = headers.get(name)
    headers.set(name, known === undefined ? value : `${known}, ${value}`)
  }
  const start = end + 4
  const made = (body: Buffer, used: number): Found => ({ reply: { status, headers, body }, used })
  if (method === "HEAD" || status < 200 || status === 204 || status === 304)
    return made(Buffer.alloc(0), start)
  if (/chunked/i.test(headers.get("transfer-encoding") ?? "")) return chunked(held, start, made)
  const length = headers.get("content-length")
  if (length === undefined) return over ? made(held.subarray(start), held.length) : undefined
  const stop = start + Number(length)
  return held.length < stop ? undefined : made(held.subarray(start, stop), stop)
}

const chunked = (
  held: Buffer,
  from: number,
  made: (body: Buffer, used: number) => Found
): Found | undefined => {
  const parts: Array<Buffer> = []
  for (let at = from; ; ) {
    const line = held.indexOf("\r\n", at)
    if (line < 0) return undefined
    const size = Number.parseInt(held.subarray(at, line).toString("latin1"), 16)
    const next = line + 2 + size + 2
    if (held.length < next) return undefined
    if (size === 0) return made(Buffer.concat(parts), next)
    parts.push(held.subarray(line + 2, line + 2 + size))
    at = next
  }
}
