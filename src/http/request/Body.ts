// Request bodies within a bound: 64 KiB unless an operation allows more. A body that declares a larger size is not read
// at all.
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Fields, collect as fieldsOf } from "../../domain/requests/Form.ts"
import { aborted, malformed, type RequestRejected, tooLarge } from "../RequestRejected.ts"

/** The largest body in bytes, unless an operation allows more. */
export const MAX_BODY_BYTES = 65_536

const utf8 = new TextDecoder("utf-8", { fatal: true })
const notUtf8 = malformed("the body is not UTF-8 text")

/** Decodes a body as UTF-8 text, without its byte order mark; rejects malformed text. */
export const textOf = (read: Uint8Array): Either.Either<string, RequestRejected> => {
  try {
    return Either.right(utf8.decode(read))
  } catch {
    return Either.left(notUtf8)
  }
}

const EMPTY = new Uint8Array(0)

/** Reads a body of at most `most` bytes. */
export const bytes = (
  request: Request,
  most = MAX_BODY_BYTES
): Effect.Effect<Uint8Array, RequestRejected> => {
  if (request.body === null) return Effect.succeed(EMPTY)
  const length = request.headers.get("content-length")
  if (length === null) return streamed(request.body, most)
  if (!(Number(length) <= most)) return Effect.fail(tooLarge(most))
  return Effect.tryPromise({ try: () => request.bytes(), catch: () => aborted })
}

/**
 * Starts reading a body that declares a small size, before anything else is known of its request; undefined for others.
 * Rejects where the caller went away.
 */
export const ahead = (request: Request): Promise<Uint8Array> | undefined => {
  const length = request.headers.get("content-length")
  return length !== null && Number(length) <= MAX_BODY_BYTES ? request.bytes() : undefined
}

/** Reads a body of unknown length until it ends or exceeds the bound. */
const streamed = (
  body: ReadableStream<Uint8Array>,
  most: number
): Effect.Effect<Uint8Array, RequestRejected> =>
  Effect.filterOrFail(
    Effect.tryPromise({ try: () => collect(body, most), catch: () => aborted }),
    (read) => read !== undefined,
    () => tooLarge(most)
  )

/** Undefined where the bound is exceeded. */
const collect = async (body: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array | undefined> => {
  const reader = body.getReader()
  const read = new Uint8Array(most)
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return read.subarray(0, size)
    if (size + value.length > most) {
      await reader.cancel()
      return undefined
    }
    read.set(value, size)
    size += value.length
  }
}

export const isMultipart = (contentType: string): boolean =>
  contentType.slice(0, 19).toLowerCase() === "multipart/form-data"

const notMultipart = malformed("the multipart form cannot be read: check its boundary and its parts")

/** A part that starts with a byte order mark: the runtime would drop the mark, and texts are stored as they came. */
const MARKED_PART = "\r\n\r\n\ufeff"
const marked = malformed("a part of the form begins with a byte order mark: leave it out")

/** The fields of a multipart form. A file is rejected where its field is read as text. */
export const multipartOf = (read: Uint8Array, contentType: string): Effect.Effect<Fields, RequestRejected> =>
  Effect.flatMap(textOf(read), (text) =>
    text.includes(MARKED_PART)
      ? marked
      : Effect.map(
          Effect.tryPromise({
            try: () =>
              new Response(Uint8Array.from(read), { headers: { "content-type": contentType } }).formData(),
            catch: () => notMultipart
          }),
          (form) => fieldsOf(form.entries())
        )
  )
