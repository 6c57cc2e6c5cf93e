// Reads the position that a chart strategy reports, before and after its order, under any name or nesting in an alert.
// Two statements that differ are a violation: nobody can tell which one is meant.
import * as Either from "effect/Either"
import { type Violation, violation } from "../requests/Violations.ts"
import { endsWith, type Named, type Names } from "./AlertNames.ts"
import { unfilled } from "./Placeholder.ts"

type Holding = "long" | "short" | "flat"

/** The position before and after the order, as far as the alert states it. @internal */
export interface StatedPosition {
  readonly before: Holding | undefined
  readonly after: Holding | undefined
  /** Whether the size shrank. */
  readonly isPart: boolean
  /** The known name of the field that states it. */
  readonly name: string
}

/** The position that the fields state; undefined if they state none. @internal */
export const read = (names: Names): Either.Either<StatedPosition | undefined, Violation> => {
  const reports = reportsIn(names)
  if (reports.length === 0) return Either.right(undefined)
  const stated = holdingIn(reports, "after")
  if (Either.isLeft(stated)) return Either.left(stated.left)
  const statedBefore = holdingIn(reports, "before")
  if (Either.isLeft(statedBefore)) return Either.left(statedBefore.left)
  const after = stated.right ?? bySize(reports, "size")
  const before = statedBefore.right ?? bySize(reports, "size_before")
  const size = sizeIn(reports, "size")
  const sizeBefore = sizeIn(reports, "size_before")
  // Other services use the same name for the size of an order; alone it states no position.
  const name = after?.name ?? before?.name ?? (size?.isSure === true ? size.name : undefined)
  if (name === undefined) return Either.right(undefined)
  const isPart = size !== undefined && sizeBefore !== undefined && size.amount < sizeBefore.amount
  return Either.right({ after: after?.holding, before: before?.holding, isPart, name })
}

interface PositionReport extends Named {
  readonly tells: "after" | "before" | "size" | "size_before"
  /** The name is unambiguous; a bare `position` may also be an index, a number or a switch. */
  readonly isSure: boolean
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
    if (field.name === "sentiment") reports.push({ ...field, tells: "after", isSure: true })
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

/** The position that all these fields state. Two different ones are a contradiction. */
const holdingIn = (
  reports: ReadonlyArray<PositionReport>,
  wanted: PositionReport["tells"]
): Either.Either<{ readonly name: string; readonly holding: Holding } | undefined, Violation> => {
  let found: { readonly name: string; readonly holding: Holding } | undefined
  for (const { isSure, name, tells, value } of reports) {
    if (tells !== wanted) continue
    const holding = holdingOf(value)
    if (holding === undefined) {
      const text = typeof value === "string" ? unfilled(value) : undefined
      if (!isSure && text === undefined) continue
      return Either.left(violation(name, text ?? "must be long, short or flat"))
    }
    if (found !== undefined && found.holding !== holding)
      return Either.left(violation(name, "is given more than once, with different values"))
    found ??= { name, holding }
  }
  return Either.right(found)
}

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

interface Size {
  readonly name: string
  readonly amount: number
  readonly isSure: boolean
}

/** A size that only a position can have comes before one that may be an order's. */
const sizeIn = (
  reports: ReadonlyArray<PositionReport>,
  wanted: PositionReport["tells"]
): Size | undefined => {
  const sizes = reports.flatMap(({ isSure, name, tells, value }) => {
    const amount = tells === wanted ? amountOf(value) : undefined
    return amount === undefined ? [] : { name, isSure, amount: Math.abs(amount) }
  })
  return sizes.find(({ isSure }) => isSure) ?? sizes[0]
}

/** A size of 0 is flat and a negative one short; a positive one may be either side. */
const bySize = (
  reports: ReadonlyArray<PositionReport>,
  wanted: PositionReport["tells"]
): { readonly name: string; readonly holding: Holding } | undefined => {
  for (const { name, tells, value } of reports) {
    const amount = tells === wanted ? amountOf(value) : undefined
    if (amount !== undefined && amount <= 0) return { name, holding: amount === 0 ? "flat" : "short" }
  }
  return undefined
}
