// Percent-decoding of addresses: once and never twice, so that nothing can hide beneath a second layer.

/** Decodes a text; undefined where it is malformed or not UTF-8. Never throws. */
export const decode = (text: string): string | undefined => {
  if (!text.includes("%")) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Decodes a value of a query, where a plus sign is a blank, as in forms. */
export const decodeField = (text: string): string | undefined =>
  decode(text.includes("+") ? text.replaceAll("+", " ") : text)
