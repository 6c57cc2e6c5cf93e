// The streaming prices of one exchange, through ccxt. The session carries out what its watchdog decides (load, open,
// close, poll) and reports quotes, trades and health; prices are read frame by frame (see tap).
import type { Ccxt, Figures } from "../../ccxt/Ccxt.ts"
import { restOf } from "../../ccxt/Channels.ts"
import { descriptors } from "../../ccxt/descriptors.ts"
import { type Failure, failureOf } from "../../ccxt/Failure.ts"
import { fieldOf } from "../../ccxt/Field.ts"
import { load } from "../../ccxt/load.ts"
import * as Pauses from "../../ccxt/Pauses.ts"
import { reach } from "../../ccxt/reach.ts"
import { type Hearing, tap } from "../../ccxt/tap.ts"
import type { KnownExchange } from "../../domain/Market.ts"
import type { PageQuery } from "../history/PageRequest.ts"
import { hangUp } from "./closeStreams.ts"
import { numberOf, Quoting } from "./Quoting.ts"
import { RequestPause } from "./RequestPause.ts"
import { type FeedRequest, request } from "./request.ts"
import type { SessionCallbacks } from "./SessionCallbacks.ts"
import { pageOf } from "./SessionPage.ts"
import { SteadyClock } from "./SteadyClock.ts"
import * as Sweep from "./Sweep.ts"
import { kindOf, symbolOf } from "./symbols.ts"
import { type Action, Watchdog } from "./Watchdog.ts"
import type { Watch } from "./Wire.ts"

/** Market lists are large, and the line may be slow. */
const LOAD_MS = 20_000
const REQUEST_MS = 5000
/** How long a stream may leave pings unanswered before it is given up (see load). */
const DEAF_MS = 15_000
/** The first and longest wait before markets are reloaded because a wanted one is missing; it doubles each time. */
const RELIST_MS = 60_000
const MOST_RELIST_MS = 3_600_000

