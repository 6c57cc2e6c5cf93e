// Which coding of a body a caller is given (RFC 9110, 12.5.3), and whether the caller has it already (13.1.2).

/** How a body may be written: as it is, or smaller. */
export type Coding = "identity" | "gzip" | "br"

/** By our own taste: the smallest first. */
const TASTE = ["br", "gzip", "identity"] as const

/** How much a caller wants each coding, from 0 for not at all to 1 (RFC 9110, 12.5.3). */
const wishes = (header: string): ReadonlyMap<string, number> =>
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

/** The coding of an answer, of those that there are: as it is where the caller names none. */
export const codingOf = (header: string | null, there: (coding: Coding) => boolean): Coding => {
  if (header === null) return "identity"
  const wanted = wishes(header)
  const other = wanted.get("*")
  // What is not named is wanted as the rest is; a body as it is also where nothing is said of the rest, but last.
  const wish = (coding: Coding) => wanted.get(coding) ?? other ?? (coding === "identity" ? 0.0001 : 0)
  const [best = "identity"] = TASTE.filter((coding) => there(coding) && wish(coding) > 0).sort(
    (a, b) => wish(b) - wish(a)
  )
  return best
}

/** Whether a caller has what an entity tag names already (RFC 9110, 13.1.2). */
export const hasAlready = (header: string | null, tag: string): boolean =>
  header !== null &&
  (header.trim() === "*" || header.split(",").some((it) => it.trim().replace(/^W\//, "") === tag))
