// The watchdog against an exchange that does whatever it likes, in any order.
import { expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import type { Action } from "../../../src/prices/streaming/Watchdog.ts"
import { Watchdog } from "../../../src/prices/streaming/Watchdog.ts"

const SYMBOLS = ["BTC", "ETH", "SOL", "__proto__"] as const
const MOST_PAUSE_MS = 30_000
const POLL_MS = 2000

type Event =
  | { readonly is: "want"; readonly symbols: ReadonlyArray<string> }
  | { readonly is: "look" | "loaded" | "polled" }
  | { readonly is: "unloaded" | "lost" | "unpolled"; readonly pauseMs: number }
  | { readonly is: "told"; readonly symbol: string }
  | { readonly is: "answered"; readonly symbol: string; readonly differs: boolean }

const pauseMs = FastCheck.constantFrom(0, 0, 0, 5000, 30_000, 100_000)
const symbol = FastCheck.constantFrom(...SYMBOLS)
const event: FastCheck.Arbitrary<Event> = FastCheck.oneof(
  FastCheck.record({ is: FastCheck.constant("want" as const), symbols: FastCheck.subarray([...SYMBOLS]) }),
  FastCheck.record({ is: FastCheck.constantFrom("look" as const, "loaded" as const, "polled" as const) }),
  FastCheck.record({
    is: FastCheck.constantFrom("unloaded" as const, "lost" as const, "unpolled" as const),
    pauseMs
  }),
  FastCheck.record({ is: FastCheck.constant("told" as const), symbol }),
  FastCheck.record({ is: FastCheck.constant("answered" as const), symbol, differs: FastCheck.boolean() })
)
const passed = FastCheck.oneof(FastCheck.nat(500), FastCheck.nat(5000), FastCheck.nat(200_000))
const history = FastCheck.array(FastCheck.tuple(passed, event), { maxLength: 120 })

/** What may be done, judged by what was done and said before. */
class Rules {
  readonly dog = new Watchdog()
  now = 1_000_000
  wanted: ReadonlySet<string> = new Set()
  loading = false
  loaded = false
  polling = false
  open: Set<string> | undefined
  /** Nothing may be loaded or opened before, and must be by `latest`. */
  earliest = 0
  latest = 0
  pollFrom = 0

  take(actions: ReadonlyArray<Action>): void {
    for (const action of actions) this.#do(action)
  }

  hear(event: Event): void {
    const { dog, now } = this
    switch (event.is) {
      case "want":
        this.wanted = new Set(event.symbols)
        return this.take(dog.want(this.wanted, now))
      case "look": {
        this.take(dog.check(now))
        if (this.wanted.size === 0 || now < this.latest) return
        expect(this.loaded ? this.open : this.loading || undefined).toBeDefined()
        return
      }
      case "loaded":
        if (!this.loading) return
        this.loading = false
        this.loaded = true
        return dog.loaded(now)
      case "unloaded":
        if (!this.loading) return
        this.loading = false
        this.#pause(event.pauseMs)
        return dog.loadFailed({ reason: "it fails", pauseMs: event.pauseMs }, now)
      case "lost": {
        const wasOpen = this.open !== undefined
        const actions = dog.lost({ reason: "it fails", pauseMs: event.pauseMs }, now)
        expect(actions).toEqual(wasOpen ? [{ _tag: "Close" }] : [])
        this.take(actions)
        if (wasOpen) this.#pause(event.pauseMs)
        return
      }
      case "told":
        return dog.streamed(event.symbol, now)
      case "answered":
        if (this.polling) dog.polled(event.symbol, event.differs, now)
        return
      case "polled":
        if (!this.polling) return
        this.#polled(0)
        return dog.pollEnded(now)
      case "unpolled":
        if (!this.polling) return
        this.#polled(event.pauseMs)
        return dog.pollEnded(now, { reason: "it fails", pauseMs: event.pauseMs })
    }
  }

  #polled(pauseMs: number): void {
    this.polling = false
    this.pollFrom = this.now + Math.max(POLL_MS, pauseMs)
  }

  #pause(pauseMs: number): void {
    this.earliest = this.now + Math.max(500, pauseMs)
    this.latest = this.now + Math.max(MOST_PAUSE_MS, pauseMs)
  }

  #do(action: Action): void {
    switch (action._tag) {
      case "Load":
        expect([this.loading, this.loaded, this.wanted.size > 0, this.now >= this.earliest]).toEqual([
          false,
          false,
          true,
          true
        ])
        this.loading = true
        return
      case "Open":
        expect([
          this.loaded,
          this.wanted.size > 0,
          this.open !== undefined || this.now >= this.earliest
        ]).toEqual([true, true, true])
        for (const symbol of action.symbols) {
          expect([symbol, this.wanted.has(symbol), this.open?.has(symbol) ?? false]).toEqual([
            symbol,
            true,
            false
          ])
        }
        expect(action.symbols.length).toBeGreaterThan(0)
        this.open = new Set([...(this.open ?? []), ...action.symbols])
        return
      case "Close":
        expect(this.open).toBeDefined()
        this.open = undefined
        // Whoever is told to open again in the same breath was too much; anything else waits.
        this.latest = Math.max(this.latest, this.now + MOST_PAUSE_MS)
        return
      case "Poll":
        expect([this.loaded, this.polling, this.now >= this.pollFrom]).toEqual([true, false, true])
        expect(action.symbols.length).toBeGreaterThan(0)
        for (const symbol of action.symbols) expect([symbol, this.wanted.has(symbol)]).toEqual([symbol, true])
        this.polling = true
    }
  }
}

