// Parses numbers from form fields. A text that two readers could read differently is rejected, because one of them
// would trade on the wrong number.

/** `10,000.50` and `1,000,000`, as the page writes numbers itself. */
const GROUPED = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+\.\d*$|^[+-]?[1-9]\d{0,2}(?:,\d{3}){2,}$/
/** `10,000` means ten thousand to some and ten to others. */
const EITHER = /^[+-]?[1-9]\d{0,2},\d{3}$/

/** The number in a text: undefined for an empty text, NaN for an invalid one. A comma counts as a decimal point. */
export const numberOf = (text: string): number | undefined => {
  const trimmed = text.trim()
  if (trimmed === "") return undefined
  if (EITHER.test(trimmed)) return Number.NaN
  return Number(GROUPED.test(trimmed) ? trimmed.replaceAll(",", "") : trimmed.replace(",", "."))
}

/** A hint for a number that is ambiguous because of its comma. */
export const commaHint = (text: string): string =>
  EITHER.test(text.trim()) ? `, written without a comma: ${text.trim().replace(",", "")}` : ""
