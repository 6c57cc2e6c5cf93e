// Redacts received alerts before they are kept or shown: tokens, passwords, keys and long random strings are removed,
// through several layers of encoding. When in doubt, text counts as a secret. The
// log is not passed through it: those who log leave secrets out (http/Fault, http/edge/RequestMetrics, ccxt/Failure).
import { hidden, REDACTED, scrubFields } from "./RedactionFields.ts"

/** The most characters kept of a received text. */
export const MAX_KEPT = 2000

/** The most characters that are read: what is shown is the text's beginning. */
const MAX_LOOKED = 4 * MAX_KEPT

/** How much of a cut text's end is not shown: a secret may be cut in two there. */
const UNSURE = MAX_KEPT / 2

/** Replaces a text that contains one of our tokens in pieces, since no piece can be trusted. */
export const WITHHELD = "[withheld: it held a token in pieces]"

/** The most layers of percent-encoding, escapes and the like that are decoded; a text with more is withheld. */
const MAX_LAYERS = 5

/**
 * The redacted text: without secrets, with control characters made visible, at most `MAX_KEPT` characters. Redacting
 * twice gives the same. Never throws; linear in the text's length up to `MAX_LOOKED` characters, constant beyond.
 */
export const redact = (text: string): string => {
  if (text.length <= MAX_KEPT && !SUSPICIOUS_NAME.test(text) && !SUSPICIOUS_TEXT.test(text)) return text
  let now = beginning(text)
  for (let layer = 0; layer < MAX_LAYERS; layer++) {
    const next = cut(clean(now))
    if (next === now) return now
    now = next
  }
  return WITHHELD
}

/** The text without its first layers, as much as is kept of it. */
const beginning = (text: string): string => {
  if (text.length <= MAX_LOOKED) return cut(clean(text))
  const shown = clean(text.slice(0, MAX_LOOKED))
  return shown === WITHHELD ? shown : cut(shown, Math.min(MAX_KEPT, shown.length - UNSURE))
}

/**
 * A quick test that nearly every alert fails. Words with the same first letter are grouped, and two patterns are faster
 * than one.
 */
const SUSPICIOUS_NAME =
  /key|token|pass|pw|auth|b(?:earer|asic)|s(?:ecret|ig(?!nal)|ession_?id|[^0-9a-z]{0,9}b[^0-9a-z]{0,9}x)|c(?:redential|ookie)|jwt|hmac|licen|eyJ|@|\bpin\b|\botp\b/i
/** Any unusual character (`#`, `%` and backslash included), a long run of letters, or a leading number. */
const SUSPICIOUS_TEXT = /[^\n\t -"$&-[\]-~]|[\w+/-]{32}|^\s*\d{8}/

const clean = (text: string): string => {
  const shown = scrub(text)
  let opened = shown
  for (let layer = 0; layer < MAX_LAYERS; layer++) {
    const next = open(opened)
    if (next === opened) return shown
    const scrubbed = scrub(next)
    // The decoded form contained a secret: show that form, scrubbed.
    if (scrubbed !== next) return scrubbed
    opened = next
  }
  return WITHHELD
}

const scrub = (text: string): string => {
  const whole = visible(text).replace(TOKEN, REDACTED)
  return hasPieces(whole) ? WITHHELD : scrubFields(scrubRuns(scrubParts(whole)))
}

/** Keeps line ends and tabs; writes out other invisible characters and lone surrogates. */
const visible = (text: string): string =>
  text
    .replace(/\r\n/g, "\n")
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (letter) =>
      letter === "\n" || letter === "\t" ? letter : `<U+${code(letter)}>`
    )
const code = (letter: string) => (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")

/** Redacts multipart fields with secret names, and files. */
const scrubParts = (text: string): string => {
  if (!text.includes("form-data")) return text
  const boundary = /^\s*(--[^\n]{1,100})\n/.exec(text)?.[1]
  if (boundary === undefined) return text
  const parts = text.split(boundary).map((part) => {
    const end = part.indexOf("\n\n")
    if (end < 0) return part
    const head = part.slice(0, end)
    const name = /\bname="?([^";\n]{0,200})/i.exec(head)?.[1] ?? ""
    return hidden(name) || /\bfilename/i.test(head) ? `${head}\n\n${REDACTED}\n` : part
  })
  return parts.join(boundary)
}

