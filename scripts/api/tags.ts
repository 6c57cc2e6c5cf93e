// Checks the tags of doc comments that say since when an export is there, and what takes its place once it is to go.
import { isPublic, type Module } from "./report.ts"

const VERSION = String.raw`\d+\.\d+\.\d+`
const SINCE = new RegExp(`^@since ${VERSION}$`, "m")
const DEPRECATED = new RegExp(String.raw`^@deprecated since ${VERSION}: \S`, "m")

/** Every export as one line, `signalbox/domain/Order Side`: what a release writes down. */
export const names = (modules: ReadonlyArray<Module>): ReadonlyArray<string> => [
  ...new Set(
    modules.flatMap(({ declarations, name }) =>
      declarations.filter(isPublic).map((one) => `${name.split(":")[0]} ${one.name}`)
    )
  )
]

/**
 * Exports with a tag that does not say what it has to, and exports that came after the last release without `@since`.
 * `released` has the names of that release; undefined before the first.
 */
export const mistagged = (
  { declarations, name }: Module,
  released: ReadonlySet<string> | undefined
): ReadonlyArray<string> => {
  const [door = ""] = name.split(":")
  const documented = declarations.filter((one) => isPublic(one) && one.doc !== "")
  const tagged = new Set(documented.filter(({ doc }) => SINCE.test(doc)).map((one) => one.name))
  return documented.flatMap(({ doc, name: one }) => {
    const at = `${name}: ${one}`
    const isNew = released !== undefined && !released.has(`${door} ${one}`) && !tagged.has(one)
    return [
      ...(/^@since\b/m.test(doc) && !SINCE.test(doc) ? [`${at} has a @since without a version`] : []),
      ...(/@deprecated\b/.test(doc) && !DEPRECATED.test(doc)
        ? [`${at} does not say "@deprecated since VERSION: what to use"`]
        : []),
      ...(isNew
        ? [`${at} is new since the last release: it needs @since with the version that brings it`]
        : [])
    ]
  })
}
