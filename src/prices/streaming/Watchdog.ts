// Decides when the streams of one exchange are loaded, opened, given up or replaced by polling. Streams that fail, fall
// silent or contradict polled prices are reopened after growing pauses; silent markets are polled. Pure: each call
// takes the time (ms).
import type { Failure } from "../../ccxt/Failure.ts"
import { FRESH_MS } from "../../domain/internal/PriceFreshness.ts"

/** The session's next action. */
export type Action =
  | { readonly _tag: "Load" }
  | { readonly _tag: "Open"; readonly symbols: ReadonlyArray<string> }
  | { readonly _tag: "Close" }
  | { readonly _tag: "Poll"; readonly symbols: ReadonlyArray<string> }

/** A market without a streamed price for this long is polled. */
export const SILENT_MS = 4000
/** The same while the streams are down, and for a market without any price yet. */
export const UNHEARD_MS = 1500
/** A stream that polls contradict for this long is reopened; the time doubles each time, up to the most. */
export const PATIENCE_MS = 8000
const MOST_PATIENCE_MS = 600_000
/** A stream without any frame for this long is reopened. */
export const DEAD_MS = 60_000
/** How long streams may include markets that are no longer wanted. */
export const EXCESS_MS = 30_000
/** A stream that worked this long counts as good, which resets the pauses. */
const PROVEN_MS = 60_000
const FIRST_PAUSE_MS = 500
const MOST_PAUSE_MS = 30_000
/** The time between two rounds of polling. */
const POLL_MS = 2000

/** The state of a market. */
interface Heard {
  /** When the stream last had a price of it (ms); 0 is never. */
  streamed: number
  /** When a stream or poll last had one. */
  heard: number
  /** How many polls in a row contradicted the stream. */
  contradicted: number
}

/** The watchdog of one exchange. */
export class Watchdog {
  readonly #markets = new Map<string, Heard>()
  #isLoaded = false
  /** The markets of the open streams; undefined while none are open. */
  #open: Set<string> | undefined
  #openedAt = 0
  /** When any stream last delivered. */
  #framedAt = 0
  /** Since when the streams include markets that are no longer wanted. */
  #excessSince: number | undefined
  /** A load or a round of polling is under way. */
  #isLoading = false
  #isPolling = false
  #failures = 0
  #nextAt = 0
  #pollFailures = 0
  #pollAt = 0
  #polledAt = 0
  #patienceMs = PATIENCE_MS
  #opened = 0
  /** Why the streams or the load failed last; undefined while nothing has failed. */
  #reason: string | undefined

