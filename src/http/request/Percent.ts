// Percent-encoding in addresses: taken off once and never twice, so that nothing can hide below a second layer.

/** The text without its percent-encoding; nothing where that is malformed or makes no UTF-8 text. Never throws. */
export const decode = (text: string): string | undefined => {
  if (!text.includes("%")) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The same for a value in a query, where a plus sign is a blank, as in forms. */
export const decodeField = (text: string): string | undefined =>
  decode(text.includes("+") ? text.replaceAll("+", " ") : text)
