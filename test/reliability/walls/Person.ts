// An account with a token on a connection of its own, which creates records and compares responses.
import { type Ask, Line, type Reply, textOf } from "../Wire.ts"
import type { Noun } from "./Routes.ts"
import { notification, strategy } from "./Routes.ts"

/** The kinds of records that HTTP creates, which excludes exchange accounts because of their keys. */
export type Made = Exclude<Noun, "exchange_account">

export class Person {
  readonly token: string
  readonly line: Line

  constructor(port: number, token: string) {
    this.token = token
    this.line = new Line(port)
  }

  ask(method: string, target: string, body?: object): Promise<Reply | undefined> {
    return this.line.ask(signed({ method, target, ...(body === undefined ? {} : json(body)) }, this.token))
  }

  /** Creates a record and returns its id; fails if it is refused. */
  async make(noun: Made, fields: object): Promise<number> {
    const [target, body] = wanted(noun, fields)
    const reply = await this.ask("POST", target, body)
    const location = reply?.headers.get("location") ?? ""
    const id = Number(/\/(\d+)$/.exec(location)?.[1])
    if (reply === undefined || !(id > 0))
      throw new Error(`no ${noun} was made: ${reply === undefined ? "no answer" : textOf(reply)}`)
    return id
  }
}

const wanted = (noun: Made, fields: object): [string, object] => {
  switch (noun) {
    case "signal":
      return [
        "/v1/signals",
        { name: "A signal", description: "of mine", active: true, public: false, ...fields }
      ]
    case "strategy":
      return ["/v1/strategies", { ...strategy, ...fields }]
    case "notification":
      return ["/v1/notifications", { ...notification, ...fields }]
    case "alert":
      return ["/v1/signals/alert", { coin: "BTC", quote_currency: "USDT", type: "buy", ...fields }]
  }
}

export const json = (body: object) => ({
  body: JSON.stringify(body),
  headers: { "content-type": "application/json" }
})

/** The request with a token in its header. */
export const signed = (ask: Ask, token: string): Ask => ({
  ...ask,
  headers: { ...ask.headers, authorization: `Bearer ${token}` }
})

/** An answer without the parts that differ between any two answers. */
export const told = (reply: Reply | undefined): string => {
  if (reply === undefined) return "no answer"
  const headers = [...reply.headers]
    .filter(([name]) => name !== "date" && name !== "x-request-id")
    .map(([name, value]) => `${name}: ${value}`)
    .sort()
  return [reply.status, ...headers, textOf(reply).replace(/"request_id":"[^"]*"/, "")].join("\n")
}

/** The number of connections that share one list of work. */
const CROWD = 8

/** Runs an action for each item, several at a time, always with one token. */
export const crowd = async <A>(
  port: number,
  token: string,
  items: ReadonlyArray<A>,
  work: (person: Person, item: A) => Promise<void>
): Promise<void> => {
  const queue = items.values()
  const person = async () => {
    const one = new Person(port, token)
    for (const item of queue) await work(one, item)
    one.line.close()
  }
  await Promise.all(Array.from({ length: CROWD }, person))
}
