// HTTP over a bare socket, to know every byte that was sent and received.

export interface Answer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** The connection ended before the whole response had arrived. */
export class Unanswered extends Error {
  /** The bytes of the response that had arrived. */
  readonly received: number

  constructor(received: number) {
    super(`the connection ended after ${received} bytes of an answer`)
    this.received = received
  }
}

export const request = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = ""
): Buffer => {
  const all = { host: "127.0.0.1", "content-length": `${Buffer.byteLength(body)}`, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`)
}

const HEAD_END = Buffer.from("\r\n\r\n")

/** One keep-alive connection with one request at a time. */
export class Connection {
  private buffered: Buffer = Buffer.alloc(0)
  private waiter:
    | { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void }
    | undefined
  private over = false
  private socket: Bun.Socket | undefined

  private constructor() {}

  /** Rejects if nobody listens. */
  static async open(port: number): Promise<Connection> {
    const connection = new Connection()
    connection.socket = await Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: {
        data: (_, bytes) => connection.take(bytes),
        close: () => connection.end(),
        error: () => connection.end()
      }
    })
    return connection
  }

  get isOver(): boolean {
    return this.over
  }

  /** Writes bytes without waiting. */
  write(bytes: Uint8Array): void {
    this.socket?.write(bytes)
  }

  /** Stops or resumes reading, to play a slow caller. */
  pause(): void {
    this.socket?.pause()
  }
  resume(): void {
    this.socket?.resume()
  }

  /** The next whole response. Rejects with `Unanswered` if the connection ends first. */
  answer(): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiter = { resolve, reject }
      this.look()
      if (this.over) this.end()
    })
  }

  send(bytes: Uint8Array): Promise<Answer> {
    const answer = this.answer()
    this.write(bytes)
    return answer
  }

  close(): void {
    this.socket?.end()
  }

  private take(bytes: Buffer): void {
    this.buffered = this.buffered.length === 0 ? bytes : Buffer.concat([this.buffered, bytes])
    this.look()
  }

  private look(): void {
    const end = this.buffered.indexOf(HEAD_END)
    if (this.waiter === undefined || end < 0) return
    const head = this.buffered.toString("latin1", 0, end)
    const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0)
    if (this.buffered.length < end + 4 + length) return
    const body = this.buffered.toString("utf8", end + 4, end + 4 + length)
    this.buffered = this.buffered.subarray(end + 4 + length)
    const { resolve } = this.waiter
    this.waiter = undefined
    resolve({ status: Number(head.slice(9, 12)), head, body })
  }

  private end(): void {
    this.over = true
    this.waiter?.reject(new Unanswered(this.buffered.length))
    this.waiter = undefined
  }
}
