/** `10,000.50` and `1,000,000`, as the page writes numbers itself. */
const GROUPED = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+\.\d*$|^[+-]?[1-9]\d{0,2}(?:,\d{3}){2,}$/
/** Ten thousand to some, ten to others. */
const EITHER = /^[+-]?[1-9]\d{0,2},\d{3}$/

/**
 * The number in a field's text; undefined where there is none, NaN where it is not one. A comma is a point to many; a
 * text that two readers would read differently is no number, since one of them would trade on the wrong one.
 */
export const numberOf = (text: string): number | undefined => {
  const trimmed = text.trim()
  if (trimmed === "") return undefined
  if (EITHER.test(trimmed)) return Number.NaN
  return Number(GROUPED.test(trimmed) ? trimmed.replaceAll(",", "") : trimmed.replace(",", "."))
}

/** What to say besides of a text that is no number because of its comma. */
export const commaHint = (text: string): string =>
  EITHER.test(text.trim()) ? `, written without a comma: ${text.trim().replace(",", "")}` : ""
