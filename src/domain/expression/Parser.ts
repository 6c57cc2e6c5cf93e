// Reads an expression into its tree: a recursive descent with precedence climbing, which stops at the bounds.
import * as Either from "effect/Either"
import { attempt, failure } from "./Failure.ts"
import {
  type BinaryOperator,
  type ExpressionError,
  MAX_DEPTH,
  MAX_NODES,
  NAMESPACES,
  PRECEDENCE,
  type Syntax,
  type UnaryOperator
} from "./Syntax.ts"
import { type Token, tokens } from "./Tokens.ts"

/** Reads an expression, or says where it is wrong. */
export const parse = (text: string): Either.Either<Syntax, ExpressionError> => {
  const found = tokens(text)
  if (Either.isLeft(found)) return Either.left(found.left)
  const reader: Reader = { tokens: found.right, at: 0, nodes: 0, depth: 0 }
  return attempt(() => {
    const tree = conditional(reader)
    if (peek(reader).kind !== "end") throw expected(reader, "an operator or the end")
    return tree
  })
}

interface Reader {
  readonly tokens: ReadonlyArray<Token>
  at: number
  nodes: number
  depth: number
}

const END: Token = { kind: "end", text: "", column: 1 }

const peek = (reader: Reader): Token => reader.tokens[reader.at] ?? END

const next = (reader: Reader): Token => {
  const token = peek(reader)
  reader.at++
  return token
}

const isSign = (token: Token, text: string): boolean => token.kind === "sign" && token.text === text

const accept = (reader: Reader, sign: string): boolean => {
  if (!isSign(peek(reader), sign)) return false
  reader.at++
  return true
}

const expected = (reader: Reader, what: string): Error => {
  const { column, kind, text } = peek(reader)
  const found = kind === "end" ? "the expression ends" : `found ${kind === "text" ? `"${text}"` : text}`
  return failure(column, `expected ${what}`, `; ${clipped(found)}`)
}

/** The most characters that an error quotes. */
const MAX_QUOTED = 60

const clipped = (text: string): string =>
  text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}...` : text

const require = (reader: Reader, sign: string, why: string): void => {
  if (!accept(reader, sign)) throw expected(reader, `${sign} ${why}`)
}

/** Counts a part of the tree. */
const node = <T extends Syntax>(reader: Reader, part: T): T => {
  reader.nodes++
  if (reader.nodes > MAX_NODES)
    throw failure(part.column, `expected the end: an expression has at most ${MAX_NODES} parts`)
  return part
}

/** Reads something that lies deeper. */
const deeper = <T>(reader: Reader, read: () => T): T => {
  reader.depth++
  if (reader.depth > MAX_DEPTH)
    throw failure(peek(reader).column, `expected less nesting: at most ${MAX_DEPTH} levels`)
  const result = read()
  reader.depth--
  return result
}

const conditional = (reader: Reader): Syntax =>
  deeper(reader, () => {
    const condition = binary(reader, 1)
    const { column } = peek(reader)
    if (!accept(reader, "?")) return condition
    const then = conditional(reader)
    require(reader, ":", "and what holds otherwise")
    const other = conditional(reader)
    return node(reader, { _tag: "Conditional", column, condition, then, other })
  })

/** Operators from `least` on; those of equal precedence from left to right. */
const binary = (reader: Reader, least: number): Syntax => {
  let left = unary(reader)
  for (;;) {
    const { column } = peek(reader)
    const operator = operatorOf(peek(reader))
    if (operator === undefined || PRECEDENCE[operator] < least) return left
    reader.at++
    const right = binary(reader, PRECEDENCE[operator] + 1)
    left = node(reader, { _tag: "Binary", column, operator, left, right })
  }
}

const BINARY = new Map<string, BinaryOperator>([
  ["or", "or"],
  ["and", "and"],
  ["==", "=="],
  ["!=", "!="],
  [">", ">"],
  ["<", "<"],
  [">=", ">="],
  ["<=", "<="],
  ["+", "+"],
  ["-", "-"],
  ["*", "*"],
  ["/", "/"],
  ["%", "%"]
])

const operatorOf = ({ kind, text }: Token): BinaryOperator | undefined =>
  kind === "sign" || kind === "name" ? BINARY.get(text) : undefined

const UNARY = new Map<string, UnaryOperator>([
  ["-", "-"],
  ["+", "+"],
  ["not", "not"]
])

const unary = (reader: Reader): Syntax => {
  const { column, kind, text } = peek(reader)
  const operator = kind === "sign" || kind === "name" ? UNARY.get(text) : undefined
  if (operator === undefined) return postfix(reader)
  reader.at++
  const operand = deeper(reader, () => unary(reader))
  return node(reader, { _tag: "Unary", column, operator, operand })
}

/** What may follow a part: `[1]` for an earlier candle, `.name` for one of several outputs. */
const postfix = (reader: Reader): Syntax => {
  let of = primary(reader)
  for (;;) {
    const { column } = peek(reader)
    if (accept(reader, "[")) {
      const rows = conditional(reader)
      require(reader, "]", "after the number of candles")
      of = node(reader, { _tag: "History", column, of, rows })
    } else if (accept(reader, ".")) {
      const name = next(reader)
      if (name.kind !== "name") throw failure(name.column, "expected the name of an output after the point")
      of = node(reader, { _tag: "Output", column: name.column, of, output: name.text })
    } else return of
  }
}

const primary = (reader: Reader): Syntax => {
  const token = peek(reader)
  const { column, kind, text } = token
  if (kind === "number") {
    reader.at++
    const value = Number(text)
    if (!Number.isFinite(value)) throw failure(column, "expected a number below 1.8e308")
    return node(reader, { _tag: "Number", column, value })
  }
  if (kind === "text") {
    reader.at++
    return node(reader, { _tag: "Text", column, value: text })
  }
  if (kind === "name" && operatorOf(token) === undefined) return named(reader)
  if (!accept(reader, "(")) throw expected(reader, "a number, a name or (")
  const inner = conditional(reader)
  require(reader, ")", "to close the bracket")
  return inner
}

const named = (reader: Reader): Syntax => {
  const { column, text } = next(reader)
  if (text === "true" || text === "false")
    return node(reader, { _tag: "Boolean", column, value: text === "true" })
  let name = text
  if (NAMESPACES.has(text) && accept(reader, ".")) {
    if (peek(reader).kind !== "name") throw expected(reader, `a function after ${text}.`)
    name = next(reader).text
  }
  if (!accept(reader, "(")) return node(reader, { _tag: "Name", column, name })
  return node(reader, { _tag: "Call", column, name, inputs: inputsOf(reader) })
}

const inputsOf = (reader: Reader): ReadonlyArray<Syntax> => {
  const inputs: Array<Syntax> = []
  if (accept(reader, ")")) return inputs
  do inputs.push(conditional(reader))
  while (accept(reader, ","))
  require(reader, ")", "or a comma")
  return inputs
}
