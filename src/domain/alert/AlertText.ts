// Reads the fields of an alert's body. The content type is only a hint: text that looks like JSON is read as JSON, else
// as a form (`a=1&b=2`) or as a plain-text message (`BotMessage`). Any other body is refused, naming its likeliest
// mistake.
import * as Either from "effect/Either"
import * as Form from "../requests/Form.ts"
import * as BotMessage from "./BotMessage.ts"
import * as ForeignText from "./ForeignText.ts"
import { unfilled } from "./Placeholder.ts"

/** A body without fields, and what the sender must change. `unfilled` if an unfilled placeholder is the cause. */
export interface Unreadable {
  readonly text: string
  readonly unfilled: boolean
  /** The text is in another service's syntax: what its type has to be. */
  readonly foreign?: true
}

const unreadable = (text: string): Unreadable => ({ text, unfilled: false })

type Read = Either.Either<Form.Fields, Unreadable>

/** The fields of a body. Never throws; linear in the body's length. */
export const read = (text: string, contentType: string): Read => {
  const body = text.startsWith("\uFEFF") ? text.slice(1) : text
  const first = firstLetter(body)
  if (first === "{" || first === "[" || first === '"') return json(body)
  if (first === "") return Either.right({})
  const isForm = FORM.test(body)
  const note = isForm ? undefined : BotMessage.read(body)
  if (note !== undefined) return noted(note, body)
  if (contentType.includes("json") && !isForm) return json(body)
  if (contentType.includes("x-www-form-urlencoded") || isForm) return form(body.trim())
  return Either.left(plain(body))
}

const noted = (note: Form.Fields, body: string): Read => {
  const foreign = ForeignText.ofCommands(body)
  return foreign === undefined
    ? Either.right(note)
    : Either.left({ text: foreign, unfilled: false, foreign: true })
}

const plain = (body: string): Unreadable => {
  const foreign = ForeignText.refusal(body)
  return foreign === undefined
    ? unreadable(`the body is plain text: send JSON such as ${EXAMPLE}`)
    : { text: foreign, unfilled: false, foreign: true }
}

/** The platform fills in the symbol: an example with a coin would be pasted as it is. */
const EXAMPLE = '{"signal_id":1,"symbol":"{{ticker}}","type":"buy"}'
/** An undeclared form: names and values without blanks or line ends. */
const FORM = /^\s*[A-Za-z_][\w.-]*=[^\s;{}"]*\s*$/

/** The fields of a form or of a URL's query. */
export const form = (text: string): Read => Either.mapLeft(Form.read(text), unreadable)

const json = (body: string): Read => {
  const value = parse(body) ?? parse(body.replace(/[\t\n\r]/g, " "))
  if (value === undefined) return Either.left(diagnosis(body))
  if (typeof value.is === "string" && firstLetter(value.is) === "{") return json(value.is)
  return Form.isFields(value.is)
    ? Either.right(value.is)
    : Either.left(unreadable(`the body must be one JSON object, such as ${EXAMPLE}`))
}

/** Boxed, since null is a valid value. A body nested too deep counts as unreadable. */
const parse = (text: string): { readonly is: unknown } | undefined => {
  try {
    return { is: JSON.parse(text) }
  } catch {
    return undefined
  }
}

const firstLetter = (text: string): string => {
  for (let index = 0; index < text.length; index++) {
    const letter = text.charAt(index)
    if (letter !== " " && letter !== "\n" && letter !== "\r" && letter !== "\t") return letter
  }
  return ""
}

/** The usual mistakes in JSON written by hand, the most telling first. */
const REASONS: ReadonlyArray<readonly [RegExp, string]> = [
  [/\}\s{0,9}\{/, "it holds two objects: send each alert by itself"],
  [/[{,]\s{0,99}'/, "write names and texts in double quotes, not in single ones"],
  [/,\s{0,99}[}\]]/, "take out the comma after the last field"],
  [/[,{"\d]\s{0,99}\/\//, "take out the comments"],
  [/:\s{0,9}-?(?:NaN|Infinity|na)\b/, "NaN is no number: an indicator gave no value, so leave the field out"],
  [/[{,]\s{0,99}[A-Za-z_]\w{0,40}\s{0,9}:/, "write the names of the fields in double quotes"],
  [/:\s{0,9}(?!true|false|null)[A-Za-z_]/, "write texts in double quotes"],
  [/^\s{0,9}\{[^}]*$/, "its closing brace is missing"]
]

const diagnosis = (body: string): Unreadable => {
  if (body.trimStart().startsWith("{{")) return plain(body)
  const placeholder = unfilled(body)
  if (placeholder !== undefined) return { text: `the body is not JSON: it ${placeholder}`, unfilled: true }
  const reason = REASONS.find(([pattern]) => pattern.test(body))
  return unreadable(
    `the body is not valid JSON${reason === undefined ? `: send ${EXAMPLE}` : `: ${reason[1]}`}`
  )
}