const TOKEN = /sbx_(?:api|hook)_[0-9A-Za-z]{42,}/gi
/**
 * Matched once per run of letters, and only if a full stop follows; matching at each `eyJ` would take quadratic time.
 */
const JWT = /(?<![\w-])(?=[\w-]+\.)([\w-]*?\b)eyJ[\w-]{8,}\.[\w-]{4,4000}(?:\.[\w-]*)?/g
const USER = /\/\/[^\s/@:"'?#]{0,100}:[^\s/@"']{1,200}@/g
const BEARER = /\b(bearer)([ \t:=]{1,4})[^\s"'&,;\\[\]{}<>]{6,}/gi
const BASIC = /\b(basic)([ \t:=]{1,4})(?=[a-z]*[0-9A-Z=])[A-Za-z0-9+/]{8,}={0,2}/g
const LICENCE = /^(\s*)\d{8,}(?=\s*,)/
const RUN = /[A-Za-z0-9+/_-]{32,}={0,2}/g

/** Redacts texts that look like secrets. */
const scrubRuns = (text: string): string =>
  text
    .replace(JWT, `$1${REDACTED}`)
    .replace(USER, `//${REDACTED}@`)
    .replace(BEARER, `$1$2${REDACTED}`)
    .replace(BASIC, `$1$2${REDACTED}`)
    .replace(LICENCE, `$1${REDACTED}`)
    .replace(RUN, (run) => (SOLID.test(run) || isRandom(run) ? REDACTED : run))

const SOLID = /[A-Za-z0-9]{32}/

/**
 * The share of changes between upper case, lower case and digits above which a run counts as random; words rarely
 * change.
 */
const RESTLESS = 0.35

const isRandom = (run: string): boolean => {
  if (!/\d/.test(run) || !/[A-Za-z]/.test(run)) return false
  let changes = 0
  let letters = 0
  let before = 0
  for (let index = 0; index < run.length; index++) {
    const kind = kindOf(run.charCodeAt(index))
    if (kind === 0) continue
    letters++
    if (before !== 0 && before !== kind) changes++
    before = kind
  }
  return changes >= RESTLESS * letters
}

const kindOf = (code: number): number => {
  if (code >= 48 && code <= 57) return 1
  if (code >= 65 && code <= 90) return 2
  return code >= 97 && code <= 122 ? 3 : 0
}

/** Decodes one layer of percent-encoding, escapes and entities. */
const open = (text: string): string =>
  text
    .replace(/%([2-7][0-9a-f])/gi, (whole, hex: string) => letterOf(Number.parseInt(hex, 16)) ?? whole)
    .replace(
      // Starts at the first backslash of a run; starting at each would take quadratic time.
      /(?<!\\)\\+(?:u00|x|u\{0{0,6})([2-7][0-9a-f])\}?/gi,
      (whole, hex: string) => letterOf(Number.parseInt(hex, 16)) ?? whole
    )
    .replace(/&#0{0,6}(\d{2,3});/g, (whole, digits: string) => letterOf(Number(digits)) ?? whole)
    .replace(
      /&#x0{0,6}([2-7][0-9a-f]);/gi,
      (whole, hex: string) => letterOf(Number.parseInt(hex, 16)) ?? whole
    )

const letterOf = (code: number): string | undefined =>
  code >= 0x20 && code <= 0x7e ? String.fromCharCode(code) : undefined

/** Whether the text still contains the prefix of one of our tokens, or a whole token with characters in between. */
const hasPieces = (text: string): boolean => {
  const letters = text.replace(/<U\+[0-9A-F]+>|[^0-9A-Za-z_]/g, "")
  return PIECE.test(text) || WHOLE.test(letters)
}
const PIECE = /sbx_(?:api|hook)_/i
const WHOLE = /sbx_(?:api|hook)_[0-9A-Za-z]{36}/i

/** At most so many characters, the last of them a mark where some are missing. */
const cut = (text: string, most = MAX_KEPT): string => {
  if (text.length <= most) return text
  const end = Math.max(0, most - 1)
  return `${text.slice(0, /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end)}…`
}
