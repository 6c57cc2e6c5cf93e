// Bounded texts, counted in code points and kept exactly as sent: no trimming, no NUL, no lone surrogates.
import * as Schema from "effect/Schema"

/** The number of code points: an emoji is one, although it has two UTF-16 units. */
export const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

/** The violation text for a text of at most `max` code points; undefined if it is valid. */
export const error = (text: string, max: number, emptyAllowed: boolean): string | undefined => {
  if (!emptyAllowed && text === "") return "must not be empty"
  if (text.length > 2 * max || codePoints(text) > max) return `must be at most ${max} characters`
  if (text.includes("\u0000")) return "must not contain a NUL character"
  if (!text.isWellFormed()) return "must be well-formed Unicode"
  return undefined
}

/** The schema of a text of at most `max` code points. */
export const bounded = (max: number, options: { readonly empty: boolean }) =>
  Schema.String.pipe(
    Schema.filter((text) => error(text, max, options.empty), {
      jsonSchema: options.empty ? { maxLength: max } : { minLength: 1, maxLength: max }
    })
  )
