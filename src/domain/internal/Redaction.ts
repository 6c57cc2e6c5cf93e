import { hidden, REDACTED, scrubFields } from "./RedactionFields.ts"

/** The most characters that are kept of what came in. */
export const MAX_KEPT = 2000

/** The most characters that are looked at: what is shown is of a text's beginning. */
const MAX_LOOKED = 4 * MAX_KEPT

/** So much of the end of a text that was not looked at whole is not shown: a secret may be cut in two there. */
const UNSURE = MAX_KEPT / 2

/** What stands for a text that holds one of our tokens in pieces: no piece of it could be trusted. */
export const WITHHELD = "[withheld: it held a token in pieces]"

/** Layers of percent signs, escapes and the like that are looked through; beyond them nothing is shown. */
const MAX_LAYERS = 5

/**
 * A text from outside as it may be kept and shown: without tokens, passwords, keys and other long random texts, with
 * control characters made visible, and at most `MAX_KEPT` characters. What looks like a secret is taken for one. The
 * same again for a text that was redacted before. Never throws; time is linear in the text's length up to `MAX_LOOKED`
 * characters, and no longer beyond them.
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
 * Nearly every alert holds none of these, and all of them are looked through: words with the same first letter stand
 * together, and the two are faster than one of both.
 */
const SUSPICIOUS_NAME =
  /key|token|pass|pw|auth|b(?:earer|asic)|s(?:ecret|ig(?!nal)|ession_?id|[^0-9a-z]{0,9}b[^0-9a-z]{0,9}x)|c(?:redential|ookie)|jwt|hmac|licen|eyJ|@|\bpin\b|\botp\b/i
/** Anything but the plainest letters (no `#`, `%` or backslash), long runs of them, and a number to begin with. */
const SUSPICIOUS_TEXT = /[^\n\t -"$&-[\]-~]|[\w+/-]{32}|^\s*\d{8}/

const clean = (text: string): string => {
  const shown = scrub(text)
  let opened = shown
  for (let layer = 0; layer < MAX_LAYERS; layer++) {
    const next = open(opened)
    if (next === opened) return shown
    const scrubbed = scrub(next)
    // Its dressing hid a secret: it is shown undressed.
    if (scrubbed !== next) return scrubbed
    opened = next
  }
  return WITHHELD
}

const scrub = (text: string): string => {
  const whole = visible(text).replace(TOKEN, REDACTED)
  return hasPieces(whole) ? WITHHELD : scrubFields(scrubRuns(scrubParts(whole)))
}

/** Line ends and tabs stay; other characters that nobody sees are written out, as are halves of surrogate pairs. */
const visible = (text: string): string =>
  text
    .replace(/\r\n/g, "\n")
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (letter) =>
      letter === "\n" || letter === "\t" ? letter : `<U+${code(letter)}>`
    )
const code = (letter: string) => (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")

/** The values of a multipart form whose names suggest secrets, and files. */
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
/** Looked for once in each run of letters, and only where a full stop follows it: at each `eyJ` it would cost a square. */
const JWT = /(?<![\w-])(?=[\w-]+\.)([\w-]*?\b)eyJ[\w-]{8,}\.[\w-]{4,4000}(?:\.[\w-]*)?/g
const USER = /\/\/[^\s/@:"'?#]{0,100}:[^\s/@"']{1,200}@/g
const BEARER = /\b(bearer)([ \t:=]{1,4})[^\s"'&,;\\[\]{}<>]{6,}/gi
const BASIC = /\b(basic)([ \t:=]{1,4})(?=[a-z]*[0-9A-Z=])[A-Za-z0-9+/]{8,}={0,2}/g
const LICENCE = /^(\s*)\d{8,}(?=\s*,)/
const RUN = /[A-Za-z0-9+/_-]{32,}={0,2}/g

/** Texts that are secrets by their looks. */
const scrubRuns = (text: string): string =>
  text
    .replace(JWT, `$1${REDACTED}`)
    .replace(USER, `//${REDACTED}@`)
    .replace(BEARER, `$1$2${REDACTED}`)
    .replace(BASIC, `$1$2${REDACTED}`)
    .replace(LICENCE, `$1${REDACTED}`)
    .replace(RUN, (run) => (SOLID.test(run) || isRandom(run) ? REDACTED : run))

const SOLID = /[A-Za-z0-9]{32}/

/** How often random letters and digits change between capitals, small letters and digits, and words hardly do. */
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

/** The text with one layer taken off of what may stand for a letter: percent signs, escapes, entities. */
const open = (text: string): string =>
  text
    .replace(/%([2-7][0-9a-f])/gi, (whole, hex: string) => letterOf(Number.parseInt(hex, 16)) ?? whole)
    .replace(
      // From the first of them on: begun at each, a run of them would be gone through as often as it is long.
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

/** Whether what is left holds the beginning of one of our tokens, or a whole one with something between its letters. */
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
