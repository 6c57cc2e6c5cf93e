// Finds a field that a JSON object names twice. JSON.parse keeps the last of them and says nothing, so that half of a
// grid would be dropped in silence.

/** The first field that the outermost object of a valid JSON text has twice; undefined if there is none. */
export const repeatedField = (json: string): string | undefined => {
  const seen = new Set<string>()
  let depth = 0
  let last = ""
  for (let at = 0; at < json.length; at++) {
    const sign = json[at]
    if (sign === '"') {
      const end = closing(json, at)
      if (depth === 1) last = json.slice(at, end + 1)
      at = end
    } else if (sign === "{" || sign === "[") depth++
    else if (sign === "}" || sign === "]") depth--
    else if (sign === ":" && depth === 1) {
      const field = String(JSON.parse(last))
      if (seen.has(field)) return field
      seen.add(field)
    }
  }
  return undefined
}

/** The index of the quote that ends the text that begins at `from`. */
const closing = (json: string, from: number): number => {
  let at = from + 1
  while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1
  return at
}
