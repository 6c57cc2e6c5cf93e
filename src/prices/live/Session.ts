import type { Ccxt, Figures } from "../../ccxt/Ccxt.ts"
import { type Failure, failureOf, fieldOf } from "../../ccxt/Failure.ts"
import { load } from "../../ccxt/load.ts"
import { type Hearing, tap } from "../../ccxt/tap.ts"
import type { ExchangeName, MarketKind } from "../../domain/Market.ts"
import { channelsOf } from "./channels.ts"
import { numberOf, Quoting } from "./Quoting.ts"
import { type Action, Watchdog } from "./Watchdog.ts"
import type { Told, Wanted, Watch } from "./Wire.ts"

/** Where a session tells what it hears. */
export interface Ear {
  readonly quote: (number: number, bid: number, ask: number, last: number, at: number) => void
  readonly trade: (number: number, price: number, amount: number, at: number) => void
  readonly tell: (told: Told) => void
  /** The time (ms since the epoch). */
  readonly now: () => number
}

/** Markets are large and many, and may come over a slow line. */
const LOAD_MS = 20_000
const REQUEST_MS = 5000
/** How soon markets are loaded again when one that is wanted is not among them; twice as long after each time. */
const RELIST_MS = 60_000
const MOST_RELIST_MS = 3_600_000

/**
 * The streams of one exchange, through ccxt. Prices are taken where the library parses them, frame by frame: its own
 * promises tell only that something changed, at ten times the cost. What to do and when says the watchdog.
 */
export class Session {
  readonly #exchange: ExchangeName
  readonly #base: string
  readonly #ear: Ear
  readonly #dog = new Watchdog()
  readonly #quotings = new Map<string, Quoting>()
  #ccxt: Ccxt | undefined
  #trades = false
  #relistAt = 0
  #relistMs = RELIST_MS
  #health = ""
  #since = 0
  #state = ""

