// Reads the position that a chart strategy reports, before and after its order, under any name or nesting in an alert.
// Two statements that differ are a violation: nobody can tell which one is meant.
import * as Either from "effect/Either"
import { type Violation, violation } from "../requests/Violations.ts"
import { endsWith, type Named, type Names } from "./AlertNames.ts"
import { unfilled } from "./Placeholder.ts"

/** The side that a chart's strategy holds. */
export type Holding = "long" | "short" | "flat"

/** The position before and after the order, as far as the alert states it. @internal */
export interface StatedPosition {
  readonly before: Holding | undefined
  readonly after: Holding | undefined
  /** How much is held, without a sign; undefined where it is not stated, or may be an order's size. */
  readonly sizeBefore: number | undefined
  readonly sizeAfter: number | undefined
  /** Whether the size shrank. */
  readonly isPart: boolean
  /** Whether the name of what is held now can mean nothing else: `position` may also be the side of an order. */
  readonly isSure: boolean
  /** The known name of the field that states it. */
  readonly name: string
}

/** The position that the fields state; undefined if they state none. @internal */
export const read = (names: Names): Either.Either<StatedPosition | undefined, Violation> =>
  Either.gen(function* () {
    const reports = reportsIn(names)
    if (reports.length === 0) return undefined
    const stated = yield* holdingIn(reports, "after")
    const statedBefore = yield* holdingIn(reports, "before")
    const size = yield* sizeIn(reports, "size")
    const sizeBefore = yield* sizeIn(reports, "size_before")
    const after = stated ?? bySize(reports, "size")
    const before = statedBefore ?? bySize(reports, "size_before")
    // Other services use the same name for the size of an order; alone it states no position.
    const name = after?.name ?? before?.name ?? (size?.isSure === true ? size.name : undefined)
    if (name === undefined) return undefined
    return {
      after: after?.holding,
      before: before?.holding,
      sizeAfter: yield* heldSize(after?.holding, size),
      sizeBefore: yield* heldSize(before?.holding, sizeBefore),
      isPart:
        size !== undefined && sizeBefore !== undefined && Math.abs(size.amount) < Math.abs(sizeBefore.amount),
      isSure: stated?.isSure === true,
      name
    }
  })

/** The size of what is held. One that contradicts the side is refused if only a position can have it, else not used. */
const heldSize = (
  holding: Holding | undefined,
  size: Size | undefined
): Either.Either<number | undefined, Violation> => {
  if (size === undefined || holding === "flat") return Either.right(undefined)
  const { amount, isSure, name } = size
  if (holding === undefined) return Either.right(amount > 0 ? amount : undefined)
  if (amount > 0 || (amount < 0 && holding === "short")) return Either.right(Math.abs(amount))
  return isSure
    ? Either.left(violation(name, "contradicts the position beside it: a size is above 0 unless it is flat"))
    : Either.right(undefined)
}

interface PositionReport extends Named {
  readonly tells: "after" | "before" | "size" | "size_before"
  /** The name is unambiguous; a bare `position` may also be an index, a number or a switch. */
  readonly isSure: boolean
  /** A mood is a position only beside an order. */
  readonly isMood?: true
}

/** The ending of a position's path, joined: its owner, and whether it is a size. */
const ENDING =
  /(market|current|prev|previous)?position(size)?(?:prev|previous|before|old|after|now|new|current|value)?$/
/** Words of a path that mean the position before. */
const PAST = new Set(["prev", "previous", "prior", "before", "former", "old", "last", "from"])
const PAST_JOINED = /prev(?:ious)?(?:market)?position/

const reportsIn = ({ all }: Names): ReadonlyArray<PositionReport> => {
  const reports: Array<PositionReport> = []
  for (const field of all) {
    if (field.name === "sentiment") reports.push({ ...field, tells: "after", isSure: true, isMood: true })
    else if (field.name.includes("position")) {
      const found = reportOf(field)
      if (found !== undefined) reports.push(found)
    }
  }
  return reports
}

const reportOf = ({ name: path, value }: Named): PositionReport | undefined => {
  const words = path.split("_")
  const joined = words.join("")
  const found = ENDING.exec(joined)
  if (found === null) return undefined
  const [, owner, size] = found
  const isSure = owner !== undefined
  const isPast = words.some((word) => PAST.has(word)) || PAST_JOINED.test(joined)
  const name = knownAs(path, isPast)
  // A number under the name of a position is its size.
  return size !== undefined || (!isSure && amountOf(value) !== undefined)
    ? { name, value, isSure, tells: isPast ? "size_before" : "size" }
    : { name, value, isSure, tells: isPast ? "before" : "after" }
}