export class Session {
  readonly #exchange: KnownExchange
  readonly #base: string
  readonly #ear: SessionCallbacks
  readonly #leave: RequestPause
  readonly #time: SteadyClock
  readonly #dog = new Watchdog()
  readonly #quotings = new Map<string, Quoting>()
  #ccxt: Ccxt | undefined
  #trades = false
  /** Markets whose every trade arrives. */
  readonly #wholes = new Set<string>()
  /** Counts how often the streams were given up; promises of an earlier round are ignored. */
  #round = 0
  #isOpen = false
  /** Whether the stream being given up left its pings unanswered. */
  #wasDeaf = false
  #hasEnded = false
  #relistAt = 0
  #relistMs = RELIST_MS
  #health = ""
  #since = 0
  #state = ""
  readonly #hearing: Hearing = {
    ticker: (figures) => this.#streamed(figures),
    trade: (figures) => this.#traded(figures),
    failed: (error) => {
      this.#wasDeaf = fieldOf(error, "name") === "RequestTimeout"
      this.#lost(this.#failure(error))
      this.#wasDeaf = false
    },
    closed: () => this.#lost({ reason: "it closed a stream", pauseMs: 0 }),
    isWanted: () => this.#isOpen
  }

  constructor(exchange: KnownExchange, base: string, ear: SessionCallbacks, pauses = Pauses.make()) {
    this.#leave = new RequestPause(exchange, pauses, ear.now)
    this.#exchange = exchange
    this.#base = base
    this.#ear = ear
    this.#time = new SteadyClock(ear.now)
  }

  /** Replaces the wanted markets. */
  want({ markets, trades }: Watch): void {
    this.#trades = trades
    const wanted = new Map(markets.map((market) => [symbolOf(market), market]))
    const left = [...this.#quotings.keys()].filter((symbol) => !wanted.has(symbol))
    this.#broken(left)
    for (const symbol of left) this.#quotings.delete(symbol)
    for (const [symbol, market] of wanted) {
      if (this.#quotings.has(symbol)) continue
      this.#quotings.set(symbol, new Quoting(market, descriptors[this.#exchange].channels[market.kind]))
      // Its stream went on while it was not wanted.
      if (this.#wholes.has(symbol)) this.#whole([symbol])
    }
    this.#do(this.#dog.want(new Set(wanted.keys()), this.#time.now()))
    this.#tellHealth()
  }

  /** Call a few times a second. */
  check(): void {
    if (this.#hasEnded) return
    const now = this.#time.now()
    this.#do(this.#dog.check(now))
    this.#tellHealth()
    if (this.#ccxt !== undefined && now >= this.#relistAt) void this.#relist(this.#ccxt)
  }

  /** Past candles of a market; why there are none otherwise. */
  readonly page = (query: PageQuery) => pageOf(this.#ccxt, this.#exchange, query, this.#leave)

  /** Ends the session: nothing is sent or reported any more. */
  end(): void {
    this.#hasEnded = true
    this.#drop()
  }

  #do(actions: ReadonlyArray<Action>): void {
    for (const action of actions) {
      switch (action._tag) {
        case "Load":
          void this.#load()
          break
        case "Open":
          this.#open(action.symbols)
          break
        case "Close":
          this.#drop()
          break
        case "Poll":
          void this.#poll(action.symbols)
          break
      }
    }
  }

  /** A single unknown market would make the exchange refuse the request for all. */
  readonly #isListed = (symbol: string): boolean => this.#ccxt?.markets?.[symbol] !== undefined

  async #load(): Promise<void> {
    const paused = this.#leave.now()
    if (paused !== undefined) return this.#dog.loadFailed(paused, this.#time.now())
    try {
      this.#ccxt ??= await this.#loaded()
      this.#ccxt.timeout = LOAD_MS
      // Reloads instead of using ccxt's memory, which keeps failures too.
      await this.#ccxt.loadMarkets(true)
      if (Object.keys(this.#ccxt.markets ?? {}).length === 0) throw new TypeError("no market in the answer")
      Sweep.now()
      this.#dog.loaded(this.#time.now())
    } catch (error) {
      this.#dog.loadFailed(this.#failure(error), this.#time.now())
    }
    this.check()
  }

  async #loaded(): Promise<Ccxt> {
    if (this.#base === "") await reach(descriptors[this.#exchange].home)
    return tap(await load(this.#exchange, this.#base === "" ? undefined : this.#base), this.#hearing)
  }

  /** Markets that were missing may be listed by now: new ones, or ones that a cut answer lacked. */
  async #relist(ccxt: Ccxt): Promise<void> {
    const unlisted = [...this.#quotings.keys()].filter((symbol) => !this.#isListed(symbol))
    this.#relistAt = this.#time.now() + this.#relistMs
    if (unlisted.length === 0 || ccxt.markets === undefined) return
    this.#relistMs = Math.min(MOST_RELIST_MS, this.#relistMs * 2)
    await ccxt.loadMarkets(true).then(Sweep.now, () => undefined)
    // The streams may have been given up meanwhile, or the markets be wanted no longer.
    if (this.#isOpen) this.#open(unlisted.filter((symbol) => this.#quotings.has(symbol)))
  }

  #open(symbols: ReadonlyArray<string>): void {
    this.#isOpen = true
    for (const [kind, ofKind] of Map.groupBy(symbols.filter(this.#isListed), kindOf)) {
      const { book, chunk, lastApart } = descriptors[this.#exchange].channels[kind]
      for (const symbol of ofKind) this.#quotings.get(symbol)?.reopened()
      for (let from = 0; from < ofKind.length; from += chunk) {
        const some = ofKind.slice(from, from + chunk)
        if (book === "bidsAsks") this.#follow((it) => it.watchBidsAsks([...some]))
        if (book === "tickers") this.#follow((it) => it.watchTickers([...some]))
        if (lastApart !== undefined) this.#follow((it) => it.watchTickers([...some], lastApart))
        if (this.#trades)
          this.#follow(
            (it) => it.watchTradesForSymbols([...some]),
            () => this.#whole(some)
          )
      }
    }
  }

  /** Opens a stream. Its data arrives through the tap; this promise only says that it works, or failed. */
  #follow(open: (ccxt: Ccxt) => Promise<unknown>, spoke: () => void = () => undefined): void {
    const ccxt = this.#ccxt
    if (ccxt === undefined) return
    const round = this.#round
    const isOurs = () => round === this.#round
    open(ccxt).then(
      () => (isOurs() ? spoke() : undefined),
      (error: unknown) => (isOurs() ? this.#lost(this.#failure(error)) : undefined)
    )
  }

  #lost(failure: Failure): void {
    this.#do(this.#dog.lost(failure, this.#time.now()))
    this.#tellHealth()
  }

  /** Gives up all streams, also those whose other end is gone. */
  #drop(): void {
    this.#broken([...this.#quotings.keys()])
    this.#wholes.clear()
    this.#round += 1
    this.#isOpen = false
    if (this.#ccxt !== undefined) hangUp(this.#ccxt)
  }

  async #poll(symbols: ReadonlyArray<string>): Promise<void> {
    const sentAt = { at: this.#time.now(), clock: this.#ear.now() }
    const ccxt = this.#ccxt
    const paused = this.#leave.now()
    if (paused !== undefined) return this.#dog.pollEnded(this.#time.now(), paused)
    try {
      if (ccxt === undefined) throw new TypeError("nothing is loaded")
      ccxt.timeout = REQUEST_MS
      for (const [kind, ofKind] of Map.groupBy(symbols.filter(this.#isListed), kindOf)) {
        const rest = restOf(descriptors[this.#exchange].channels[kind], ofKind.length)
        const answers = await request(ccxt, rest, ofKind)
        for (const symbol of ofKind) this.#polled(symbol, answers.get(symbol), sentAt)
      }
      this.#dog.pollEnded(this.#time.now())
    } catch (error) {
      this.#dog.pollEnded(this.#time.now(), this.#failure(error))
    }
    this.#tellHealth()
  }

  #polled(symbol: string, figures: Figures | undefined, feedRequest: FeedRequest): void {
    const quoting = this.#quotings.get(symbol)
    // A streamed price since the request is newer.
    if (quoting === undefined || figures === undefined || this.#dog.lastStreamed(symbol) > feedRequest.at)
      return
    const differs = quoting.polled(figures)
    if (differs === undefined) return
    this.#dog.polled(symbol, differs, this.#time.now())
    this.#quote(quoting, feedRequest.clock)
  }

  #quote({ ask, bid, last, wanted }: Quoting, at: number): void {
    this.#ear.quote([wanted.number, bid, ask, Number.isNaN(last) ? (bid + ask) / 2 : last, at])
  }

  #failure(error: unknown): Failure {
    return this.#leave.heard(failureOf(this.#exchange, error, this.#ccxt?.last_response_headers))
  }

  #streamed(figures: Figures): void {
    const quoting = typeof figures.symbol === "string" ? this.#quotings.get(figures.symbol) : undefined
    if (quoting === undefined || typeof figures.symbol !== "string") return
    const now = this.#ear.now()
    if (!quoting.streamed(figures, now)) return
    this.#dog.streamed(figures.symbol, this.#time.now())
    this.#quote(quoting, now)
  }

  #traded({ amount, price, symbol, timestamp }: Figures): void {
    const quoting = typeof symbol === "string" ? this.#quotings.get(symbol) : undefined
    if (quoting === undefined || typeof symbol !== "string") return
    const size = numberOf(fieldOf(this.#ccxt?.markets?.[symbol], "contractSize"))
    const base = quoting.wanted.kind === "swap" && size > 0 ? numberOf(amount) * size : numberOf(amount)
    this.#ear.trade([quoting.wanted.number, numberOf(price), base, numberOf(timestamp)])
  }

  #whole(symbols: ReadonlyArray<string>): void {
    for (const symbol of symbols) this.#wholes.add(symbol)
    this.#ear.send({ _tag: "Whole", numbers: this.#numbers(symbols) })
  }

  #broken(symbols: ReadonlyArray<string>): void {
    if (!this.#trades || symbols.length === 0) return
    // A dead stream of trades is noticed by unanswered pings, while other streams go on.
    const deafSince = this.#wasDeaf ? this.#ear.now() - DEAF_MS : Number.POSITIVE_INFINITY
    const since = Math.min(this.#time.shown(this.#dog.framedAt), deafSince)
    this.#ear.send({ _tag: "Broken", numbers: this.#numbers(symbols), since })
  }

  #numbers(symbols: ReadonlyArray<string>): ReadonlyArray<number> {
    return symbols.flatMap((symbol) => this.#quotings.get(symbol)?.wanted.number ?? [])
  }

  /** Reports the health when it changes. */
  #tellHealth(): void {
    if (this.#hasEnded) return
    const { reason, reconnects, state } = this.#dog.health(this.#time.now())
    if (state !== this.#state) this.#since = this.#ear.now()
    this.#state = state
    const health = `${state} ${reason} ${reconnects}`
    if (health === this.#health) return
    this.#health = health
    this.#ear.send({
      _tag: "Health",
      health: { exchange: this.#exchange, state, reason, reconnects, since: this.#since }
    })
  }
}