  readonly #hearing: Hearing = {
    ticker: (figures) => this.#streamed(figures),
    trade: (figures) => this.#traded(figures),
    failed: (error) => this.#lost(this.#failure(error)),
    closed: () => this.#lost({ reason: "it closed a stream", pauseMs: 0 })
  }

  constructor(exchange: ExchangeName, base: string, ear: Ear) {
    this.#exchange = exchange
    this.#base = base
    this.#ear = ear
  }

  /** These markets from now on. */
  want({ markets, trades }: Watch): void {
    this.#trades = trades
    const wanted = new Map(markets.map((market) => [symbolOf(market), market]))
    const left = [...this.#quotings.keys()].filter((symbol) => !wanted.has(symbol))
    this.#broken(left)
    for (const symbol of left) this.#quotings.delete(symbol)
    for (const [symbol, market] of wanted) {
      if (this.#quotings.has(symbol)) continue
      this.#quotings.set(symbol, new Quoting(market, channelsOf(this.#exchange, market.kind)))
    }
    this.#do(this.#dog.want(new Set(wanted.keys()), this.#ear.now()))
    this.#tellHealth()
  }

  /** To be called a few times a second. */
  look(): void {
    this.#do(this.#dog.look(this.#ear.now()))
    this.#tellHealth()
    if (this.#ccxt !== undefined && this.#ear.now() >= this.#relistAt) void this.#relist(this.#ccxt)
  }

  end(): void {
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

  /** One market that the exchange does not know would spoil the request for all. */
  readonly #isListed = (symbol: string): boolean => this.#ccxt?.markets?.[symbol] !== undefined

  async #load(): Promise<void> {
    try {
      this.#ccxt ??= tap(
        await load(this.#exchange, this.#base === "" ? undefined : this.#base),
        this.#hearing
      )
      this.#ccxt.timeout = LOAD_MS
      // Again, and not what it remembers of the time before: it remembers failures too.
      await this.#ccxt.loadMarkets(true)
      if (Object.keys(this.#ccxt.markets ?? {}).length === 0) throw new TypeError("no market in the answer")
      // The answer was large, and is not needed any more.
      Bun.gc(true)
      this.#dog.loaded(this.#ear.now())
    } catch (error) {
      this.#dog.loadFailed(this.#failure(error), this.#ear.now())
    }
    this.look()
  }

  /** Markets that were not listed may be by now: one is new, or the answer was half of one. */
  async #relist(ccxt: Ccxt): Promise<void> {
    const unlisted = [...this.#quotings.keys()].filter((symbol) => !this.#isListed(symbol))
    this.#relistAt = this.#ear.now() + this.#relistMs
    if (unlisted.length === 0 || ccxt.markets === undefined) return
    this.#relistMs = Math.min(MOST_RELIST_MS, this.#relistMs * 2)
    await ccxt.loadMarkets(true).catch(() => undefined)
    this.#open(unlisted)
  }

  #open(symbols: ReadonlyArray<string>): void {
    for (const [kind, ofKind] of Map.groupBy(symbols.filter(this.#isListed), kindOf)) {
      const { book, chunk, lastApart } = channelsOf(this.#exchange, kind)
      for (const symbol of ofKind) this.#quotings.get(symbol)?.reopened()
      for (let from = 0; from < ofKind.length; from += chunk) {
        const some = ofKind.slice(from, from + chunk)
        if (book === "bidsAsks") this.#follow((it) => it.watchBidsAsks([...some]))
        if (book === "tickers") this.#follow((it) => it.watchTickers([...some]))
        if (lastApart) this.#follow((it) => it.watchTickers([...some], LAST_APART[this.#exchange] ?? {}))
        if (this.#trades)
          this.#follow(
            (it) => it.watchTradesForSymbols([...some]),
            () => this.#whole(some)
          )
      }
    }
  }

  /** Opens a stream. What it tells is heard elsewhere; here only whether it stands, and then its first word. */
  #follow(open: (ccxt: Ccxt) => Promise<unknown>, spoke: () => void = () => undefined): void {
    const ccxt = this.#ccxt
    if (ccxt === undefined) return
    open(ccxt).then(spoke, (error: unknown) => this.#lost(this.#failure(error)))
  }

  #lost(failure: Failure): void {
    this.#do(this.#dog.lost(failure, this.#ear.now()))
    this.#tellHealth()
  }

  /** Gives up all streams, also those whose other end is gone without a word. */
  #drop(): void {
    this.#broken([...this.#quotings.keys()])
    const ccxt = this.#ccxt
    if (ccxt === undefined) return
    // Where KuCoin's streams are is good for a day: asked anew, and not remembered.
    delete ccxt.options["urls"]
    for (const [url, client] of Object.entries(ccxt.clients)) {
      delete ccxt.clients[url]
      const { connection } = client
      if (connection instanceof WebSocket) connection.terminate()
      else client.close()
    }
  }

  async #poll(symbols: ReadonlyArray<string>): Promise<void> {
    const asked = this.#ear.now()
    try {
      for (const [kind, ofKind] of Map.groupBy(symbols.filter(this.#isListed), kindOf)) {
        const answers = await this.#ask(channelsOf(this.#exchange, kind).rest, ofKind)
        // Half an answer and a page for people are no error to the library: it finds no ticker in them.
        if (answers.size === 0) throw new TypeError("no ticker in the answer")
        for (const symbol of ofKind) this.#polled(symbol, answers.get(symbol), asked)
      }
      this.#dog.pollEnded(this.#ear.now())
    } catch (error) {
      this.#dog.pollEnded(this.#ear.now(), this.#failure(error))
    }
    this.#tellHealth()
  }

  async #ask(rest: "tickers" | "bidsAsks" | "ticker", symbols: ReadonlyArray<string>) {
    const ccxt = this.#ccxt
    if (ccxt === undefined) return new Map<string, Figures>()
    ccxt.timeout = REQUEST_MS
    if (rest === "tickers") return figuresBySymbol(await ccxt.fetchTickers([...symbols]))
    if (rest === "bidsAsks") return figuresBySymbol(await ccxt.fetchBidsAsks([...symbols]))
    const answers = await Promise.all(symbols.map((symbol) => ccxt.fetchTicker(symbol)))
    return figuresBySymbol(answers)
  }

  #polled(symbol: string, figures: Figures | undefined, asked: number): void {
    const quoting = this.#quotings.get(symbol)
    // What a stream told since is newer.
    if (quoting === undefined || figures === undefined || this.#dog.lastStreamed(symbol) > asked) return
    const differs = quoting.polled(figures)
    if (!quoting.isKnown()) return
    this.#dog.polled(symbol, differs, this.#ear.now())
    this.#quote(quoting, asked)
  }

  #quote({ ask, bid, last, wanted }: Quoting, at: number): void {
    this.#ear.quote(wanted.number, bid, ask, Number.isNaN(last) ? (bid + ask) / 2 : last, at)
  }

  #failure(error: unknown): Failure {
    return failureOf(error, this.#ccxt?.last_response_headers)
  }

  #streamed(figures: Figures): void {
    const quoting = typeof figures.symbol === "string" ? this.#quotings.get(figures.symbol) : undefined
    if (quoting === undefined || typeof figures.symbol !== "string") return
    const now = this.#ear.now()
    if (!quoting.streamed(figures, now)) return
    this.#dog.streamed(figures.symbol, now)
    this.#quote(quoting, now)
  }

  #traded({ amount, price, symbol, timestamp }: Figures): void {
    const quoting = typeof symbol === "string" ? this.#quotings.get(symbol) : undefined
    if (quoting === undefined || typeof symbol !== "string") return
    const size = numberOf(fieldOf(this.#ccxt?.markets?.[symbol], "contractSize"))
    const base = quoting.wanted.kind === "swap" && size > 0 ? numberOf(amount) * size : numberOf(amount)
    this.#ear.trade(quoting.wanted.number, numberOf(price), base, numberOf(timestamp))
  }

  #whole(symbols: ReadonlyArray<string>): void {
    this.#ear.tell({ _tag: "Whole", numbers: this.#numbers(symbols) })
  }

  #broken(symbols: ReadonlyArray<string>): void {
    if (!this.#trades || symbols.length === 0) return
    this.#ear.tell({ _tag: "Broken", numbers: this.#numbers(symbols), since: this.#dog.framedAt })
  }

  #numbers(symbols: ReadonlyArray<string>): ReadonlyArray<number> {
    return symbols.flatMap((symbol) => this.#quotings.get(symbol)?.wanted.number ?? [])
  }

  /** Told when it changes. */
  #tellHealth(): void {
    const now = this.#ear.now()
    const { reason, reconnects, state } = this.#dog.health(now)
    if (state !== this.#state) this.#since = now
    this.#state = state
    const health = `${state} ${reason} ${reconnects}`
    if (health === this.#health) return
    this.#health = health
    this.#ear.tell({
      _tag: "Health",
      health: { exchange: this.#exchange, state, reason, reconnects, since: this.#since }
    })
  }
}

/** What the stream of last prices is called, where it is not the library's own choice. */
const LAST_APART: Readonly<Partial<Record<ExchangeName, object>>> = { binance: { name: "ticker" } }

/** The library's name of a market: `BTC/USDT`, and `BTC/USDT:USDT` for the perpetual settled in USDT. */
const symbolOf = ({ kind, pair }: Wanted): string =>
  kind === "spot" ? pair : `${pair}:${pair.slice(pair.indexOf("/") + 1)}`
const kindOf = (symbol: string): MarketKind => (symbol.includes(":") ? "swap" : "spot")

/** What requests answer: tickers by symbol, or a list of them. */
const figuresBySymbol = (answer: unknown): ReadonlyMap<string, Figures> => {
  const tickers: ReadonlyArray<unknown> =
    typeof answer === "object" && answer !== null ? Object.values(answer) : []
  return new Map(tickers.filter(isFigures).map((figures) => [String(figures.symbol), figures]))
}

const isFigures = (value: unknown): value is Figures =>
  typeof value === "object" && value !== null && "symbol" in value
