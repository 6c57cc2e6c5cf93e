// The frames between the server and a back-test's process. A frame is one byte for its kind, four bytes for the length
// of the payload (little-endian), and the payload. A reader rejects an unknown kind and a payload over `MAX_BYTES`.

/** The server sends the first eight kinds, the child process the others. */
const KINDS = [
  "Venues",
  "Read",
  "Markets",
  "Run",
  "Rows",
  "Compare",
  "WhatIf",
  "Tries",
  "Asks",
  "Tried",
  "Done",
  "Refused",
  "Unreadable"
] as const
export type Kind = (typeof KINDS)[number]

export interface Frame {
  readonly kind: Kind
  readonly payload: Uint8Array<ArrayBuffer>
}

const HEAD_BYTES = 5

/** The longest payload: the longest request body. */
export const MAX_BYTES = 32 * 1024 * 1024

/** The five bytes before a payload: its kind and its length. */
export const head = (kind: Kind, length: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(HEAD_BYTES)
  bytes[0] = KINDS.indexOf(kind)
  new DataView(bytes.buffer).setUint32(1, length, true)
  return bytes
}

/** Yields each frame of a stream once it is complete. Throws on an unknown kind or a payload that is too long. */
export async function* read(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  let kind: Kind | undefined
  let into = new Uint8Array(HEAD_BYTES)
  let filled = 0
  for await (const chunk of stream) {
    for (let at = 0; at < chunk.length; ) {
      const some = chunk.subarray(at, at + into.length - filled)
      into.set(some, filled)
      filled += some.length
      at += some.length
      if (filled < into.length) continue
      if (kind === undefined) {
        const frameHead = headOf(into)
        kind = frameHead.kind
        into = new Uint8Array(frameHead.length)
        filled = 0
        if (frameHead.length > 0) continue
      }
      yield { kind, payload: into }
      kind = undefined
      into = new Uint8Array(HEAD_BYTES)
      filled = 0
    }
  }
}

const headOf = (bytes: Uint8Array<ArrayBuffer>) => {
  const kind = KINDS[bytes[0] ?? KINDS.length]
  const length = new DataView(bytes.buffer).getUint32(1, true)
  if (kind === undefined || length > MAX_BYTES) throw new Error("this is no frame")
  return { kind, length }
}
