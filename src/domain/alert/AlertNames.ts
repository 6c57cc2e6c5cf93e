// Finds an alert's fields under the names and nestings of other services: `marketPosition`, `strategy.market_position`
// and `data.market_position` are all `market_position`. Bounded in fields, depth and name length.

import { type Fields, isFields } from "../requests/Form.ts"
import { EXTRA_NAMES } from "./AlertExtras.ts"

/** A field under its normalized name. */
export interface Named {
  readonly name: string
  readonly value: unknown
}

/** A field under its normalized path; `key` is the last part of the path. */
export interface Found extends Named {
  readonly key: string
}

/** The fields of an alert by normalized name. */
export interface Names {
  /** Every field, outer ones first. */
  readonly all: ReadonlyArray<Found>
  /** The outermost field of each name. */
  readonly byName: ReadonlyMap<string, unknown>
  /** Some fields were cut off by the bounds, so the alert may say more. */
  readonly isCut: boolean
}

/** The API's own field names. A body with no others is not searched further. */
const OWN: ReadonlySet<string> = new Set([
  "signal_id",
  "coin",
  "quote_currency",
  "type",
  "tp",
  "sl",
  ...EXTRA_NAMES,
  "id",
  "test",
  "timestamp",
  "time",
  "timenow"
])

/** Whether all fields have names of the API. */
export const areOwn = (fields: Fields): boolean => {
  for (const name in fields) if (!OWN.has(name)) return false
  return true
}

/** No fields beyond the API's names. */
export const NONE: Names = { all: [], byName: new Map(), isCut: false }

/** The most fields and objects searched, the most characters of a name, and the deepest nesting. */
const MAX_NAMES = 200
const MAX_LENGTH = 60
const MAX_DEPTH = 6

/**
 * Normalizes every field's path, objects in lists included. Never throws; linear in the number of fields, and bounded.
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

/** Adds fields by normalized name, unless that name exists. */
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

/** Most names are normalized already, and testing is cheaper than replacing. */
const PLAIN = /^[a-z\d]+(?:_[a-z\d]+)*$/

const spelled = (name: string): string =>
  PLAIN.test(name)
    ? name
    : name
        .replace(/([a-z\d])([A-Z])/g, "$1_$2")
        .replace(/[^A-Za-z\d]+/g, "_")
        .replace(/^_|_$/g, "")
        .toLowerCase()

/** Wrappers that say nothing about their fields. Removed from whole paths, since a wrapper may have two words. */
const WRAPPERS = /^(?:(?:data|payload|alert|strategy_info|strategy)_)+(?=.)/

const unwrapped = (path: string): string => (WRAPPERS.test(path) ? path.replace(WRAPPERS, "") : path)

/** The first wanted name that exists. */
export const first = ({ byName }: Names, wanted: ReadonlyArray<string>): Named | undefined => {
  for (const name of wanted) {
    const value = byName.get(name)
    if (value !== undefined) return { name, value }
  }
  return undefined
}

/** Whether a path equals this name or ends with it: `tv_market_position` ends with `market_position`. */
export const endsWith = (path: string, name: string): boolean =>
  path.endsWith(name) && (path.length === name.length || path.charAt(path.length - name.length - 1) === "_")

/** How directly a name occurs: 2 by itself, 1 at the end of a path, 0 not at all. */
export const nearness = ({ all, byName }: Names, name: string): number =>
  byName.has(name) ? 2 : all.some((it) => endsWith(it.name, name)) ? 1 : 0
