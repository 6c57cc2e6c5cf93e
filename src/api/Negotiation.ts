// Chooses the encoding of a response from Accept-Encoding (RFC 9110, 12.5.3), and compares ETags (13.1.2).

/** How a body is encoded. */
export type Coding = "identity" | "gzip" | "br"

/** Our preference: the smallest first. */
const TASTE = ["br", "gzip", "identity"] as const

/** The weight that a caller gives each encoding, from 0 (refused) to 1 (RFC 9110, 12.5.3). */
const weightsOf = (header: string): ReadonlyMap<string, number> =>
  new Map(
    header
      .toLowerCase()
      .split(",")
      .map((part) => {
        const [name = "", ...parameters] = part.split(";").map((it) => it.trim())
        const quality = parameters.find((it) => it.startsWith("q="))?.slice(2)
        return [
          name,
          quality === undefined
            ? 1
            : /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality)
              ? Number(quality)
              : 0
        ]
      })
  )

/** The encoding of a response, among those available; identity without a header. */
export const codingOf = (header: string | null, there: (coding: Coding) => boolean): Coding => {
  if (header === null) return "identity"
  const wanted = weightsOf(header)
  const other = wanted.get("*")
  // An encoding that is not named has the weight of `*`. Identity is allowed as the last choice unless it is refused.
  const weight = (coding: Coding) => wanted.get(coding) ?? other ?? (coding === "identity" ? 0.0001 : 0)
  const [best = "identity"] = TASTE.filter((coding) => there(coding) && weight(coding) > 0).sort(
    (a, b) => weight(b) - weight(a)
  )
  return best
}

/** Whether the caller's copy is current (RFC 9110, 13.1.2). */
export const hasAlready = (header: string | null, tag: string): boolean =>
  header !== null &&
  (header.trim() === "*" || header.split(",").some((it) => it.trim().replace(/^W\//, "") === tag))
