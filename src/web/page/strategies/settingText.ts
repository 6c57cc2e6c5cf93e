// The value of a setting as text, in the field's own unit. Pure.
import * as Format from "../parts/format.ts"
import { type FieldName, fieldOf } from "./fields.ts"

/** The text of a value as responses have it; "none" where it is unset. */
export const settingText = (name: FieldName, value: unknown): string => {
  if (typeof value === "boolean") return value ? "on" : "off"
  if (value === null || value === undefined || value === "") return "none"
  const field = fieldOf(name)
  switch (field.kind) {
    case "number": {
      const number = typeof value === "number" ? Format.exact(value) : String(value)
      return field.unit === "at most" ? `at most ${number}` : `${number} ${field.unit}`
    }
    case "choice":
      return field.titles?.[String(value)] ?? String(value)
    case "steps":
      return listOf(value).map(stepText).join(", ")
    case "listings":
      return listOf(value).map(listingText).join("; ")
    default:
      return String(value)
  }
}

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(name) : undefined

/** A step as "40 % at 2 %". */
const stepText = (step: unknown): string =>
  `${memberOf(step, "close_percent")} % at ${memberOf(step, "profit_percent")} %`

const listingText = (listing: unknown): string =>
  `${memberOf(listing, "exchange_name")} ${listOf(memberOf(listing, "coin_pairs")).join(", ")}`
