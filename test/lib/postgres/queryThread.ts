// The thread behind Queries.ts.
import { type MessagePort, parentPort } from "node:worker_threads"
import { SQL } from "bun"
import type { Answer, Query } from "./Queries.ts"

const connections = new Map<string, SQL>()

const ask = async ({ sql, url }: Omit<Query, "number">): Promise<string> => {
  const known = connections.get(url)
  const connection = known ?? new SQL(url, { max: 1, idleTimeout: 5 })
  connections.set(url, connection)
  try {
    const [row] = await connection.unsafe(sql)
    return String(Object.values(row ?? {})[0] ?? "")
  } catch (error) {
    connections.delete(url)
    void connection.close().catch(() => {})
    // A connection that was made before may have died with its server.
    if (known === undefined) throw error
    return ask({ sql, url })
  }
}

parentPort?.once("message", ({ answered, port }: { port: MessagePort; answered: Int32Array }) => {
  port.on("message", async ({ number, ...query }: Query) => {
    const answer: Answer = await ask(query).then(
      (text) => ({ number, text }),
      (error) => ({ number, error: `${error}` })
    )
    port.postMessage(answer)
    // The number of answers so far, whichever queries they belong to.
    Atomics.add(answered, 0, 1)
    Atomics.notify(answered, 0)
  })
})
