// A stand-in for one exchange on the loopback interface: REST and streams on one port, in the exchange's own words,
// and all that goes wrong with exchanges at the turn of a switch.

import type { Server, ServerWebSocket } from "bun"
import { Door } from "./Door.ts"
import {
  type Board,
  type Print,
  type Protocol,
  type Quote,
  type RestRequest,
  type Slot,
  type StubMarket,
  slotKey
} from "./Protocol.ts"
import { Desk } from "./private/Desk.ts"
import { privates } from "./private/privates.ts"
import { Wire } from "./Wire.ts"

/** What goes wrong at present. */
export interface Faults {
  /** Streams stay open and pings are answered, but no data comes. */
  silent: boolean
  /** No stream is opened. */
  refuse: boolean
  /** REST answers with this status. */
  rest: { readonly status: number; readonly retryAfter?: number } | undefined
  /** REST answers 200 with half of the body. */
  truncated: boolean
  /** REST answers 200 with a page for people. */
  nonsense: boolean
  /** REST never answers. */
  hang: boolean
}

export interface Asked extends RestRequest {
  readonly at: number
}

type Socket = ServerWebSocket<Wire>

const EARLY: Quote = { bid: 99, ask: 101, last: 100 }
/** How many trades of a market are remembered. */
const RECENT = 50
const PAGE =
  "<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Checking you</body></html>"

/** `door: false` serves without the TCP port in front: faster, but nothing can be frozen. */
export interface Options {
  readonly door?: boolean
  readonly now?: () => number
}

export class Stub {
  readonly faults: Faults = {
    silent: false,
    refuse: false,
    rest: undefined,
    truncated: false,
    nonsense: false,
    hang: false
  }
  /** All REST requests, oldest first. */
  readonly requests: Array<Asked> = []
  /** Streams ever opened, and frames ever sent. */
  connections = 0
  frames = 0
  /** Answers requests for past candles, if it is there: at once, or by a promise. */
  candles: ((query: URLSearchParams) => unknown) | undefined
  readonly #protocol: Protocol
  readonly #markets: ReadonlyMap<string, StubMarket>
  readonly #quotes = new Map<string, Quote>()
  readonly #prints = new Map<string, ReadonlyArray<Print>>()
  readonly #sockets = new Set<Socket>()
  readonly #server: Server<Wire>
  readonly #door: Door | undefined
  readonly #now: () => number
  readonly #board: Board
  #desk: Desk | undefined

