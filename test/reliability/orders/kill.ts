// Strikes the server at every point of an order's life, and compares books and exchange afterwards.
import type { Order } from "../../../src/domain/Order.ts"
import { SeededRandom } from "../../../src/testing/SeededRandom.ts"
import type { Call } from "../../exchanges/private/Desk.ts"
import { must, until } from "../prices/until.ts"
import type { Row } from "../suite.ts"
import type { Blow } from "./Blow.ts"
import { flaws } from "./compare.ts"
import { POINTS, type Point } from "./killPoints.ts"
import { Trader } from "./Trader.ts"
import type { Owned, World } from "./World.ts"

/** A fifth of it is more than the smallest order of every market, also where that is one contract of ten coins. */
const TERMS = { capital: 6000, maxOrder: 3000, maxDailyLoss: 3000 }
const SETTINGS = { buy_percentage: 20, stop_loss: true, stop_loss_percentage: 10 }
/** The times until a bot has reached its point, and until all is settled after the start. */
const REACHED_MS = 120_000
const WELL_MS = 150_000
/** The pause between two polls, because each one is a query for each of many bots. */
const LOOK_MS = 250
/** How long before the blow the last answers may go out. */
const MOST_LATER_MS = 25

/** A trader on its way to a point. */
interface Walker {
  readonly point: Point
  readonly trader: Trader
  readonly seed: number
  seen: number
  isThere: boolean
  /** The client id of the order whose request was held on its way to the exchange, and went on after the blow. */
  late?: string
}

/** Cases whose order never arrived, which takes the server a minute to find out. They are checked last. */
const isSlow = ({ held, kind }: Point) => held === "before" && kind === "place"

interface Found {
  trials: number
  readonly flaws: Array<string>
}

/** How often, with how many of the points at once, and how the rows of the table begin. */
export interface Blows {
  readonly blow: Blow
  readonly name: string
  readonly seeds: number
  readonly parts: number
}

/**
 * Strikes the server many times, with orders of every exchange at every point at once; then books and exchange must
 * agree. Each turn uses one of `parts` worlds, because an exchange limits requests.
 */
export const struck = async (
  worlds: ReadonlyArray<World>,
  { blow, name, parts, seeds }: Blows
): Promise<ReadonlyArray<Row>> => {
  const seed = Number(process.env["SIGNALBOX_SEED"] ?? Math.floor(Math.random() * 2 ** 31))
  const found = new Map(POINTS.map((point): [Point, Found] => [point, { trials: 0, flaws: [] }]))
  const began = performance.now()
  const turns = Array.from({ length: seeds * parts }, (_, turn) => turn)
  await Promise.all(
    worlds.map(async (world, place) => {
      const later: Array<Walker> = []
      for (const turn of turns.filter((each) => each % worlds.length === place)) {
        const points = POINTS.filter((_, index) => index % parts === (turn + seed) % parts)
        const walkers = await walkersOf(world, points, seed + turn)
        await round(world, walkers, blow, new SeededRandom(seed + turn))
        await judge(
          walkers.filter(({ point }) => !isSlow(point)),
          found
        )
        later.push(...walkers.filter(({ point }) => isSlow(point)))
      }
      await judge(later, found)
    })
  )
  const took = `${((performance.now() - began) / 1000).toFixed(0)} s for all`
  return [...found]
    .filter(([, { trials }]) => trials > 0)
    .map(([{ title }, { flaws: all, trials }]) => ({
      test: `${name}: ${blow.name}, ${title}`,
      trials,
      failures: all.length,
      worst: `seed ${seed}, ${turns.length} rounds of ${worlds[0]?.traders.length}; ${took}`,
      details: all.slice(0, 5)
    }))
}

const judge = async (walkers: ReadonlyArray<Walker>, found: ReadonlyMap<Point, Found>): Promise<void> => {
  await Promise.all(
    walkers.map(async (walker) => {
      const own = found.get(walker.point)
      if (own === undefined) return
      own.trials++
      const flaw = walker.isThere ? await verdict(walker) : await reason(walker)
      if (flaw !== undefined) own.flaws.push(`seed ${walker.seed}, ${walker.trader.owner.name}: ${flaw}`)
    })
  )
}

