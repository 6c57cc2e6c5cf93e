// The name under which an owner publishes. Everybody reads it, so it is plain text that shows as what it is.
import * as Schema from "effect/Schema"
import * as Text from "../internal/Text.ts"

/** The longest display name, in code points. */
export const DISPLAY_NAME_MAX = 40

/** Characters that are invisible, turn the reading direction, break the line, or mean nothing to others. */
const UNSHOWN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
/** Space at an end, two in a row, or any but the plain one. */
const SPACES = /^\s|\s$|\s\s|[^\S ]/u
/** More than two marks on one letter, which would cover the lines around it. */
const STACKED = /\p{M}{3}/u
const READABLE = /[\p{L}\p{N}]/u

/** What is wrong with a display name; undefined if nothing is. */
export const displayNameError = (text: string): string | undefined => {
  const error = Text.error(text, DISPLAY_NAME_MAX, false)
  if (error !== undefined) return error
  if (UNSHOWN.test(text)) return "must not contain control, invisible or direction characters"
  if (SPACES.test(text)) return "must have single plain spaces, and none at its ends"
  if (STACKED.test(text)) return "must have at most two marks on a letter"
  return READABLE.test(text) ? undefined : "must contain a letter or a digit"
}

/** A display name: 1 to `DISPLAY_NAME_MAX` code points, all of them visible. Two owners may choose the same. */
export const DisplayName = Schema.String.pipe(
  Schema.filter(displayNameError, {
    jsonSchema: { minLength: 1, maxLength: DISPLAY_NAME_MAX },
    arbitrary: () => (fc) => fc.stringMatching(/^[A-Za-zäß0-9]{1,40}$/)
  })
)
