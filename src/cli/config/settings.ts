// All settings by name, with a suggestion for a misspelt name and a display form without secrets.
import * as Redacted from "effect/Redacted"
import * as Config from "../../Config.ts"
import * as EditDistance from "../../domain/internal/EditDistance.ts"
import * as Database from "../../domain/requests/Database.ts"

export type Setting = Config.Setting<unknown>

/** Every setting by name, sorted by name. */
export const BY_NAME: ReadonlyMap<string, Setting> = new Map(
  Config.list(Config.SETTINGS)
    .map((setting): [string, Setting] => [setting.name, setting])
    .sort(([a], [b]) => (a < b ? -1 : 1))
)

/** The setting that a misspelt name probably means: written in another style, or one or two letters off. */
export const meant = (name: string): string | undefined => {
  const plain = name
    .toLowerCase()
    .replaceAll("_", "-")
    .replace(/^signalbox-/, "")
  const near = [...BY_NAME.keys()]
    .map((candidate) => ({ candidate, distance: EditDistance.between(plain.slice(0, 100), candidate) }))
    .sort((a, b) => a.distance - b.distance)[0]
  const isNear = near !== undefined && near.distance <= Math.min(2, plain.length / 2)
  return isNear ? near.candidate : undefined
}

/** A value for display: secrets and passwords in URLs are hidden. */
export const shown = (value: unknown): unknown => {
  if (Redacted.isRedacted(value)) return shownSecret(String(Redacted.value(value)))
  return typeof value === "string" ? value.replaceAll(/(\/\/)[^/@\s,]*@/g, "$1<redacted>@") : value
}

/** An address of Postgres without its user, password and options; nothing of any other secret. */
const shownSecret = (text: string): string => {
  if (text === "") return ""
  return Database.isAddress(text) ? Database.shownAddress(Redacted.make(text)) : "<redacted>"
}