const reason = async ({ trader }: Walker): Promise<string> => {
  const [last = "nothing is told of it"] = await trader.told()
  return `it never came to that point: ${last}`
}

/** Arms in sequence at each exchange, which limits requests, because arming does not wait long. */
const walkersOf = async (world: World, points: ReadonlyArray<Point>, seed: number) => {
  const all = await Promise.all(
    world.traders.map(async (owner) => {
      const own: Array<Walker> = []
      for (const point of points) if (isTraded(owner, point)) own.push(await ready(world, owner, point, seed))
      return own
    })
  )
  return all.flat()
}

/** Not every exchange has perpetuals. */
const isTraded = ({ venue }: Owned, { coin, market }: Point): boolean => {
  const { kind, pair } = venue.slot(coin, market)
  return venue.markets.some((one) => one.kind === kind && one.pair === pair)
}

const ready = async (world: World, owner: Owned, point: Point, seed: number): Promise<Walker> => {
  const trader = await Trader.make(world, owner, point.coin, {
    settings: { ...SETTINGS, ...point.settings },
    ...(point.market === undefined ? {} : { kind: point.market }),
    isShared: true,
    terms: { ...TERMS, isProtected: point.isProtected === true }
  })
  const walker = { point, trader, seed, seen: 0, isThere: false }
  if (point.isOpen !== true) return walker
  await world.streams(owner.venue)
  try {
    await trader.open(REACHED_MS, point.market === "swap" ? "long" : "buy")
    const isResting = () =>
      trader.theirs.some(({ isDone, ticket }) => !isDone && ticket.trigger !== undefined)
    if (point.isProtected === true)
      await until(
        "stop at rest",
        () => isResting() && trader.isIdle && trader.stop !== undefined,
        REACHED_MS,
        LOOK_MS
      )
  } catch {
    // The bot does not reach its point, which is reported.
  }
  return walker
}

/** Brings all bots to their points, strikes the server, and trades the rest. */
const round = async (
  world: World,
  walkers: ReadonlyArray<Walker>,
  blow: Blow,
  dice: SeededRandom
): Promise<void> => {
  const release = Promise.withResolvers<void>()
  const late = Promise.withResolvers<void>()
  for (const owner of world.traders) {
    const own = walkers.filter(({ trader }) => trader.owner === owner)
    watch(owner, own, { release: release.promise, late: late.promise })
  }
  for (const { point, trader } of walkers) {
    if (point.supply === undefined) continue
    trader.desk.book.patient = true
    trader.desk.book.supply(trader.slot, point.supply)
  }
  for (const { venue } of world.traders) await world.streams(venue)
  await Promise.all(walkers.map(({ point, trader }) => trader.alert(point.alert, point.extras)))
  await until(
    "all at their points",
    () => walkers.every(({ isThere }) => isThere),
    REACHED_MS,
    LOOK_MS
  ).catch(() => {})
  release.resolve()
  await Bun.sleep(dice.whole(0, MOST_LATER_MS))
  await blow.strike(world, late.resolve)
}

/** When the answers go out, and when the requests go on that are held before or after they act. */
interface Held {
  readonly release: Promise<void>
  readonly late: Promise<void>
}

/** Holds each request at its point. */
const watch = ({ venue }: Owned, walkers: ReadonlyArray<Walker>, { late, release }: Held): void => {
  const held = new Map<Call, Walker>()
  venue.desk.watch = (call, when) => {
    const known = held.get(call)
    if (known !== undefined)
      return known.point.held === "after" ? reached(known, late) : reached(known, release)
    if (when === "after") return
    const found = walkerOf(walkers, call)
    if (found === undefined || ++found.seen !== found.point.nth) return
    if (found.point.held === "before") {
      if (call.kind === "place") found.late = found.trader.orderOf(call.request)?.clientId ?? ""
      return reached(found, late)
    }
    held.set(call, found)
  }
}

