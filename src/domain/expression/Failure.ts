// How reading an expression ends at its first error: a throw that never leaves `attempt`.
import * as Either from "effect/Either"
import type { ExpressionError } from "./Syntax.ts"

class Unreadable extends Error {
  readonly column: number
  constructor(column: number, text: string) {
    super(text)
    this.column = column
  }
}

/** An error at a column, to be thrown within `attempt`. */
export const failure = (column: number, text: string): Error => new Unreadable(column, text)

/** What `read` gives, or the error that it ended with. */
export const attempt = <T>(read: () => T): Either.Either<T, ExpressionError> => {
  try {
    return Either.right(read())
  } catch (error) {
    if (error instanceof Unreadable) return Either.left({ column: error.column, text: error.message })
    throw error
  }
}
