// The Idempotency-Key header: 1 to 255 visible ASCII characters.
import * as Either from "effect/Either"
import { Violations, violation } from "./Violations.ts"

const SHAPE = /^[\x21-\x7e]{1,255}$/
const broken = Violations.of([violation("Idempotency-Key", "must be 1 to 255 visible ASCII characters")])

/** Parses the header; undefined where it is absent. */
export const read = (header: string | null | undefined): Either.Either<string | undefined, Violations> => {
  if (header === null || header === undefined) return Either.right(undefined)
  return SHAPE.test(header) ? Either.right(header) : Either.left(broken)
}
