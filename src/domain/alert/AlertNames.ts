import { type Fields, isFields } from "../requests/Form.ts"

/** A field by one spelling of its name. */
export interface Named {
  readonly name: string
  readonly value: unknown
}

/** A field by one spelling of its path; `key` is the last part of that, within its own object. */
export interface Found extends Named {
  readonly key: string
}

/** The fields of an alert by the names that other services have for them. */
export interface Names {
  /** Every field. What stands further out comes first. */
  readonly all: ReadonlyArray<Found>
  /** The outermost field of each name. */
  readonly byName: ReadonlyMap<string, unknown>
  /** There were more fields than are looked at, or deeper ones: what the alert says may not be all that it says. */
  readonly isCut: boolean
}

/** What alerts in the names of this interface are made of: a body with nothing else in it needs no looking further. */
const OWN: ReadonlySet<string> = new Set([
  "signal_id",
  "coin",
  "quote_currency",
  "type",
  "tp",
  "sl",
  "id",
  "test",
  "timestamp",
  "time",
  "timenow"
])

/** Whether all fields have names of this interface. */
export const areOwn = (fields: Fields): boolean => {
  for (const name in fields) if (!OWN.has(name)) return false
  return true
}

/** Nothing beyond the names of this interface. */
export const NONE: Names = { all: [], byName: new Map(), isCut: false }

/** The most fields and objects that are looked at, the letters of a name that count, and how deep they may stand. */
const MAX_NAMES = 200
const MAX_LENGTH = 60
const MAX_DEPTH = 6

/**
 * Every field by one spelling of its path: `marketPosition`, `strategy.market_position`, `strategy[market_position]`
 * and the `market_position` within `data` are all `market_position`. Objects in lists are looked into as well. Never
 * throws; time is linear in the number of fields, and bounded.
 */
export const read = (fields: Fields): Names => {
  const all: Array<Found> = []
  let isCut = false
  let seen = 0
  let level: ReadonlyArray<Named> = [{ name: "", value: fields }]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === MAX_DEPTH) isCut = true
    if (isCut) break
    const inner: Array<Named> = []
    for (const { name: prefix, value: object } of level) {
      if (!isFields(object)) continue
      for (const key in object) {
        const value = object[key]
        if (value === undefined || value === null) continue
        if (++seen > MAX_NAMES) {
          isCut = true
          break
        }
        const own = spelled(key.length > MAX_LENGTH ? key.slice(-MAX_LENGTH) : key)
        const name = prefix === "" ? own : `${prefix}_${own}`
        if (isFields(value)) inner.push({ name, value })
        else if (Array.isArray(value) && value.some(isFields)) {
          const objects = value.slice(0, MAX_NAMES).filter(isFields)
          for (const it of objects) inner.push({ name, value: it })
          seen += objects.length
        } else all.push({ name: unwrapped(name), key: own, value })
      }
    }
    level = inner
  }
  return named(all, isCut)
}

const named = (all: ReadonlyArray<Found>, isCut: boolean): Names => {
  const byName = new Map<string, unknown>()
  for (const { name, value } of all) if (!byName.has(name)) byName.set(name, value)
  return { all, byName, isCut }
}

/** The same with more fields, by names as they are spelled here, where there is none of that name. */
export const under = (names: Names, more: Fields): Names =>
  named(
    [
      ...names.all,
      ...Object.entries(more).flatMap(([name, value]) =>
        names.byName.has(name) ? [] : { name, key: name, value }
      )
    ],
    names.isCut
  )

/** Most names are spelled so already, and looking is cheaper than replacing. */
const PLAIN = /^[a-z\d]+(?:_[a-z\d]+)*$/

const spelled = (name: string): string =>
  PLAIN.test(name)
    ? name
    : name
        .replace(/([a-z\d])([A-Z])/g, "$1_$2")
        .replace(/[^A-Za-z\d]+/g, "_")
        .replace(/^_|_$/g, "")
        .toLowerCase()

/** What wraps fields without telling anything of them. Taken off whole paths: a wrapper may be made of two words. */
const WRAPPERS = /^(?:(?:data|payload|alert|strategy_info|strategy)_)+(?=.)/

const unwrapped = (path: string): string => (WRAPPERS.test(path) ? path.replace(WRAPPERS, "") : path)

/** The first of these names that is there. */
export const first = ({ byName }: Names, wanted: ReadonlyArray<string>): Named | undefined => {
  for (const name of wanted) {
    const value = byName.get(name)
    if (value !== undefined) return { name, value }
  }
  return undefined
}

/** Whether a path is this name, or ends with it behind others: `tv_market_position` ends with `market_position`. */
export const endsWith = (path: string, name: string): boolean =>
  path.endsWith(name) && (path.length === name.length || path.charAt(path.length - name.length - 1) === "_")

/** How plainly a name stands among others: 2 by itself, 1 behind others, 0 not at all. */
export const nearness = ({ all, byName }: Names, name: string): number =>
  byName.has(name) ? 2 : all.some((it) => endsWith(it.name, name)) ? 1 : 0
