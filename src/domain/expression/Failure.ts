// How reading an expression ends at its first error: a throw that never leaves `attempt`.
import * as Either from "effect/Either"
import type { ExpressionError } from "./Syntax.ts"

class Unreadable extends Error {
  readonly column: number
  readonly expected: string
  constructor(column: number, expected: string, found: string) {
    super(`${expected}${found}`)
    this.column = column
    this.expected = expected
  }
}

/** An error at a column, to be thrown within `attempt`. Only `found` may quote the expression. */
export const failure = (column: number, expected: string, found = ""): Error =>
  new Unreadable(column, expected, found)

/** What `read` gives, or the error that it ended with. */
export const attempt = <T>(read: () => T): Either.Either<T, ExpressionError> => {
  try {
    return Either.right(read())
  } catch (error) {
    if (error instanceof Unreadable)
      return Either.left({ column: error.column, text: error.message, expected: error.expected })
    throw error
  }
}