  /**
   * Replaces the wanted markets. New ones are opened beside the others; unwanted ones stay for a while, because
   * dropping them reopens all streams.
   */
  want(symbols: ReadonlySet<string>, now: number): ReadonlyArray<Action> {
    for (const symbol of this.#markets.keys()) if (!symbols.has(symbol)) this.#markets.delete(symbol)
    for (const symbol of symbols) {
      if (!this.#markets.has(symbol)) {
        this.#markets.set(symbol, { streamed: 0, heard: 0, contradicted: 0 })
      }
    }
    const isTooMuch = [...(this.#open ?? [])].some((symbol) => !symbols.has(symbol))
    this.#excessSince = isTooMuch ? (this.#excessSince ?? now) : undefined
    return this.check(now)
  }

  /** The actions that are due. Call a few times a second. */
  check(now: number): ReadonlyArray<Action> {
    if (this.#markets.size === 0) return []
    if (!this.#isLoaded) {
      if (this.#isLoading || now < this.#nextAt) return []
      this.#isLoading = true
      return [{ _tag: "Load" }]
    }
    return [...this.#stream(now), ...this.#poll(now)]
  }

  loaded(now: number): void {
    this.#isLoading = false
    this.#isLoaded = true
    this.#failures = 0
    this.#nextAt = now
  }

  loadFailed({ pauseMs, reason }: Failure, now: number): void {
    this.#isLoading = false
    this.#pause(reason, now, pauseMs)
  }

  /** A stream failed or was closed: all are reopened. */
  lost({ pauseMs, reason }: Failure, now: number): ReadonlyArray<Action> {
    if (this.#open === undefined) return []
    this.#open = undefined
    if (now - this.#openedAt >= PROVEN_MS) this.#failures = 0
    this.#pause(reason, now, pauseMs)
    return [{ _tag: "Close" }]
  }

  /** A stream delivered a price. */
  streamed(symbol: string, now: number): void {
    const market = this.#markets.get(symbol)
    if (market === undefined) return
    this.#framedAt = now
    market.streamed = now
    market.heard = now
    market.contradicted = 0
  }

  /** A poll delivered a price; `differs` if the stream had another one and stayed silent. */
  polled(symbol: string, differs: boolean, now: number): void {
    const market = this.#markets.get(symbol)
    if (market === undefined) return
    market.heard = now
    market.contradicted = differs ? market.contradicted + 1 : 0
    this.#polledAt = now
  }

  pollEnded(now: number, failure?: Failure): void {
    this.#isPolling = false
    this.#pollFailures = failure === undefined ? 0 : this.#pollFailures + 1
    this.#pollAt =
      now +
      Math.max(POLL_MS, failure?.pauseMs ?? 0, failure === undefined ? 0 : pauseAfter(this.#pollFailures))
    if (failure !== undefined) this.#reason = failure.reason
  }

  /** When the stream last had a price of this market (ms); 0 is never. */
  lastStreamed(symbol: string): number {
    return this.#markets.get(symbol)?.streamed ?? 0
  }

  /** When any stream last delivered (ms); 0 is never. */
  get framedAt(): number {
    return this.#framedAt
  }

  health(now: number): { readonly state: State; readonly reason: string; readonly reconnects: number } {
    const state = this.#state(now)
    return {
      state,
      reason: state === "streaming" || state === "connecting" ? "" : (this.#reason ?? ""),
      reconnects: Math.max(0, this.#opened - 1)
    }
  }

  #state(now: number): State {
    if (this.#open !== undefined && now - this.#framedAt < FRESH_MS) return "streaming"
    if (now - Math.max(this.#polledAt, this.#framedAt) < FRESH_MS)
      return this.#isQuiet() ? "streaming" : "polling"
    return this.#reason === undefined ? "connecting" : "unreachable"
  }

  /** The streams are open and polls confirm their last prices: the market is quiet. */
  #isQuiet(): boolean {
    if (this.#open === undefined) return false
    for (const { contradicted, streamed } of this.#markets.values()) {
      if (contradicted > 0 || streamed === 0) return false
    }
    return true
  }

  #stream(now: number): ReadonlyArray<Action> {
    if (this.#open === undefined) {
      if (now < this.#nextAt) return []
      this.#open = new Set(this.#markets.keys())
      this.#openedAt = now
      this.#excessSince = undefined
      this.#opened += 1
      for (const market of this.#markets.values()) market.contradicted = 0
      return [{ _tag: "Open", symbols: [...this.#open] }]
    }
    if (this.#excessSince !== undefined && now - this.#excessSince >= EXCESS_MS) {
      this.#open = undefined
      return [{ _tag: "Close" }, ...this.#stream(now)]
    }
    const doubt = this.#doubt(now)
    if (doubt !== undefined) {
      this.#patienceMs = Math.min(MOST_PATIENCE_MS, this.#patienceMs * 2)
      return this.lost({ reason: doubt, pauseMs: 0 }, now)
    }
    if (now - this.#openedAt >= PROVEN_MS) {
      // While polls contradict a market the streams are not good, and patience keeps growing.
      if (!this.#isContradicted()) this.#patienceMs = PATIENCE_MS
      this.#failures = 0
    }
    const open = this.#open
    const added = [...this.#markets.keys()].filter((symbol) => !open.has(symbol))
    for (const symbol of added) open.add(symbol)
    return added.length === 0 ? [] : [{ _tag: "Open", symbols: added }]
  }

  #isContradicted(): boolean {
    for (const { contradicted } of this.#markets.values()) if (contradicted > 0) return true
    return false
  }

  /** Why the streams are no longer trusted, as a text. */
  #doubt(now: number): string | undefined {
    if (now - Math.max(this.#framedAt, this.#openedAt) >= DEAD_MS) return "its streams are silent"
    for (const { contradicted, streamed } of this.#markets.values()) {
      const silentSince = Math.max(streamed, this.#openedAt)
      if (contradicted >= 2 && now - silentSince >= this.#patienceMs) return "its streams are silent"
    }
    return undefined
  }

  #poll(now: number): ReadonlyArray<Action> {
    if (this.#isPolling || now < this.#pollAt) return []
    const symbols: Array<string> = []
    for (const [symbol, { contradicted, heard, streamed }] of this.#markets) {
      const isReported = this.#open !== undefined && streamed > 0 && contradicted === 0
      // Streams just opened may deliver first, also after a failure, but no silence gets longer by that.
      const isSilent = heard > 0 && now - heard >= SILENT_MS
      const isUnheard = !isReported && now - Math.max(heard, this.#openedAt) >= UNHEARD_MS
      if (isSilent || isUnheard) symbols.push(symbol)
    }
    if (symbols.length === 0) return []
    this.#isPolling = true
    return [{ _tag: "Poll", symbols }]
  }

  #pause(reason: string, now: number, pauseMs: number): void {
    this.#reason = reason
    this.#failures += 1
    this.#nextAt = now + Math.max(pauseMs, pauseAfter(this.#failures))
  }
}

export type State = "connecting" | "streaming" | "polling" | "unreachable"

/** Half a second after the first failure, doubled for each further one. */
const pauseAfter = (failures: number): number =>
  Math.min(MOST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 16))
