// Redacts the values of fields whose names suggest a secret, in JSON, forms, headers and plain text.

/** Replaces a secret. */
export const REDACTED = "[redacted]"

/** The most characters of a name, and between a name and its value. */
const MAX_NAME = 64
const MAX_GAP = 20

const LIKELY = /key|token|secret|pass|pw|auth|bearer|credential|cookie|session|jwt|hmac|sig|licen|pin|otp/i
/** Parts of a name, anywhere in it. */
const PARTS =
  /token|secret|passw|passphrase|passcode|apikey|accesskey|privatekey|authoriz|authenti|credential|cookie|sessionid/
/** Words of a name: anywhere, as the last one, or alone. */
const WORDS = new Set([
  "auth",
  "bearer",
  "hmac",
  "jwt",
  "licence",
  "license",
  "pw",
  "pwd",
  "sig",
  "signature"
])
const LAST = new Set(["key", "keys", "pass"])
const ALONE = new Set(["otp", "pin"])

/** Whether a field's name suggests that its value is secret. */
export const hidden = (name: string): boolean => {
  if (!LIKELY.test(name)) return false
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")
  return (
    PARTS.test(words.join("")) ||
    words.some((word) => WORDS.has(word)) ||
    LAST.has(words.at(-1) ?? "") ||
    (words.length === 1 && ALONE.has(words[0] ?? ""))
  )
}

/** The text without the values of secret fields. */
export const scrubFields = (text: string): string => {
  let shown = ""
  let done = 0
  for (let at = nextSeparator(text, 0); at >= 0; at = nextSeparator(text, Math.max(at + 1, done))) {
    if (!hidden(nameBefore(text, at))) continue
    const value = valueAfter(text, at)
    if (value === undefined) continue
    shown += text.slice(done, value.from) + REDACTED
    done = value.to
  }
  return done === 0 ? text : shown + text.slice(done)
}

const nextSeparator = (text: string, from: number): number => {
  for (let index = from; index < text.length; index++) {
    const letter = text.charAt(index)
    if (letter === ":" || letter === "=") return index
  }
  return -1
}

const NAME = /[\w.[\]-]/
const BLANK = /[ \t\n]/

/** The word before a separator, quoted or not. */
const nameBefore = (text: string, at: number): string => {
  let end = at
  while (at - end < MAX_GAP && BLANK.test(text.charAt(end - 1))) end--
  while (at - end < MAX_GAP && /["'\\]/.test(text.charAt(end - 1))) end--
  let start = end
  while (end - start < MAX_NAME && NAME.test(text.charAt(start - 1))) start--
  return text.slice(start, end)
}

/** A range of a text. */
interface Stretch {
  readonly from: number
  readonly to: number
}

/** Values that are no secret. */
const PLAIN = /^(?:null|true|false|undefined|None)?$/

/**
 * The range of the value after a separator; undefined if there is none. Without an end it reaches the last character.
 */
const valueAfter = (text: string, at: number): Stretch | undefined => {
  const isColon = text.charAt(at) === ":"
  const gap = isColon ? BLANK : /[ \t]/
  let from = at + 1
  while (from - at <= MAX_GAP && gap.test(text.charAt(from))) from++
  let open = from
  while (text.charAt(open) === "\\") open++
  const quote = text.charAt(open)
  if (quote === '"' || quote === "'") {
    const value = quoted(text, from, open, quote)
    return value.from === value.to ? undefined : value
  }
  const inner = isColon && /[[{]/.test(text.charAt(from)) ? closing(text, from) : from
  const to = endOf(text, inner, isColon ? /[\n,}\]"&;]/ : /[&\n"\\]/)
  return PLAIN.test(text.slice(from, to).trim()) ? undefined : { from, to }
}

/** The range of a quoted value, whose quotes may be escaped inside another text. */
const quoted = (text: string, from: number, open: number, quote: string): Stretch => {
  const escapes = open - from
  for (let end = text.indexOf(quote, open + 1); end >= 0; end = text.indexOf(quote, end + 1)) {
    let count = 0
    while (end - count > open + 1 && text.charAt(end - count - 1) === "\\") count++
    if (escapes === 0 ? count % 2 === 0 : count <= escapes)
      return { from: open + 1, to: end - Math.min(count, escapes) }
  }
  return { from: open + 1, to: text.length }
}

/** The index after the matching closing bracket. */
const closing = (text: string, from: number): number => {
  let depth = 0
  let isText = false
  for (let index = from; index < text.length; index++) {
    const letter = text.charAt(index)
    if (isText && letter === "\\") index++
    else if (letter === '"') isText = !isText
    else if (!isText && (letter === "{" || letter === "[")) depth++
    else if (!isText && (letter === "}" || letter === "]") && --depth === 0) return index + 1
  }
  return text.length
}

const endOf = (text: string, from: number, stop: RegExp): number => {
  let index = from
  while (index < text.length && !stop.test(text.charAt(index))) index++
  return index
}
