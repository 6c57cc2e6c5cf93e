// The server's measurements: plain numbers, counted where things happen. Counting costs next to nothing, and nothing is
// decided by it.
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { Reason } from "../../domain/Alert.ts"
import type { Door } from "../../domain/alert/Incoming.ts"
import type { OrderPurpose } from "../../domain/Order.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import type { ClusterReading } from "./ClusterReading.ts"

/**
 * Counts observations by bucket: each bucket holds those at or below its bound and above the one before; the last holds
 * the rest.
 */
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

  /** The count of each bucket, not cumulative. */
  counts(): ReadonlyArray<number> {
    return [...this.#counts]
  }
}

/** Counts how often each of a few known things happened. */
export class Tally<Name extends string> {
  readonly #counts = new Map<Name, number>()

  add(name: Name, times = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + times)
  }

  of(name: Name): number {
    return this.#counts.get(name) ?? 0
  }
}

/** Bounds in seconds: for requests and commits. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Bounds of the number of alerts in a commit. */
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]

/** One route, for one method. */
export class RouteMeter {
  readonly route: string
  readonly method: string
  readonly seconds = new Histogram(SECONDS)
  /** Responses by the first digit of their status. */
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

  /** The number of responses of a class: 2 for 200 to 299. */
  of(digit: number): number {
    return this.#classes[digit] ?? 0
  }
}

/** The result of a request to an alert door: stored, stored before, or the reason of its refusal. */
export const FATES = [
  "recorded",
  "repeat",
  "unauthorized",
  "limited",
  "refused",
  "unavailable",
  "failed"
] as const
/** One of `FATES`. */
export type Fate = (typeof FATES)[number]

/** The engine's current numbers, computed on request. */
export interface EngineReading {
  readonly bots: number
  readonly positions: number
  readonly ordersInFlight: number
  /** Orders in flight of which the exchange has reported nothing certain. */
  readonly ordersUnknown: number
  /** Bots that trade with real money, or still hold positions in it. */
  readonly armed: number
  /** Held alerts, counted once for each strategy. */
  readonly waitingAlerts: number
  /** Strategies whose bots are set aside. */
  readonly setAside: ReadonlyArray<StrategyId>
  /** The last alert that every follower has judged or holds. */
  readonly cursor: number
}

/** When the process started (ms since the epoch): read once, because reading it costs as much as counting. */
const ORIGIN = performance.timeOrigin

/**
 * The rules at work, those of active signals that do nothing (`stopped`), the series of candles that rules look at, and how
 * long after its close the last candle was looked at. `waiting` counts each market of a rule whose past candles are being
 * fetched or cannot be had, and `behindMs` is for how long the next candle of the others has closed that was not looked at.
 * The rest counts since the start: candles that an exchange corrected after they were looked at, alerts that rules raised,
 * those recognised as raised before, those withheld for want of a stop or a size, and what became of alerts that waited for
 * one from outside.
 */
export interface RuleReading {
  readonly rules: number
  readonly stopped: number
  readonly series: number
  readonly waiting: number
  readonly behindMs: number
  readonly lagMs: number
  readonly corrected: number
  readonly alerts: number
  readonly repeats: number
  readonly withheld: number
  readonly witnessed: number
  readonly announced: number
  readonly stoodIn: number
}

/** All measurements of a server. */
export class Measurements {
  /**
   * Real time in ms since the epoch, with fractions, never going backwards: durations are real in a replay too, whose
   * clock runs faster.
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
  /** The rules at work; undefined until they are read. */
  readonly rules = { reading: (): RuleReading | undefined => undefined }
  /** The cluster; undefined on a server that is alone. */
  readonly cluster = { reading: (): ClusterReading | undefined => undefined }
  /** How late the event loop ran due work, in seconds. */
  readonly loop = new Histogram(SECONDS)

  /** The meter of a route: look it up once, and keep it. */
  route(route: string, method: string): RouteMeter {
    const key = `${method} ${route}`
    const known = this.routes.get(key)
    if (known !== undefined) return known
    const meter = new RouteMeter(route, method)
    this.routes.set(key, meter)
    return meter
  }
}

/** The measurements of this server; those of the process where no layer provides any. */
export class Meters extends Context.Reference<Meters>()("signalbox/services/health/Meters", {
  defaultValue: () => new Measurements()
}) {
  static readonly layer = Layer.sync(Meters, () => new Measurements())
}
