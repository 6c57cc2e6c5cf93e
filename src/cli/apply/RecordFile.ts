// Reads a file of strategies or signals, which may come from a stranger: bounded, UTF-8, and one JSON object or a list
// of them.
import { open } from "node:fs/promises"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { isDeeperThan } from "../../domain/internal/JsonDepth.ts"
import { isFields } from "../../domain/requests/Form.ts"

/** The most bytes of a file. */
const MAX_FILE_BYTES = 2 * 2 ** 20
/** The most records of a file: they are stored in one transaction, which others wait for. */
export const MAX_RECORDS = 100
/** No record nests deeper. */
const MAX_LEVELS = 16

/** A file that cannot be read, or that holds something else. */
export class FileUnreadable extends Data.TaggedError("FileUnreadable")<{ readonly message: string }> {}

/** The records of a file, at least one and at most `MAX_RECORDS`. */
export const read = Effect.fnUntraced(function* (file: string) {
  const bytes = yield* bytesOf(file)
  if (bytes.length > MAX_FILE_BYTES)
    return yield* refuse(`is longer than ${MAX_FILE_BYTES / 2 ** 20} MiB: split it`)
  if (isDeeperThan(MAX_LEVELS, bytes))
    return yield* refuse("is nested too deeply to be a strategy or a signal")
  const json = Either.flatMap(decodeText(bytes), decodeJson)
  if (Either.isLeft(json)) return yield* refuse("is not JSON in UTF-8")
  const all: ReadonlyArray<unknown> = Array.isArray(json.right) ? json.right : [json.right]
  const records = all.filter(isFields)
  if (all.length === 0 || records.length < all.length)
    return yield* refuse("must hold one JSON object, or a list of objects")
  if (all.length > MAX_RECORDS) return yield* refuse(`holds more than ${MAX_RECORDS} records: split it`)
  return records
})

const refuse = (message: string) => new FileUnreadable({ message })

const decodeJson = Schema.decodeUnknownEither(Schema.parseJson(Schema.Unknown))
const decodeText = (bytes: Uint8Array) =>
  Either.try(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes))

/** The file's bytes, one more than allowed where it is longer: it may be endless. */
const bytesOf = (file: string): Effect.Effect<Uint8Array, FileUnreadable> =>
  Effect.tryPromise({
    try: async () => {
      const handle = await open(file)
      try {
        const parts: Array<Uint8Array> = []
        let length = 0
        while (length <= MAX_FILE_BYTES) {
          const { buffer, bytesRead } = await handle.read(Buffer.alloc(PART_BYTES), 0, PART_BYTES, null)
          if (bytesRead === 0) break
          parts.push(buffer.subarray(0, bytesRead))
          length += bytesRead
        }
        return Buffer.concat(parts)
      } finally {
        await handle.close()
      }
    },
    catch: (cause) => refuse(isMissing(cause) ? "there is no such file" : "cannot be read")
  })

const PART_BYTES = 65_536
const isMissing = Schema.is(Schema.Struct({ code: Schema.Literal("ENOENT") }))
