// Queries of Postgres whose answer is there at once: a thread keeps a connection to each database, and the caller stands
// still until it has asked. A process of psql for each of them would take up the machine of the tests that ask often.
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads"

/** The longest that a query may take (ms). */
const PATIENCE_MS = 60_000

/** What the thread is asked, and what it answers: the text of a row's one value. */
export interface Query {
  readonly url: string
  readonly sql: string
}
export interface Answer {
  readonly text?: string
  readonly error?: string
}

let thread: ((query: Query) => Answer) | undefined

const begun = (): ((query: Query) => Answer) => {
  const worker = new Worker(new URL("./queryThread.ts", import.meta.url))
  worker.unref()
  const { port1, port2 } = new MessageChannel()
  const signal = new Int32Array(new SharedArrayBuffer(4))
  worker.postMessage({ port: port2, signal }, [port2])
  port1.unref()
  return (query) => {
    Atomics.store(signal, 0, 0)
    port1.postMessage(query)
    if (Atomics.wait(signal, 0, 0, PATIENCE_MS) === "timed-out") throw new Error(`no answer to ${query.sql}`)
    const answer: Answer | undefined = receiveMessageOnPort(port1)?.message
    if (answer === undefined) throw new Error(`an empty answer to ${query.sql}`)
    return answer
  }
}

/** The first value of a query's first row, as text. */
export const valueOf = (url: string, sql: string): string => {
  thread ??= begun()
  const { error, text } = thread({ url, sql })
  if (error !== undefined) throw new Error(`${sql}: ${error}`)
  return text ?? ""
}
