// Schemas of the OpenAPI document as HTML: a table of fields, and links to the schemas that have names.
import { at, entries, escaped, list, prose, text } from "./Json.ts"

/** The anchor of a named schema. */
export const anchorOf = (name: string): string => `schema.${name}`

const PREFIX = "#/components/schemas/"
/** How deep fields within fields are shown. */
const MAX_DEPTH = 4
/** The most values of a choice that are listed. */
const MAX_VALUES = 24

/** The type of a value in a few words, with links to named schemas. */
export const typeOf = (schema: unknown, depth = 0): string => {
  const name = text(at(schema, "$ref"))
  if (name.startsWith(PREFIX)) {
    const own = name.slice(PREFIX.length)
    return `<a href="#${anchorOf(own)}">${escaped(own)}</a>`
  }
  const values = list(at(schema, "enum"))
  if (values.length > 0)
    return `${values
      .slice(0, MAX_VALUES)
      .map((value) => `<code>${escaped(JSON.stringify(value))}</code>`)
      .join(" ")}${values.length > MAX_VALUES ? " …" : ""}`
  const choices = [...list(at(schema, "anyOf")), ...list(at(schema, "oneOf")), ...list(at(schema, "allOf"))]
  if (choices.length > 0 && depth < MAX_DEPTH)
    return [...new Set(choices.map((choice) => typeOf(choice, depth + 1)))].join(" or ")
  const type = text(at(schema, "type"))
  if (type === "array") return `list of ${typeOf(at(schema, "items"), depth + 1)}`
  return `${type === "" ? "anything" : escaped(type)}${boundsOf(schema)}`
}

const boundsOf = (schema: unknown): string => {
  const words = BOUNDS.flatMap(([name, word]) => {
    const value = at(schema, name)
    return typeof value === "number" ? [`${word} ${value}`] : []
  })
  return words.length === 0 ? "" : `, ${words.join(", ")}`
}

const BOUNDS = [
  ["minimum", "at least"],
  ["exclusiveMinimum", "more than"],
  ["maximum", "at most"],
  ["exclusiveMaximum", "less than"],
  ["maxLength", "length at most"],
  ["maxItems", "items at most"]
] as const

/** The fields of an object as a table; its type in words where it is none. */
export const fieldsOf = (schema: unknown, depth = 0): string => {
  const fields = entries(at(schema, "properties"))
  if (fields.length === 0) return `<p class="type">${typeOf(schema)}</p>`
  const needed = new Set(list(at(schema, "required")))
  const rows = fields.map(([name, field]) => {
    const about = text(at(field, "description"))
    const inner = innerOf(field)
    return `<tr><th scope="row"><code>${escaped(name)}</code>${needed.has(name) ? " <b>needed</b>" : ""}</th><td>${typeOf(field)}${about === "" ? "" : `<p>${prose(about)}</p>`}${inner === undefined || depth >= MAX_DEPTH ? "" : fieldsOf(inner, depth + 1)}</td></tr>`
  })
  return `<table>${rows.join("")}</table>`
}

/** The object within a field, or within the items of a list, that has no name of its own. */
const innerOf = (field: unknown): unknown => {
  const one = text(at(field, "type")) === "array" ? at(field, "items") : field
  return entries(at(one, "properties")).length > 0 ? one : undefined
}
