// The file format of recorded candles: a chain of gzip members, each with its length in an extra header field `SB` (as
// in BGZF). Any gunzip reads the chain; we find its end, and a member cut short, without unpacking.

/** A member with this text. */
export const encode = (text: string): Buffer<ArrayBuffer> => {
  const plain = Buffer.from(text)
  return framed(plain, zlib().deflateRawSync(plain))
}

/** As `unpack`, off this thread. */
export const unpacked = (bytes: Buffer<ArrayBuffer>): Promise<Buffer<ArrayBuffer>> =>
  new Promise((resolve, reject) =>
    zlib().gunzip(intact(bytes), (error, plain) => (error === null ? resolve(plain) : reject(error)))
  )

/** Repacks all members as one, off this thread. */
export const repack = async (bytes: Buffer<ArrayBuffer>): Promise<Buffer<ArrayBuffer>> => {
  const plain = await unpacked(bytes)
  const packed = await new Promise<Buffer>((resolve, reject) =>
    zlib().deflateRaw(plain, { level: 9 }, (error, packed) =>
      error === null ? resolve(packed) : reject(error)
    )
  )
  return framed(plain, packed)
}

/** Loaded on first use, because it would slow down every start. */
const zlib = () => process.getBuiltinModule("node:zlib")

/** Gzip, deflate, extra field; no time, no system; 8 bytes of extra: `SB`, 4 bytes long, the length. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, 8, 0, 0x53, 0x42, 4, 0, 0, 0, 0, 0])
const LENGTH_AT = 16
export const HEADER_BYTES = HEADER.length
const TRAILER_BYTES = 8

const framed = (plain: Buffer, packed: Buffer): Buffer<ArrayBuffer> => {
  const member = Buffer.alloc(HEADER_BYTES + packed.length + TRAILER_BYTES)
  HEADER.copy(member)
  member.writeUInt32LE(member.length, LENGTH_AT)
  packed.copy(member, HEADER_BYTES)
  member.writeUInt32LE(zlib().crc32(plain), member.length - 8)
  member.writeUInt32LE(plain.length, member.length - 4)
  return member
}

/** The end of the unbroken chain of members, and the start of its last member. */
export interface Chain {
  readonly end: number
  readonly last: number
}

/** The chain at the start of the bytes, without unpacking. */
export const chainOf = (bytes: Buffer): Chain => {
  let end = 0
  let last = 0
  for (;;) {
    const length = lengthAt(bytes, end)
    if (length === undefined || end + length > bytes.length) return { end, last }
    last = end
    end += length
  }
}

/** The length in the member header at `at`; undefined without a whole header of ours. */
export const lengthAt = (bytes: Buffer, at: number): number | undefined => {
  if (bytes.length < at + HEADER_BYTES || !isOurs(bytes.subarray(at))) return undefined
  const length = bytes.readUInt32LE(at + LENGTH_AT)
  return length > HEADER_BYTES + TRAILER_BYTES ? length : undefined
}

/** Whether the bytes begin like a member of ours, as far as they go. */
export const isOurs = (bytes: Buffer): boolean => {
  const length = Math.min(bytes.length, LENGTH_AT)
  return bytes.compare(HEADER, 0, length, 0, length) === 0
}

/** The bytes without a last member of ours that was cut short. */
const intact = (bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> => {
  const { end } = chainOf(bytes)
  return end > 0 ? bytes.subarray(0, end) : bytes
}

/**
 * Unpacks a file of ours, or any gzip; `Bun.gunzipSync` would read only the first member. Omits a last member of ours
 * that was cut short; throws if anything else is damaged.
 */
export const unpack = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  zlib().gunzipSync(intact(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)))

/** Gzip is recognized by its first two bytes, whatever the file's name. */
export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b
