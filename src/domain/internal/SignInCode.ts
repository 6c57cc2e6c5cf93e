// One-time codes that sign in to the dashboard: a terminal prints one, and a browser trades it for a session. A code is
// 100 random bits as 20 letters without look-alikes, so that it can be typed.

/** How long a code can be used, in seconds. */
export const MAX_AGE_SECONDS = 600

/** The most codes that wait to be used; another one drops the oldest. */
export const MAX_CODES = 10

/** The digits and letters of Crockford's Base32: without I, L, O and U. */
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

/** The letters of a code, each of which is made from one random byte. */
export const LENGTH = 20
const GROUP = 5

/** A code from random bytes, in groups: `7K2QD-9XB4M-...`. */
export const make = (random: Uint8Array): string => {
  const letters = Array.from(random.subarray(0, LENGTH), (byte) => LETTERS.charAt(byte % LETTERS.length))
  return Array.from({ length: LENGTH / GROUP }, (_, at) =>
    letters.slice(at * GROUP, (at + 1) * GROUP).join("")
  ).join("-")
}

const SHAPE = new RegExp(`^[${LETTERS}]{${LENGTH}}$`)
/** The longest text that is read as a code, in characters. */
const MAX_TEXT = 100

/** The letters of a typed code, without blanks and dashes and with look-alikes mended; undefined if it is no code. */
export const read = (text: string): string | undefined => {
  if (text.length > MAX_TEXT) return undefined
  const letters = text.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1")
  return SHAPE.test(letters) ? letters : undefined
}