/** Whose request it is: by its market alone, where one trades there. */
const walkerOf = (walkers: ReadonlyArray<Walker>, { kind, request }: Call): Walker | undefined => {
  const some = walkers.filter(
    ({ point, trader }) => point.kind === kind && trader.venue.concerns(trader.slot)(request)
  )
  return some.length > 1 ? some.find(({ trader }) => trader.owns(request)) : some[0]
}

const reached = (walker: Walker, until: Promise<void>): Promise<void> => {
  walker.isThere = true
  return until
}

/** Whether an exchange refuses this order's request once the lease under which it was sent has ended. */
const expires = ({ exchange, type }: Order): boolean =>
  exchange !== "bitget" && !(exchange === "okx" && type === "stop")

/** What is wrong about an order whose request arrived late, if anything. */
const lateness = ({ late, trader }: Walker): string | undefined => {
  if (late === undefined) return undefined
  const sent = trader.orders.find(({ clientId }) => clientId === late)
  if (sent === undefined) return "the order that was on its way was never intended"
  return expires(sent.order) && trader.theirs.some(({ ticket }) => ticket.clientId === late)
    ? "the exchange accepted an order that arrived after its end"
    : undefined
}

/** The violations once all is settled: the bot must be flat, and its books must equal the exchange's. */
const verdict = async (walker: Walker): Promise<string | undefined> => {
  const { point, trader } = walker
  try {
    await until("rest", () => trader.isSettled, WELL_MS, LOOK_MS)
    const end = lateness(walker)
    must(end === undefined, end ?? "")
    const half = await halfOf(point, trader)
    must(half === undefined, half ?? "")
    // A closing alert that waits for the stop to make way closes the position meanwhile.
    const isKept = () => trader.position === undefined || trader.stop !== undefined
    if (point.isProtected === true) await until("stop", () => isKept() && trader.isIdle, WELL_MS, LOOK_MS)
    if (trader.position !== undefined) {
      const { side } = trader.position
      await trader.judged(point.market === "swap" ? `close_${side}` : "sell")
      await until("flat", () => trader.position === undefined && trader.isIdle, WELL_MS, LOOK_MS)
    }
    const resting = trader.theirs.filter(({ isDone }) => !isDone)
    must(resting.length === 0, `${resting.length} orders rest on at the exchange`)
    // A busy server answers that it is to be tried again, and may have done it all the same.
    const isDisarmed = () =>
      trader
        .disarm()
        .catch(() => trader.mode())
        .then(
          ({ mode }) => mode !== "live",
          () => false
        )
    await until("disarmed", isDisarmed, WELL_MS, LOOK_MS)
    return flaws(trader)[0]
  } catch (error) {
    return `${error instanceof Error ? error.message : error}; ${flaws(trader)[0] ?? "books agree"}`
  }
}

/** What is missing of a turn, a part or an added entry once nothing is under way, if anything. */
const halfOf = async (point: Point, trader: Trader): Promise<string | undefined> => {
  const { orders, position } = trader
  const entries = orders.filter(({ order }) => order.purpose === "entry")
  const byAlert = Map.groupBy(entries, ({ order }) => order.alert)
  for (const [alert, own] of byAlert) if (own.length > 1) return `alert ${alert} made ${own.length} entries`
  const [first, last] = [entries[0], entries.at(-1)]
  if (point.market === "swap") {
    if (position?.side === "short") return undefined
    if (position !== undefined) return "the position was not turned"
    const notes = await trader.told()
    return notes.some((note) => /^(turn_dropped|order_missing|order_rejected)/.test(note))
      ? undefined
      : "it is flat, and nothing says why the other side was not opened"
  }
  if (point.settings !== undefined)
    return first !== last && (last?.fills.length ?? 0) > 0 && (position?.added ?? 0) === 1
      ? undefined
      : `the entry that was added is ${last?.status}, and the position counts ${position?.added}`
  if (point.extras === undefined) return undefined
  const parts = orders.filter(({ fills, order }) => order.part === true && fills.length > 0)
  return parts.length === 1 && position !== undefined
    ? undefined
    : `${parts.length} parts were sold, and ${position === undefined ? "nothing" : "something"} is left`
}
