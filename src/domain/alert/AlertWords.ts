// The words by which alerts name what to do: the API's own types, and the words of other services for them. `buy` and
// `sell` have no other words; which field's word counts, and what a buy closes: `AlertAct`.
import { ALERT_TYPES, type AlertType } from "../Alert.ts"
import { unfilled } from "./Placeholder.ts"

const TYPES: ReadonlyMap<string, AlertType> = new Map(ALERT_TYPES.map((type) => [type, type]))
/** The violation text for an unknown type. @internal */
export const TYPES_TEXT = `must be one of ${ALERT_TYPES.join(", ")}`

/** The alert type that a value names, in any case. @internal */
export const exact = (value: unknown): AlertType | undefined =>
  typeof value === "string" ? (TYPES.get(value) ?? TYPES.get(value.trim().toLowerCase())) : undefined

/**
 * The meaning of a word: an alert type, or to open, close or switch something that another field names.
 *
 * @internal
 */
export type Word =
  | { readonly _tag: "Type"; readonly type: AlertType }
  | { readonly _tag: "Open" | "Close" | "Switch" }

const wordsFor = (word: Word, words: string): ReadonlyArray<readonly [string, Word]> =>
  words.split(" ").map((text) => [text, word])

const WORDS: ReadonlyMap<string, Word> = new Map([
  ...wordsFor({ _tag: "Type", type: "long" }, "enter_long entry_long long_entry open_long go_long"),
  ...wordsFor({ _tag: "Type", type: "short" }, "enter_short entry_short short_entry open_short go_short"),
  ...wordsFor({ _tag: "Type", type: "close_long" }, "exit_long long_exit closelong"),
  ...wordsFor({ _tag: "Type", type: "close_short" }, "exit_short short_exit closeshort"),
  ...wordsFor({ _tag: "Open" }, "open entry enter add increase reentry"),
  ...wordsFor(
    { _tag: "Close" },
    "close exit flat flatten exit_all close_all close_position close_at_market_price"
  ),
  ...wordsFor(
    { _tag: "Switch" },
    "start_bot stop_bot start_and_open stop_and_close start stop enable disable cancel"
  )
])

/** The meaning of a value; undefined for an unknown word. @internal */
export const read = (value: unknown): Word | undefined =>
  typeof value === "string" ? WORDS.get(spelled(value)) : undefined

/** A word with normalized separators: `Enter-Long` becomes `enter_long`. @internal */
export const spelled = (value: string): string =>
  value
    .trim()
    .toLowerCase()
    .replaceAll(/[\s.-]+/g, "_")

/** The violation text for a value that is no known word. @internal */
export const errorOf = (value: unknown): string => {
  if (typeof value !== "string") return Array.isArray(value) ? "is given more than once" : TYPES_TEXT
  const text = unfilled(value)
  if (text !== undefined) return text
  return value.includes("|") ? `holds all choices: leave one, ${TYPES_TEXT.slice(8)}` : TYPES_TEXT
}