/** The names used in violations; a caller's own names are never echoed. */
const KNOWN = [
  "prev_market_position_size",
  "prev_position_size",
  "market_position_size",
  "position_size",
  "prev_market_position",
  "previous_position",
  "prev_position",
  "market_position",
  "current_position",
  "position"
] as const

const knownAs = (path: string, isPast: boolean): string =>
  KNOWN.find((name) => (isPast ? /^prev/.test(name) : true) && endsWith(path, name)) ??
  (isPast ? "prev_market_position" : "market_position")

interface Stated {
  readonly name: string
  readonly holding: Holding
  readonly isSure: boolean
}

/** The position that all these fields state. Two different ones are a contradiction. */
const holdingIn = (
  reports: ReadonlyArray<PositionReport>,
  wanted: PositionReport["tells"]
): Either.Either<Stated | undefined, Violation> => {
  let found: Stated | undefined
  for (const { isMood, isSure, name, tells, value } of reports) {
    if (tells !== wanted) continue
    const holding = holdingOf(value)
    if (holding === undefined) {
      const text = typeof value === "string" ? unfilled(value) : undefined
      if (!isSure && text === undefined) continue
      return Either.left(violation(name, text ?? "must be long, short or flat"))
    }
    if (found !== undefined && found.holding !== holding) return Either.left(violation(name, CONTRADICTS))
    const sure = isSure && isMood !== true
    found = found === undefined || (sure && !found.isSure) ? { name, holding, isSure: sure } : found
  }
  return Either.right(found)
}
const CONTRADICTS = "is given more than once, with different values"

const HOLDINGS: ReadonlyMap<string, Holding> = new Map([
  ["long", "long"],
  ["bullish", "long"],
  ["short", "short"],
  ["bearish", "short"],
  ["flat", "flat"]
])
const holdingOf = (value: unknown): Holding | undefined =>
  typeof value === "string" ? HOLDINGS.get(value.trim().toLowerCase()) : undefined

const amountOf = (value: unknown): number | undefined => {
  const amount = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  return typeof amount === "number" && Number.isFinite(amount) ? amount : undefined
}

/** A size as it was sent, with its sign. */
interface Size {
  readonly name: string
  readonly amount: number
  readonly isSure: boolean
}

/** The largest size, in contracts: beyond it no chart counts. */
const MAX_SIZE = 1e18

/**
 * A size that only a position can have comes before one that may be an order's. Such a size must be a number, and two
 * different ones are a contradiction.
 */
const sizeIn = (
  reports: ReadonlyArray<PositionReport>,
  wanted: PositionReport["tells"]
): Either.Either<Size | undefined, Violation> => {
  let found: Size | undefined
  for (const { isSure, name, tells, value } of reports) {
    if (tells !== wanted || value === "") continue
    const amount = amountOf(value)
    if (amount === undefined || Math.abs(amount) > MAX_SIZE) {
      if (!isSure) continue
      const text = typeof value === "string" ? unfilled(value) : undefined
      return Either.left(violation(name, text ?? "must be the number of contracts that the chart holds"))
    }
    if (found?.isSure === true && isSure && !isSame(Math.abs(found.amount), Math.abs(amount)))
      return Either.left(violation(name, CONTRADICTS))
    if (found === undefined || (isSure && !found.isSure)) found = { name, isSure, amount }
  }
  return Either.right(found)
}

/** Charts count in doubles: sizes that differ by less than this part of the larger are the same. */
const TOLERANCE = 1e-9
/** Whether two sizes of a chart are the same. @internal */
export const isSame = (one: number, other: number): boolean =>
  Math.abs(one - other) <= TOLERANCE * Math.max(one, other)

/** A size of 0 is flat and a negative one short; a positive one may be either side. */
const bySize = (
  reports: ReadonlyArray<PositionReport>,
  wanted: PositionReport["tells"]
): Stated | undefined => {
  for (const { name, tells, value } of reports) {
    const amount = tells === wanted ? amountOf(value) : undefined
    if (amount !== undefined && amount <= 0)
      return { name, holding: amount === 0 ? "flat" : "short", isSure: false }
  }
  return undefined
}
