import { createPrivateKey } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Credentials } from "../../domain/ExchangeAccount.ts"
import type { ExchangeName } from "../../domain/Market.ts"
import { usage } from "../program/usage.ts"
import * as Hidden from "./Hidden.ts"
import { begins, gather } from "./Pem.ts"

type Field = "apiKey" | "secret" | "password"

/** What an exchange asks of a program, in the order in which it is asked for. */
const QUESTIONS: Readonly<Record<Field, string>> = {
  apiKey: "API key",
  secret: "API secret",
  password: "Passphrase of the key"
}
const OF_COINBASE: Readonly<Record<Field, string>> = {
  ...QUESTIONS,
  apiKey: "Name of the key (organizations/.../apiKeys/...)",
  secret: "Private key, from BEGIN to END"
}
const WITH_PASSPHRASE: ReadonlySet<ExchangeName> = new Set(["okx", "kucoin", "bitget"])

const fieldsOf = (exchange: ExchangeName): ReadonlyArray<Field> =>
  WITH_PASSPHRASE.has(exchange) ? ["apiKey", "secret", "password"] : ["apiKey", "secret"]
const questionsOf = (exchange: ExchangeName) => (exchange === "coinbase" ? OF_COINBASE : QUESTIONS)

/** Asked for without showing what is typed, or read from standard input: never from an argument. */
export const ask = Effect.fnUntraced(function* (exchange: ExchangeName) {
  const questions = questionsOf(exchange)
  const answers = process.stdin.isTTY
    ? yield* Hidden.ask(fieldsOf(exchange).map((field) => questions[field]))
    : yield* parse(exchange, yield* Hidden.input)
  return yield* taken(exchange, answers)
})

/** The keys of a standard input. */
export const read = (exchange: ExchangeName, input: string) =>
  Effect.flatMap(parse(exchange, input), (answers) => taken(exchange, answers))

const taken = Effect.fnUntraced(function* (exchange: ExchangeName, answers: ReadonlyArray<string>) {
  const entries: Array<readonly [Field, Redacted.Redacted]> = []
  for (const [index, field] of fieldsOf(exchange).entries()) {
    const answer = plain(answers[index] ?? "")
    const error = errorOf(exchange, field, answer)
    if (error !== undefined) return yield* usage(`${questionsOf(exchange)[field]}: ${error}`)
    entries.push([field, Redacted.make(answer)])
  }
  const { apiKey, password, secret } = Object.fromEntries(entries)
  if (apiKey === undefined || secret === undefined) return yield* Effect.dieMessage("both were asked for")
  return { apiKey, secret, ...(password === undefined ? {} : { password }) } satisfies Credentials
})

const Text = Schema.optional(Schema.String)
/** Coinbase has people download `name` and `privateKey`. */
const Json = Schema.parseJson(
  Schema.Struct({ apiKey: Text, secret: Text, password: Text, name: Text, privateKey: Text })
)
const decode = Schema.decodeOption(Json)

/** A JSON object, or a line for each, of which a private key may take several. */
const parse = Effect.fnUntraced(function* (exchange: ExchangeName, input: string) {
  const fields = fieldsOf(exchange)
  if (!input.trimStart().startsWith("{")) return gather(input.split("\n"), fields.length)
  const json = decode(input)
  if (Option.isNone(json))
    return yield* usage(`standard input has to be a JSON object of texts: ${fields.join(", ")}`)
  const { name, privateKey, ...given } = json.value
  const all = { ...given, apiKey: given.apiKey ?? name, secret: given.secret ?? privateKey }
  return fields.map((field) => all[field] ?? "")
})

/** A private key as it is meant: downloads write its line ends as `\n`. */
const plain = (answer: string): string =>
  begins(answer) ? `${answer.replaceAll("\\n", "\n").trim()}\n` : answer.trim()

const MAX_LENGTH = 512

/** What is wrong with an answer; nothing of it is repeated. */
const errorOf = (exchange: ExchangeName, field: Field, answer: string): string | undefined => {
  if (answer === "") return "it is missing"
  if (field === "secret" && exchange === "coinbase" && begins(answer))
    return isPrivateKey(answer) ? undefined : "it is no private key in PEM, from its BEGIN to its END"
  if (answer.length > MAX_LENGTH) return `it is longer than ${MAX_LENGTH} characters`
  // It is sent in the head of a request.
  if (!/^[\x20-\x7e]+$/.test(answer)) return "it has characters that are in no key"
  if (field !== "password" && answer.includes(" ")) return "it has a blank in it"
  if (field === "secret" && exchange === "kraken" && !isBase64(answer))
    return "it is not the private key that Kraken showed, which is base64"
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
