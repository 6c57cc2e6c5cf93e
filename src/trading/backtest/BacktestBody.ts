// The request body of a back-test: UTF-8 text that holds one JSON object. The reader runs apart from the server's own
// body parsing, so its errors are texts and violations.
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { isDeeperThan } from "../../domain/internal/JsonDepth.ts"
import { INTERFACE, type VenueList } from "../../domain/market/VenueList.ts"
import * as BacktestRequest from "../../domain/requests/BacktestRequest.ts"
import type { Violation } from "../../domain/requests/Violations.ts"

/** Lists and objects within each other: a request has four, and a strategy has none that is deeper. */
const MAX_DEPTH = 32

const utf8 = new TextDecoder("utf-8", { fatal: true })
const isRecord = Schema.is(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

/** The request in a body; else its violations, or a text that says why the body is no request. */
export const read = (
  bytes: Uint8Array,
  venues: VenueList = INTERFACE
): Either.Either<BacktestRequest.BacktestRequest, ReadonlyArray<Violation> | string> => {
  // A parser takes eighty times the memory of what nests deeply.
  if (isDeeperThan(MAX_DEPTH, bytes))
    return Either.left(`the body nests lists and objects deeper than ${MAX_DEPTH} levels`)
  const text = Either.try({ try: () => utf8.decode(bytes), catch: () => "the body is not UTF-8 text" })
  if (Either.isLeft(text)) return Either.left(text.left)
  const body = Either.try({
    try: (): unknown => JSON.parse(text.right),
    catch: () => "the body is not valid JSON"
  })
  if (Either.isLeft(body)) return Either.left(body.left)
  return isRecord(body.right)
    ? BacktestRequest.read(body.right, venues)
    : Either.left("the body must be one JSON object")
}
