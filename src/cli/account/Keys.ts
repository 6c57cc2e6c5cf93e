// Asks for an exchange's keys and checks their form. Errors never repeat any part of an answer.
import { createPrivateKey } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { descriptors } from "../../ccxt/descriptors.ts"
import type { Credentials } from "../../domain/ExchangeAccount.ts"
import { EXCHANGE_FACTS } from "../../domain/internal/ExchangeFacts.ts"
import type { KnownExchange } from "../../domain/Market.ts"
import { usage } from "../program/usage.ts"
import * as HiddenInput from "./HiddenInput.ts"
import { begins, gather } from "./Pem.ts"

type Field = "apiKey" | "secret" | "password"

/** The questions. */
const questionsOf = (exchange: KnownExchange): Readonly<Record<Field, string>> => {
  const { apiKey, secret } = descriptors[exchange].keys
  return { apiKey, secret, password: "Passphrase of the key" }
}
const fieldsOf = (exchange: KnownExchange): ReadonlyArray<Field> =>
  EXCHANGE_FACTS[exchange].hasPassphrase ? ["apiKey", "secret", "password"] : ["apiKey", "secret"]

/** The keys, from the terminal without echo or from standard input; never from an argument. */
export const ask = Effect.fnUntraced(function* (exchange: KnownExchange) {
  const questions = questionsOf(exchange)
  const answers = process.stdin.isTTY
    ? yield* HiddenInput.ask(fieldsOf(exchange).map((field) => questions[field]))
    : yield* parse(exchange, yield* HiddenInput.input)
  return yield* taken(exchange, answers)
})

/** The keys from a text of standard input. */
export const read = (exchange: KnownExchange, input: string) =>
  Effect.flatMap(parse(exchange, input), (answers) => taken(exchange, answers))

const taken = Effect.fnUntraced(function* (exchange: KnownExchange, answers: ReadonlyArray<string>) {
  const entries: Array<readonly [Field, Redacted.Redacted]> = []
  for (const [index, field] of fieldsOf(exchange).entries()) {
    const answer = plain(answers[index] ?? "")
    const error = errorOf(exchange, field, answer)
    if (error !== undefined) return yield* usage(`${questionsOf(exchange)[field]}: ${error}`)
    entries.push([field, Redacted.make(answer)])
  }
  const { apiKey, password, secret } = Object.fromEntries(entries)
  if (apiKey === undefined || secret === undefined) return yield* Effect.dieMessage("both were entered")
  return { apiKey, secret, ...(password === undefined ? {} : { password }) } satisfies Credentials
})

const Text = Schema.optional(Schema.String)
/** A downloaded key may call the two fields `name` and `privateKey`, as Coinbase does. */
const Json = Schema.parseJson(
  Schema.Struct({ apiKey: Text, secret: Text, password: Text, name: Text, privateKey: Text })
)
const decode = Schema.decodeOption(Json)

/** Parses a JSON object, or one line for each field; a private key may take several lines. */
const parse = Effect.fnUntraced(function* (exchange: KnownExchange, input: string) {
  const fields = fieldsOf(exchange)
  if (!input.trimStart().startsWith("{")) return gather(input.split("\n"), fields.length)
  const json = decode(input)
  if (Option.isNone(json))
    return yield* usage(`standard input has to be a JSON object of texts: ${fields.join(", ")}`)
  const { name, privateKey, ...given } = json.value
  const all = { ...given, apiKey: given.apiKey ?? name, secret: given.secret ?? privateKey }
  return fields.map((field) => all[field] ?? "")
})

/** The answer without blanks around it. In a downloaded private key, `\n` becomes a line end. */
const plain = (answer: string): string =>
  begins(answer) ? `${answer.replaceAll("\\n", "\n").trim()}\n` : answer.trim()

const MAX_LENGTH = 512

/** The error of an answer, without quoting it. */
const errorOf = (exchange: KnownExchange, field: Field, answer: string): string | undefined => {
  if (answer === "") return "it is missing"
  const form = field === "secret" ? descriptors[exchange].keys.form : "text"
  if (form === "pem" && begins(answer))
    return isPrivateKey(answer) ? undefined : "it is not a private key in PEM, from BEGIN to END"
  if (answer.length > MAX_LENGTH) return `it is longer than ${MAX_LENGTH} characters`
  // The key goes into a request header.
  if (!/^[\x20-\x7e]+$/.test(answer)) return "it has characters that no key has"
  if (field !== "password" && answer.includes(" ")) return "it has a blank in it"
  if (form === "base64" && !isBase64(answer))
    return `it is not the private key that ${EXCHANGE_FACTS[exchange].title} showed, which is base64`
  return undefined
}

const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)

const isPrivateKey = (pem: string): boolean => {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "ec"
  } catch {
    return false
  }
}
