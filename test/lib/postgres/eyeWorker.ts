// The thread of an eye: it asks the database, and wakes the thread that waits.
import { Client, TypeOverrides } from "pg"

/** One question. */
export interface Question {
  readonly text: string
  readonly params: ReadonlyArray<unknown>
  readonly isArray: boolean
}

/** Its rows, or why there are none. */
export type Answer<Row = unknown> = { readonly rows: ReadonlyArray<Row> } | { readonly error: string }

/** What the thread begins with. */
export interface Beginning {
  readonly url: string
  readonly bell: Int32Array
  readonly port: MessagePort
}

const BIGINT = 20
const types = new TypeOverrides()
types.setTypeParser(BIGINT, Number)
/** How long a server that crashed is waited for (ms), and how often it is tried. */
const PATIENCE_MS = 60_000
const AGAIN_MS = 50

let client: Client | undefined

const connected = async (url: string): Promise<Client> => {
  if (client !== undefined) return client
  const made = new Client({ connectionString: url, application_name: "eye", types })
  made.on("error", () => {
    client = undefined
  })
  await made.connect()
  client = made
  return made
}

const ask = async (url: string, { isArray, params, text }: Question): Promise<Answer> => {
  for (let waited = 0; ; waited += AGAIN_MS) {
    try {
      const values = [...params]
      const open = await connected(url)
      const { rows } = await (isArray
        ? open.query<Array<unknown>>({ text, values, rowMode: "array" })
        : open.query({ text, values }))
      return { rows }
    } catch (error) {
      // A statement that is wrong stays wrong.
      if (client !== undefined && !/terminat|cancel/i.test(String(error))) return { error: String(error) }
      client = undefined
      if (waited > PATIENCE_MS) return { error: String(error) }
      await Bun.sleep(AGAIN_MS)
    }
  }
}

declare const self: { onmessage: ((event: MessageEvent<Beginning>) => void) | null }

self.onmessage = ({ data: { bell, port, url } }) => {
  port.onmessage = async (event) => {
    const question: Question = event.data
    port.postMessage(await ask(url, question))
    Atomics.store(bell, 0, 1)
    Atomics.notify(bell, 0)
  }
}
