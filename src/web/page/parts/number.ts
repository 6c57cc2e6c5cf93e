/** The number in a field's text; undefined where there is none, NaN where it is not one. */
export const numberOf = (text: string): number | undefined => {
  const trimmed = text.trim().replace(",", ".")
  return trimmed === "" ? undefined : Number(trimmed)
}
