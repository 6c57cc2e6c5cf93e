import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { Reason } from "../../domain/Alert.ts"
import type { Door } from "../../domain/alert/Incoming.ts"
import type { OrderPurpose } from "../../domain/Order.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"

/** How many of what was observed lay at or under each bound and above the one before; a last place for the rest. */
export class Histogram {
  readonly bounds: ReadonlyArray<number>
  readonly #counts: Float64Array
  #sum = 0

  constructor(bounds: ReadonlyArray<number>) {
    this.bounds = bounds
    this.#counts = new Float64Array(bounds.length + 1)
  }

  observe(value: number): void {
    let place = 0
    while (value > (this.bounds[place] ?? Number.POSITIVE_INFINITY)) place++
    this.#counts[place] = (this.#counts[place] ?? 0) + 1
    this.#sum += value
  }

  get sum(): number {
    return this.#sum
  }

  /** By place, not added up. */
  counts(): ReadonlyArray<number> {
    return [...this.#counts]
  }
}

/** How often each of a few known things happened. */
export class Tally<Name extends string> {
  readonly #counts = new Map<Name, number>()

  add(name: Name, times = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + times)
  }

  of(name: Name): number {
    return this.#counts.get(name) ?? 0
  }
}

/** Seconds: of a request, of a commit. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Alerts of one commit. */
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]

/** One route of the interface, by the method that was asked for. */
export class RouteMeter {
  readonly route: string
  readonly method: string
  readonly seconds = new Histogram(SECONDS)
  /** Answers by the first digit of their status. */
  readonly #classes = new Float64Array(6)

  constructor(route: string, method: string) {
    this.route = route
    this.method = method
  }

  answered(status: number, milliseconds: number): void {
    const place = Math.trunc(status / 100)
    this.#classes[place] = (this.#classes[place] ?? 0) + 1
    this.seconds.observe(milliseconds / 1000)
  }

  /** How many answers there were of a class: 2 for 200 to 299. */
  of(digit: number): number {
    return this.#classes[digit] ?? 0
  }
}

/** How an alert fared at its door: stored, stored before, or by what it was turned away. */
export const FATES = [
  "recorded",
  "repeat",
  "unauthorized",
  "limited",
  "refused",
  "unavailable",
  "failed"
] as const
/** How an alert fared, one of `FATES`. */
export type Fate = (typeof FATES)[number]

/** What the engine has in hand, read when somebody asks. */
export interface EngineReading {
  readonly bots: number
  readonly positions: number
  readonly ordersInFlight: number
  /** Those of them of which the exchange has not said anything that could be trusted. */
  readonly ordersUnknown: number
  /** Bots that trade with real money, or still hold some of it. */
  readonly armed: number
  /** Alerts that wait for a price or for the end of an order, one for each strategy. */
  readonly waitingAlerts: number
  /** Strategies whose bots are set aside. */
  readonly setAside: ReadonlyArray<StrategyId>
  /** The last alert that every follower has judged or waits with. */
  readonly cursor: number
}

/** When the process began (ms since the epoch): asked for once, since asking costs as much as counting. */
const ORIGIN = performance.timeOrigin

/**
 * What happens in a server, counted where it happens. Plain numbers: counting must cost next to nothing, whether
 * anybody reads them or not. Nothing is decided by them.
 */
export class Measurements {
  /**
   * Real time, in ms since the epoch with fractions, that never goes backwards: how long things take is to be known
   * in a replay too, whose clock runs faster than life.
   */
  readonly now = (): number => ORIGIN + performance.now()

  readonly routes = new Map<string, RouteMeter>()
  readonly doors: Readonly<Record<Door, Tally<Fate>>> = { charting: new Tally(), alert: new Tally() }
  readonly journal = {
    seconds: new Histogram(SECONDS),
    alerts: new Histogram(SIZES),
    failures: 0
  }
  readonly engine = {
    turns: 0,
    prices: 0,
    steps: 0,
    fills: 0,
    trades: 0,
    seconds: new Histogram(SECONDS),
    outcomes: new Tally<Reason>(),
    orders: new Tally<OrderPurpose>(),
    reading: (): EngineReading | undefined => undefined
  }
  /** How late the event loop came to what was due, in seconds. */
  readonly loop = new Histogram(SECONDS)

  /** The meter of a route: to be looked up once, and kept. */
  route(route: string, method: string): RouteMeter {
    const key = `${method} ${route}`
    const known = this.routes.get(key)
    if (known !== undefined) return known
    const meter = new RouteMeter(route, method)
    this.routes.set(key, meter)
    return meter
  }
}

/** The measurements of the server at hand. Where nobody gave it any of its own, those of the process. */
export class Meters extends Context.Reference<Meters>()("signalbox/services/health/Meters", {
  defaultValue: () => new Measurements()
}) {
  static readonly layer = Layer.sync(Meters, () => new Measurements())
}