  private constructor(protocol: Protocol, markets: ReadonlyArray<StubMarket>, options: Options) {
    this.#protocol = protocol
    this.#markets = new Map(markets.map((market) => [slotKey(market), market]))
    this.#now = options.now ?? Date.now
    this.#server = this.#serve()
    this.#door = options.door === false ? undefined : new Door(this.#server.port ?? 0)
    const url = () => this.url
    this.#board = {
      get url() {
        return url()
      },
      markets,
      quote: (slot) => this.#quotes.get(slotKey(slot)) ?? EARLY,
      prints: (slot) => this.#prints.get(slotKey(slot)) ?? [],
      now: () => this.#now() + (this.#desk?.skewMs ?? 0)
    }
  }

  static readonly start = async (
    protocol: Protocol,
    markets: ReadonlyArray<StubMarket>,
    options: Options = {}
  ): Promise<Stub> => {
    const stub = new Stub(protocol, markets, options)
    await stub.#door?.open()
    return stub
  }

  /** Its private side, made when it is first asked for: until then the stub knows no key, and no private path. */
  get desk(): Desk {
    this.#desk ??= new Desk(privates[this.#protocol.name], this.#board)
    return this.#desk
  }

  get url(): string {
    return `http://127.0.0.1:${this.#door?.port ?? this.#server.port}`
  }

  /** Streams open now; frozen ones do not count. */
  get lines(): number {
    return this.#live().length
  }

  /** Remembers the quote, and tells it to all who asked. */
  readonly quote = (slot: Slot, quote: Quote): void => {
    const market = this.#market(slot)
    this.#quotes.set(slotKey(slot), quote)
    this.#desk?.book.quoted(slot)
    const at = this.#now()
    if (this.faults.silent) return
    for (const socket of this.#sockets)
      this.#send(socket, this.#protocol.quoted(market, quote, socket.data, at))
  }

  /** Remembers the trade, and tells it to all who asked. */
  readonly print = (slot: Slot, print: Print): void => {
    const market = this.#market(slot)
    this.#prints.set(slotKey(slot), [...this.#board.prints(slot), print].slice(-RECENT))
    if (this.faults.silent) return
    for (const socket of this.#sockets) this.#send(socket, this.#protocol.traded(market, print, socket.data))
  }

  /** Over how many open lines each market (`BTC/USDT:spot`) is subscribed to, on any channel or on one. */
  readonly subscriptions = (channel?: string): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>()
    for (const socket of this.#live())
      for (const key of socket.data.held(channel)) counts.set(key, (counts.get(key) ?? 0) + 1)
    return counts
  }

  /** The channels that open lines are subscribed to. */
  get channels(): ReadonlyArray<string> {
    return [...new Set(this.#live().flatMap((socket) => socket.data.channels()))]
  }

  /** Drops all streams without a word. */
  readonly cut = (): void => {
    for (const socket of this.#sockets) socket.terminate()
  }

  /** The streams that are open now get nothing any more, no pong and no close; new ones work. */
  readonly freeze = (): void => {
    for (const socket of this.#sockets) socket.data.isFrozen = true
    this.#door?.freeze()
  }

  readonly thaw = (): void => {
    for (const socket of this.#sockets) socket.data.isFrozen = false
    this.#door?.thaw()
  }

  /** Sends a text to all streams as it is. */
  readonly babble = (text: string): void => {
    for (const socket of this.#sockets) this.#send(socket, [text])
  }

  /** Connections are refused until `up`. Needs the door. */
  readonly down = async (): Promise<void> => {
    await this.#door?.shut()
  }

  readonly up = async (): Promise<void> => {
    await this.#door?.open()
  }

  readonly stop = async (): Promise<void> => {
    await this.#door?.shut()
    await this.#server.stop(true)
  }

  readonly #live = (): ReadonlyArray<Socket> => [...this.#sockets].filter((socket) => !socket.data.isFrozen)

  readonly #market = (slot: Slot): StubMarket => {
    const market = this.#markets.get(slotKey(slot))
    if (market === undefined) throw new Error(`the stub has no market ${slotKey(slot)}`)
    return market
  }

  readonly #send = (socket: Socket, frames: ReadonlyArray<string>): void => {
    if (socket.data.isFrozen) return
    for (const frame of frames) socket.sendText(frame)
    this.frames += frames.length
  }

  readonly #serve = (): Server<Wire> =>
    Bun.serve<Wire>({
      hostname: "127.0.0.1",
      port: 0,
      idleTimeout: 0,
      fetch: (request, server) => this.#answer(request, server),
      websocket: {
        idleTimeout: 0,
        sendPings: false,
        open: (socket) => {
          this.connections++
          socket.data.drop = () => socket.close(1008)
          this.#sockets.add(socket)
          this.#send(socket, this.#protocol.greet(socket.data, this.#board))
        },
        message: (socket, text) => this.#heard(socket, String(text)),
        close: (socket) => {
          this.#sockets.delete(socket)
        }
      }
    })

  readonly #heard = (socket: Socket, text: string): void => {
    this.#send(socket, this.#protocol.hear(text, socket.data, this.#board))
    const fresh = socket.data.fresh()
    if (!this.#protocol.snapshots || this.faults.silent) return
    for (const key of fresh) {
      const market = this.#markets.get(key)
      if (market === undefined) continue
      const quote = this.#board.quote(market)
      this.#send(socket, this.#protocol.quoted(market, quote, socket.data, this.#now()))
    }
  }

  readonly #answer = async (request: Request, server: Server<Wire>): Promise<Response | undefined> => {
    const url = new URL(request.url)
    const [, host = "", path = "/"] = /^\/([^/]*)(\/.*)?$/.exec(url.pathname) ?? []
    if (request.headers.get("upgrade")?.toLowerCase() === "websocket") {
      if (this.faults.refuse) return new Response("", { status: 503 })
      const data = new Wire(host, path, url.searchParams)
      return server.upgrade(request, { data }) ? undefined : new Response("", { status: 400 })
    }
    const { headers, method } = request
    const port = server.requestIP(request)?.port ?? 0
    const target = path + url.search
    const body = await request.text()
    const asked = { method, host, path, query: url.searchParams, body, target, headers }
    this.requests.push({ ...asked, at: this.#now() })
    if (this.candles !== undefined && path.endsWith("/klines"))
      return Response.json(await this.candles(url.searchParams))
    return this.#rest(asked, port)
  }

  /** `port` is the client's: what is cut is its connection. */
  readonly #rest = async (request: RestRequest, port: number): Promise<Response> => {
    const { hang, nonsense, rest, truncated } = this.faults
    if (hang) return new Promise<Response>(() => {})
    if (rest !== undefined) {
      const body = this.#protocol.refusal?.(rest.status)
      const headers = rest.retryAfter === undefined ? {} : { "retry-after": String(rest.retryAfter) }
      const init = { status: rest.status, headers }
      return body === undefined ? new Response("out of order", init) : Response.json(body, init)
    }
    if (nonsense) return new Response(PAGE, { headers: { "content-type": "text/html" } })
    const publicly = () => this.#protocol.rest(request, this.#board)
    const sent = await this.#desk?.answer(request, publicly)
    if (sent === undefined && this.#desk !== undefined) {
      this.#door?.cut(port)
      return new Promise<Response>(() => {})
    }
    if (sent !== null && sent !== undefined)
      return new Response(sent.text, { status: sent.status, headers: sent.headers })
    const answer = publicly()
    if (answer === undefined) return Response.json({ error: "no such path" }, { status: 404 })
    const text = JSON.stringify(answer)
    return new Response(truncated ? text.slice(0, text.length / 2) : text, {
      headers: { "content-type": "application/json" }
    })
  }
}
