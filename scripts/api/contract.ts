// The HTTP contract in the report: a line for each operation, in place of one type of 40,000 characters.
import { readdirSync, readFileSync } from "node:fs"
import { path } from "../command.ts"

/** The dashboard's own operations change with its pages and are not part of the public API. */
const OWN = /^\/v1\/dashboard\//

/** The type of an `HttpApi` with its operations as members; any other text unchanged. */
export const contract = (text: string): string => {
  const [, before, inside] = /^(const \w+: HttpApi)<([\s\S]*)>$/.exec(text) ?? []
  const [name, groups, ...rest] = typeArguments(inside ?? "")
  if (before === undefined || name === undefined || groups === undefined) return text
  const paths = pathsOf()
  const members = alternatives(groups).flatMap((group) => {
    const [, groupArguments] = /^HttpApiGroup<([\s\S]*)>$/.exec(group) ?? []
    const [named = "", endpoints = ""] = typeArguments(groupArguments ?? "")
    return alternatives(endpoints).flatMap((endpoint) => operation(unquoted(named), endpoint, paths))
  })
  return `${before}<${name}, ${rest.join(", ")}> { ${members.sort().join("; ")} }`
}

const operation = (group: string, endpoint: string, paths: ReadonlyMap<string, string>) => {
  const [, inside] = /^HttpApiEndpoint<([\s\S]*)>$/.exec(endpoint) ?? []
  const [name = "", method = "", , query = "", payload = "", headers = "", success = "", error = ""] =
    typeArguments(inside ?? "")
  const key = `${group}.${unquoted(name)}`
  const route = paths.get(key) ?? "?"
  if (OWN.test(`${route}/`)) return []
  const takes = Object.entries({ query, payload, headers })
    .filter(([, type]) => type !== "never")
    .map(([what, type]) => `${what}: ${type}`)
  return [`${key} ${unquoted(method)} ${route} (${takes.join(", ")}) => Effect<${success}, ${error}>`]
}

const unquoted = (text: string) => text.replaceAll('"', "")

/** Splits at a separator outside of all brackets. */
const split = (text: string, separator: string): ReadonlyArray<string> => {
  const found: Array<string> = [""]
  let depth = 0
  for (const [token] of text.matchAll(/"[^"]*"|=>|[\s\S]/g)) {
    if ("([{<".includes(token)) depth += 1
    if (")]}>".includes(token)) depth -= 1
    if (token === separator && depth === 0) found.push("")
    else found.push((found.pop() ?? "") + token)
  }
  return found.map((part) => part.trim())
}
const typeArguments = (text: string) => split(text, ",")
const alternatives = (text: string) => split(text, "|")

/** Paths by group and name, since types do not hold them. */
const pathsOf = (): ReadonlyMap<string, string> => {
  const texts = readdirSync(path("src/api"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(path(`src/api/${file}`), "utf8"))
  const constants = new Map(
    texts.flatMap((text) =>
      [...text.matchAll(/const (\w+_PATH) = "([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value])
    )
  )
  const found = new Map<string, string>()
  for (const text of texts) {
    let group = ""
    for (const [, made, name, route = ""] of text.matchAll(
      /HttpApiGroup\.make\(\s*"(\w+)"|HttpApiEndpoint\.\w+\(\s*"(\w+)",\s*("[^"]*"|`[^`]*`|\w+_PATH)/g
    )) {
      if (made !== undefined) group = made
      else {
        const whole = route.replace(/\$\{(\w+)\}|^(\w+)$/g, (_, a, b) => constants.get(a ?? b) ?? "?")
        found.set(`${group}.${name}`, whole.replace(/["`]/g, ""))
      }
    }
  }
  return found
}
