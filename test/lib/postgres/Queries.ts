// Queries of Postgres whose answer is there at once: a thread keeps a connection to each database, and the caller stands
// still until it has asked. A process of psql for each of them would take up the machine of the tests that ask often.
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads"

/** The longest that a query may take (ms). */
const PATIENCE_MS = 60_000

/** How often a caller looks for an answer that it was not woken for (ms). */
const LOOK_MS = 50

/** What the thread is asked, by a number, and what it answers: the text of a row's one value. */
export interface Query {
  readonly number: number
  readonly url: string
  readonly sql: string
}
export interface Answer {
  readonly number: number
  readonly text?: string
  readonly error?: string
}

type Ask = (url: string, sql: string) => Answer
let thread: Ask | undefined

const begun = (): Ask => {
  const worker = new Worker(new URL("./queryThread.ts", import.meta.url))
  worker.unref()
  const { port1, port2 } = new MessageChannel()
  const answered = new Int32Array(new SharedArrayBuffer(4))
  worker.postMessage({ port: port2, answered }, [port2])
  port1.unref()
  let number = 0
  /** An answer that came too late belongs to a query that was given up: it is passed over. */
  const answerTo = (query: number): Answer | undefined => {
    let answer: Answer | undefined
    do answer = receiveMessageOnPort(port1)?.message
    while (answer !== undefined && answer.number !== query)
    return answer
  }
  return (url, sql) => {
    const query: Query = { number: ++number, url, sql }
    port1.postMessage(query)
    const until = performance.now() + PATIENCE_MS
    while (performance.now() < until) {
      const before = Atomics.load(answered, 0)
      const answer = answerTo(query.number)
      if (answer !== undefined) return answer
      Atomics.wait(answered, 0, before, LOOK_MS)
    }
    throw new Error(`no answer to ${sql}`)
  }
}

/** The first value of a query's first row, as text. */
export const valueOf = (url: string, sql: string): string => {
  thread ??= begun()
  const { error, text } = thread(url, sql)
  if (error !== undefined) throw new Error(`${sql}: ${error}`)
  return text ?? ""
}
