import { type Fields, isFields } from "./Form.ts"

/** The fields of an alert by the names that other services have for them. */
export type Names = ReadonlyMap<string, unknown>

/** A field under the first of several names that it goes by. */
export interface Named {
  readonly name: string
  readonly value: unknown
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
export const NONE: Names = new Map()

/** The most names that are looked at, the longest of them, and how deep they may stand in objects. */
const MAX_NAMES = 200
const MAX_LENGTH = 60
const MAX_DEPTH = 4

/**
 * Every field by one spelling of its name: `marketPosition`, `strategy.market_position` and the `market_position`
 * within `data` are all `market_position`. What stands further out comes first. Never throws.
 */
export const read = (fields: Fields): Names => {
  const names = new Map<string, unknown>()
  let level: ReadonlyArray<readonly [prefix: string, fields: Fields]> = [["", fields]]
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const inner: Array<readonly [string, Fields]> = []
    for (const [prefix, object] of level) {
      for (const key in object) {
        if (names.size + inner.length >= MAX_NAMES) break
        const value = object[key]
        if (key.length > MAX_LENGTH || value === undefined || value === null) continue
        const name = spelled(prefix === "" ? key : `${prefix}_${key}`)
        if (isFields(value)) inner.push([name, value])
        else if (!names.has(name)) names.set(name, value)
      }
    }
    level = inner
  }
  return names
}

/** What wraps fields without telling anything of them. */
const WRAPPERS = /^(?:(?:data|payload|alert|strategy_info|strategy)_)+(?=.)/

/** Most names are spelled so already, and looking is cheaper than replacing. */
const PLAIN = /^(?!data_|payload_|alert_|strategy_)[a-z\d_]+$/

const spelled = (name: string): string => (PLAIN.test(name) ? name : respelled(name))

const respelled = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z\d]+/g, "_")
    .toLowerCase()
    .replace(WRAPPERS, "")

/** The first of these names that is there. */
export const first = (names: Names, wanted: ReadonlyArray<string>): Named | undefined => {
  for (const name of wanted) {
    const value = names.get(name)
    if (value !== undefined) return { name, value }
  }
  return undefined
}
