import * as Schema from "effect/Schema"

/** Code points, as people count characters: an emoji is one, though it takes two UTF-16 units. */
export const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

/** What is wrong with a text of at most `max` code points; none where all is well. */
export const error = (text: string, max: number, emptyAllowed: boolean): string | undefined => {
  if (!emptyAllowed && text === "") return "must not be empty"
  if (text.length > 2 * max || codePoints(text) > max) return `must be at most ${max} characters`
  if (text.includes("\u0000")) return "must not contain a NUL character"
  if (!text.isWellFormed()) return "must be well-formed Unicode"
  return undefined
}

/** A text counted in code points, kept exactly as it came: no trimming, no NUL, no lone surrogate. */
export const bounded = (max: number, options: { readonly empty: boolean }) =>
  Schema.String.pipe(
    Schema.filter((text) => error(text, max, options.empty), {
      jsonSchema: options.empty ? { maxLength: max } : { minLength: 1, maxLength: max }
    })
  )
