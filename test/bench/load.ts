// A closed loop of keep-alive connections over plain sockets, which costs less than fetch and measures the server.

export interface Load {
  readonly answered: number
  readonly refused: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface Target {
  readonly port: number
  /** The whole request, head and body. */
  readonly request: Uint8Array
}

export const request = (path: string, headers: Record<string, string>, body: string): Uint8Array => {
  const all = { host: "127.0.0.1", "content-length": String(Buffer.byteLength(body)), ...headers }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${head.join("")}\r\n${body}`)
}

/** Keeps `connections` busy for `seconds`; returns the counts and times. */
export const run = async (target: Target, connections: number, seconds: number): Promise<Load> => {
  const latencies: Array<number> = []
  const started = performance.now()
  const deadline = started + seconds * 1000
  let refused = 0
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = await open(target)
      while (performance.now() < deadline) {
        const sent = performance.now()
        const status = await client.send()
        if (status === 200) latencies.push(performance.now() - sent)
        else refused++
      }
      client.close()
    })
  )
  const elapsed = (performance.now() - started) / 1000
  latencies.sort((one, other) => one - other)
  const at = (share: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
  return {
    answered: latencies.length,
    refused,
    perSecond: latencies.length / elapsed,
    p50Ms: at(0.5),
    p99Ms: at(0.99)
  }
}

const HEAD_END = Buffer.from("\r\n\r\n")

const open = async ({ port, request }: Target) => {
  let buffered: Buffer = Buffer.alloc(0)
  let done: (status: number) => void = () => {}
  let failed: (error: Error) => void = () => {}
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data: (_, bytes) => {
        buffered = buffered.length === 0 ? bytes : Buffer.concat([buffered, bytes])
        const head = buffered.indexOf(HEAD_END)
        if (head < 0) return
        const text = buffered.toString("latin1", 0, head)
        const length = Number(/content-length: *(\d+)/i.exec(text)?.[1] ?? 0)
        if (buffered.length < head + 4 + length) return
        buffered = buffered.subarray(head + 4 + length)
        done(Number(text.slice(9, 12)))
      },
      close: () => failed(new Error("the server closed the connection")),
      error: (_, error) => failed(error)
    }
  })
  return {
    send: () =>
      new Promise<number>((resolve, reject) => {
        done = resolve
        failed = reject
        socket.write(request)
      }),
    close: () => {
      failed = () => {}
      socket.end()
    }
  }
}
