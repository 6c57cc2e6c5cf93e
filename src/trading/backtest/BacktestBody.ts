import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as BacktestRequest from "../../domain/requests/BacktestRequest.ts"
import type { Violation } from "../../domain/requests/Violations.ts"

const utf8 = new TextDecoder("utf-8", { fatal: true })
const isRecord = Schema.is(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

/** The request that a body holds; else what it breaks, or in words why it is no request at all. */
export const read = (
  bytes: Uint8Array
): Either.Either<BacktestRequest.BacktestRequest, ReadonlyArray<Violation> | string> => {
  const text = Either.try({ try: () => utf8.decode(bytes), catch: () => "the body is not UTF-8 text" })
  if (Either.isLeft(text)) return Either.left(text.left)
  const body = Either.try({
    try: (): unknown => JSON.parse(text.right),
    catch: () => "the body is not valid JSON"
  })
  if (Either.isLeft(body)) return Either.left(body.left)
  return isRecord(body.right)
    ? BacktestRequest.read(body.right)
    : Either.left("the body must be one JSON object")
}
