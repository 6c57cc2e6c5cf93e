// The words, numbers and signs of an expression, with their columns.
import * as Either from "effect/Either"
import { type ExpressionError, MAX_CHARACTERS } from "./Syntax.ts"

/** A token. `text` of a text is what stands between its quotes. The last one of all is the end. */
export interface Token {
  readonly kind: "number" | "name" | "text" | "sign" | "end"
  readonly text: string
  readonly column: number
}

const BLANK = /[ \t\r\n]+/y
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y
const TEXT = /"([A-Za-z0-9]*)"|'([A-Za-z0-9]*)'/y
const SIGN = />=|<=|==|!=|[-+*/%<>?:()[\],.]/y

/** Splits an expression into tokens. */
export const tokens = (text: string): Either.Either<ReadonlyArray<Token>, ExpressionError> => {
  if (text.length > MAX_CHARACTERS)
    return failed(
      MAX_CHARACTERS + 1,
      `expected the end: an expression has at most ${MAX_CHARACTERS} characters`
    )
  const found: Array<Token> = []
  let place = 0
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = place
    return pattern.exec(text)
  }
  while (place < text.length) {
    const blank = match(BLANK)
    if (blank !== null) {
      place += blank[0].length
      continue
    }
    const token = tokenAt(match, place + 1)
    if (token === undefined) return failed(place + 1, strange(text, place))
    found.push(token.token)
    place += token.length
  }
  found.push({ kind: "end", text: "", column: text.length + 1 })
  return Either.right(found)
}

const failed = (column: number, text: string) => Either.left({ column, text, expected: text })

const tokenAt = (
  match: (pattern: RegExp) => RegExpExecArray | null,
  column: number
): { readonly token: Token; readonly length: number } | undefined => {
  const kinds = [
    ["number", NUMBER],
    ["name", NAME],
    ["text", TEXT],
    ["sign", SIGN]
  ] as const
  for (const [kind, pattern] of kinds) {
    const found = match(pattern)
    if (found !== null) {
      const text = found[1] ?? found[2] ?? found[0]
      return { token: { kind, text, column }, length: found[0].length }
    }
  }
  return undefined
}

const strange = (text: string, place: number): string => {
  const character = text[place] ?? ""
  if (character === "=") return "expected == to compare: an expression assigns nothing"
  if (character === "!") return "expected != or not"
  if (character === '"' || character === "'") return 'expected a timeframe in quotes, as "4h"'
  return "expected a number, a name or an operator"
}
