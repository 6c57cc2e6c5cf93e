// The fields of a strategy's draft as TypeScript: type and doc comment of each, from the table of fields.
import { readFileSync, writeFileSync } from "node:fs"
import * as JSONSchema from "effect/JSONSchema"
import { type Row, rows } from "../src/domain/requests/StrategyView.ts"
import { path } from "./command.ts"

/** The file that holds the fields. */
export const FILE = "src/domain/requests/StrategyDraft.ts"

const PLACE = /(?<=^export interface StrategyDraft \{\n)[\s\S]*?(?=^\}$)/m
const WIDTH = 110

/** The fields as the file holds them. */
export const found = (): string => PLACE.exec(readFileSync(path(FILE), "utf8"))?.[0] ?? ""

/** The fields as the table has them. */
export const fields = (): string => rows.map(fieldOf).join("")

/** Writes the fields into the file. */
export const write = (): void => {
  const text = readFileSync(path(FILE), "utf8")
  writeFileSync(path(FILE), text.replace(PLACE, fields))
}

const fieldOf = (row: Row): string => {
  const { isNullable, words, type } = typeOf(row)
  const sentences = [row.description, ...words, presence(row)].flatMap(sentence)
  const mark = row.role === "required" ? "" : "?"
  return `${comment(sentences.join(" "))}  readonly ${row.request}${mark}: ${type}${isNullable ? " | null" : ""}\n`
}

/** Whether it is required, and its default if the description does not say so. */
const presence = (row: Row): string | undefined => {
  switch (row.role) {
    case "required":
      return "required"
    case "optional":
      return row.otherwise === undefined ? undefined : `default: ${row.otherwise}`
    case "switch":
    case "flag":
      return "default: false"
    case "value":
      return `required while \`${rows.find(({ feature, role }) => role === "switch" && feature === row.feature)?.request}\` is true`
  }
}

const sentence = (words: string | undefined): ReadonlyArray<string> =>
  words === undefined ? [] : [`${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`]

/** The comment in lines of bounded width. */
const comment = (text: string): string => {
  const lines = [""]
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? ""
    if (line.length + word.length + 6 > WIDTH) lines.push(word)
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`
  }
  return lines.length === 1
    ? `  /** ${lines[0]} */\n`
    : `  /**\n${lines.map((line) => `   * ${line}\n`).join("")}   */\n`
}

interface Shape {
  readonly type: string
  readonly isNullable: boolean
  /** The bounds, in words. */
  readonly words: ReadonlyArray<string>
}

const typeOf = ({ request, schema }: Row): Shape => {
  const { $defs, ...whole } = JSONSchema.make(schema)
  const all = resolved(whole, $defs)
  const members = Array.isArray(all["anyOf"]) ? all["anyOf"].map((one) => resolved(one, $defs)) : [all]
  const isNullable = members.some((one) => one["type"] === "null")
  const one = members.find((member) => member["type"] !== "null") ?? {}
  if (request === "signal_id") return { type: "SignalId", isNullable, words: [] }
  switch (one["type"]) {
    case "boolean":
      return { type: "boolean", isNullable, words: [] }
    case "number":
    case "integer":
      return { type: "number", isNullable, words: [boundsOf(one)] }
    case "array":
      return request === "take_profit_steps"
        ? { type: "ReadonlyArray<ProfitStepDraft>", isNullable, words: [`1 to ${one["maxItems"]} of them`] }
        : { type: "ReadonlyArray<ListingDraft>", isNullable, words: ["one at least"] }
    default:
      return { isNullable, ...textOf(request, one) }
  }
}

const textOf = (request: string, { enum: names, maxLength, minLength }: Json) => {
  if (!Array.isArray(names))
    return { type: "string", words: [`${minLength ?? 0} to ${maxLength} characters`] }
  if (request === "on_opposite")
    return { type: names.map((name) => JSON.stringify(name)).join(" | "), words: [] }
  return { type: request === "default_exchange_name" ? "ExchangeName" : "QuoteCurrency", words: [] }
}

const boundsOf = ({ exclusiveMaximum, exclusiveMinimum, maximum, minimum, type }: Json): string => {
  const least = minimum === undefined ? `above ${exclusiveMinimum}` : `at least ${minimum}`
  const most = maximum === undefined ? `below ${exclusiveMaximum}` : `at most ${maximum}`
  return `${type === "integer" ? "a whole number, " : ""}${least} and ${most}`
}

type Json = Readonly<Record<string, unknown>>
const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null

/** A schema with the definition that it refers to laid beneath its own keywords. */
const resolved = (schema: unknown, definitions: unknown): Json => {
  if (!isJson(schema)) return {}
  const { $ref, ...own } = schema
  if (typeof $ref !== "string" || !isJson(definitions)) return own
  return { ...resolved(definitions[$ref.replace("#/$defs/", "")], definitions), ...own }
}
