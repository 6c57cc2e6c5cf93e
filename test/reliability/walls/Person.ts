// An account with a token on a connection of its own, which creates records and compares responses.
import { type Ask, Line, type Reply, textOf } from "../Wire.ts"
import type { Noun } from "./Routes.ts"
import { notification, strategy } from "./Routes.ts"

/** What is made over HTTP: the keys of an exchange account never travel there. */
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

  /** The id of a new record; fails where it is refused. */
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

/** An answer without what differs from one answer to the next: all that may tell a caller something. */
export const told = (reply: Reply | undefined): string => {
  if (reply === undefined) return "no answer"
  const headers = [...reply.headers]
    .filter(([name]) => name !== "date" && name !== "x-request-id")
    .map(([name, value]) => `${name}: ${value}`)
    .sort()
  return [reply.status, ...headers, textOf(reply).replace(/"request_id":"[^"]*"/, "")].join("\n")
}

/** How many work on one list at the same time, each on a connection of their own. */
const CROWD = 8

/** Does something for each item, several at a time, always as the bearer of one token. */
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
