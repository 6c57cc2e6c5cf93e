// The private side of a stub: who may trade, what is traded, and all that goes wrong with it at a word.
import type * as Decimal from "../../../src/domain/Decimal.ts"
import type { Board, RestRequest } from "../Protocol.ts"
import { Book } from "./Book.ts"
import { type Flaw, Refused, refuse } from "./Flaw.ts"
import type { Credentials, Kind, Private, Reply } from "./Private.ts"
import { type Trouble, Troubles } from "./Trouble.ts"

/** What is sent; undefined is a connection that ends without a word. */
export interface Sent {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}

/** A private request that came in. */
export interface Call {
  readonly kind: Kind
  readonly at: number
  readonly request: RestRequest
  readonly trouble: Trouble | undefined
}

const PAGE = "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"
const JSON_TYPE = { "content-type": "application/json" }
const PAGE_TYPE = { "content-type": "text/html" }

export class Desk {
  readonly troubles = new Troubles()
  readonly book: Book
  /** All private requests, oldest first. */
  readonly calls: Array<Call> = []
  credentials: Credentials
  /** The exchange does not know the key any more. */
  isRevoked = false
  readonly permissions = { trade: true, withdraw: false }
  /** The mode of an OKX account: 1 spot, 2 futures (margin of a single currency), 3 margin of many currencies. */
  accountLevel: "1" | "2" | "3" = "2"
  /** How much of each asset the exchange has moved to where it earns, without being asked. */
  readonly earning = new Map<string, Decimal.Decimal>()
  /** How far the exchange's clock is ahead of the machine's (ms). */
  skewMs = 0
  /** Told of each private request, before anything is done about it and before its answer goes out; it may take time. */
  watch: (call: Call, when: "before" | "after") => void | Promise<void> = () => {}
  #bannedUntil = 0
  readonly #board: Board
  readonly #protocol: Private

  constructor(protocol: Private, board: Board) {
    this.#protocol = protocol
    this.#board = board
    this.credentials = protocol.credentials
    this.book = new Book(protocol.policy, board, this.now)
  }

  readonly now = (): number => this.#board.now()

  get board(): Board {
    return this.#board
  }

  /** Everything is refused for so long; 0 ends it, whatever the clock does. */
  readonly ban = (ms: number): void => {
    this.#bannedUntil = ms > 0 ? this.now() + ms : 0
  }

  /** How many requests of a kind came in. */
  readonly count = (kind: Kind): number => this.calls.filter((call) => call.kind === kind).length

  /** Answers a private request; null where it is none. `publicly` answers what needs no key. */
  readonly answer = async (
    request: RestRequest,
    publicly: () => unknown
  ): Promise<Sent | undefined | null> => {
    const kind = this.#protocol.kindOf(request)
    if (kind === undefined) return null
    const trouble = this.troubles.take(kind, request)
    const call = { kind, at: this.now(), request, trouble }
    this.calls.push(call)
    await this.watch(call, "before")
    const said = (flaw: Flaw, retryAfter?: number) =>
      sent(this.#protocol.refusal(flaw, kind, request, this.now()), retryAfter)
    const bannedMs = this.#bannedUntil - this.now()
    if (bannedMs > 0) return said("banned", Math.ceil(bannedMs / 1000))
    if (trouble?.how === "refuse") return said(trouble.flaw, trouble.retryAfter)
    const spoil = (answer: Sent): Promise<Sent | undefined> => this.#spoil(trouble, answer, said)
    const isBefore = trouble !== undefined && trouble.when === "before"
    if (isBefore && trouble.how !== "delay") return spoil(sent({ status: 200, body: {} }))
    if (isBefore) await spoil(sent({ status: 200, body: {} }))
    const answer = this.#perform(kind, request, publicly)
    await this.watch(call, "after")
    return isBefore ? answer : spoil(answer)
  }

  readonly #perform = (kind: Kind, request: RestRequest, publicly: () => unknown): Sent => {
    try {
      if (kind === "time") return sent({ status: 200, body: publicly() })
      const flaw = this.isRevoked ? "bad_key" : this.#protocol.flawOf(request, this.credentials, this.now())
      if (flaw !== undefined) refuse(flaw)
      const changes = kind === "place" || kind === "cancel" || kind === "leverage"
      if (changes && !this.permissions.trade) refuse("no_permission")
      return sent({ status: 200, body: this.#protocol.perform(request, this) })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return sent(this.#protocol.refusal(error.flaw, kind, request, this.now()))
    }
  }

  readonly #spoil = async (
    trouble: Trouble | undefined,
    answer: Sent,
    said: (flaw: Flaw, retryAfter?: number) => Sent
  ): Promise<Sent | undefined> => {
    switch (trouble?.how) {
      case "cut":
        return undefined
      case "hang":
        return new Promise<Sent>(() => {})
      case "delay":
        await Bun.sleep(trouble.ms)
        return answer
      case "status": {
        const { flaw, retryAfter, status } = trouble
        if (flaw !== undefined) return { ...said(flaw, retryAfter), status }
        return { ...sent({ status, body: PAGE, headers: PAGE_TYPE }, retryAfter) }
      }
      case "truncated":
        return { ...answer, text: answer.text.slice(0, Math.floor(answer.text.length / 2)) }
      case "nonsense":
        return { status: 200, text: PAGE, headers: PAGE_TYPE }
      case "empty":
        return { ...answer, text: "" }
      default:
        return answer
    }
  }
}

const sent = ({ body, headers, status }: Reply, retryAfter?: number): Sent => ({
  status,
  text: typeof body === "string" ? body : JSON.stringify(body ?? null),
  headers: {
    ...(typeof body === "string" ? { "content-type": "text/plain" } : JSON_TYPE),
    ...headers,
    ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) })
  }
})