test("in any run there is one load and one poll at a time, no stream twice, nothing unwanted, and pauses are kept", () => {
  FastCheck.assert(
    FastCheck.property(history, (events) => {
      const rules = new Rules()
      for (const [ms, event] of events) {
        rules.now += ms
        rules.hear(event)
        const { reconnects, state } = rules.dog.health(rules.now)
        expect(["connecting", "streaming", "polling", "unreachable"]).toContain(state)
        expect(reconnects).toBeGreaterThanOrEqual(0)
        if (rules.wanted.size === 0) expect(rules.dog.check(rules.now)).toEqual([])
      }
    }),
    { numRuns: 1500, seed: 7 }
  )
})

/** How long after its last word each market is heard of again at the latest: 4 s of silence, and one request under way. */
const MOST_SILENCE_MS = 4000 + 2 * POLL_MS + 3 * 250

test("while an exchange answers, every market has a price in time, whatever its streams do", () => {
  // A quarter of a second each: what the streams tell, whether they fail, what is wanted from now on.
  const quarter = FastCheck.record({
    told: FastCheck.oneof({ weight: 3, arbitrary: FastCheck.constant([]) }, FastCheck.subarray([...SYMBOLS])),
    lost: FastCheck.oneof({ weight: 60, arbitrary: FastCheck.constant(undefined) }, pauseMs),
    want: FastCheck.oneof(
      { weight: 60, arbitrary: FastCheck.constant(undefined) },
      FastCheck.subarray([...SYMBOLS])
    ),
    differs: FastCheck.boolean(),
    /** How many quarters an answer takes. */
    late: FastCheck.nat(7)
  })
  FastCheck.assert(
    FastCheck.property(FastCheck.array(quarter, { minLength: 50, maxLength: 400 }), (quarters) => {
      const dog = new Watchdog()
      let now = 1_000_000
      let isOpen = false
      let answer: { readonly symbols: ReadonlyArray<string>; readonly at: number } | undefined
      const heard = new Map<string, number>()
      const act = (actions: ReadonlyArray<Action>, late: number): void => {
        for (const action of actions) {
          if (action._tag === "Load") {
            dog.loaded(now)
            act(dog.check(now), late)
          }
          if (action._tag === "Open") isOpen = true
          if (action._tag === "Close") isOpen = false
          if (action._tag === "Poll") answer = { symbols: action.symbols, at: now + late * 250 }
        }
      }
      const want = (symbols: ReadonlyArray<string>, late: number) => {
        for (const symbol of [...heard.keys()]) if (!symbols.includes(symbol)) heard.delete(symbol)
        for (const symbol of symbols) if (!heard.has(symbol)) heard.set(symbol, now)
        act(dog.want(new Set(symbols), now), late)
      }
      want(["BTC", "ETH"], 0)
      for (const { differs, late, lost, told, want: wanted } of quarters) {
        now += 250
        if (wanted !== undefined) want(wanted, late)
        if (lost !== undefined) act(dog.lost({ reason: "it fails", pauseMs: lost }, now), late)
        for (const symbol of isOpen ? told : []) {
          dog.streamed(symbol, now)
          if (heard.has(symbol)) heard.set(symbol, now)
        }
        if (answer !== undefined && now >= answer.at) {
          for (const symbol of answer.symbols) {
            dog.polled(symbol, differs, now)
            if (heard.has(symbol)) heard.set(symbol, now)
          }
          answer = undefined
          dog.pollEnded(now)
        }
        act(dog.check(now), late)
        for (const [symbol, at] of heard)
          expect([symbol, now - at <= MOST_SILENCE_MS]).toEqual([symbol, true])
      }
    }),
    { numRuns: 300, seed: 7 }
  )
})
