// All settings by name, with a suggestion for a misspelt name and a display form without secrets.
import * as Redacted from "effect/Redacted"
import * as Config from "../../Config.ts"

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
    .map((candidate) => ({ candidate, distance: distanceOf(plain, candidate) }))
    .sort((a, b) => a.distance - b.distance)[0]
  const isNear = near !== undefined && near.distance <= Math.min(2, plain.length / 2)
  return isNear ? near.candidate : undefined
}

/** The edit distance (Levenshtein). */
const distanceOf = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [at, letter] of [...from.slice(0, 100)].entries()) {
    const next = [at + 1]
    for (let index = 1; index <= to.length; index++) {
      const [above = 0, corner = 0, left = 0] = [row[index], row[index - 1], next[index - 1]]
      next.push(Math.min(above + 1, left + 1, corner + (letter === to[index - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[to.length] ?? 0
}

/** A value for display: secrets and passwords in URLs are hidden. */
export const shown = (value: unknown): unknown => {
  if (Redacted.isRedacted(value)) return "<redacted>"
  return typeof value === "string" ? value.replaceAll(/(\/\/)[^/@\s,]*@/g, "$1<redacted>@") : value
}
