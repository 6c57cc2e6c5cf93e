/**
 * A file of candles grows by gzip members, each of which says in its header how long it is (an extra field `SB`, as
 * BGZF has one). Any gunzip reads the whole chain; we find its end, and a member that was cut short, without unpacking.
 */
export const encode = (text: string): Buffer<ArrayBuffer> => {
  const plain = Buffer.from(text)
  return framed(plain, zlib().deflateRawSync(plain))
}

/** The same as `unpack`, without holding up anybody. */
export const unpacked = (bytes: Buffer<ArrayBuffer>): Promise<Buffer<ArrayBuffer>> =>
  new Promise((resolve, reject) =>
    zlib().gunzip(intact(bytes), (error, plain) => (error === null ? resolve(plain) : reject(error)))
  )

/** One member of all that bytes hold, made without holding up anybody. */
export const repack = async (bytes: Buffer<ArrayBuffer>): Promise<Buffer<ArrayBuffer>> => {
  const plain = await unpacked(bytes)
  const packed = await new Promise<Buffer>((resolve, reject) =>
    zlib().deflateRaw(plain, { level: 9 }, (error, packed) =>
      error === null ? resolve(packed) : reject(error)
    )
  )
  return framed(plain, packed)
}

/** Loaded when something is to be packed or unpacked: it would hold up every start. */
const zlib = () => process.getBuiltinModule("node:zlib")

/** Gzip, deflate, an extra field; no time, of no system; 8 bytes of extra: `SB`, 4 bytes long, the length. */
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

/** How far the chain of members goes without a break, and where its last member begins. */
export interface Chain {
  readonly end: number
  readonly last: number
}

/** The chain that bytes begin with; nothing of it is unpacked. */
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

/** The length that the member at a place claims; none where no whole header of ours stands there. */
export const lengthAt = (bytes: Buffer, at: number): number | undefined => {
  if (bytes.length < at + HEADER_BYTES || !isOurs(bytes.subarray(at))) return undefined
  const length = bytes.readUInt32LE(at + LENGTH_AT)
  return length > HEADER_BYTES + TRAILER_BYTES ? length : undefined
}

/** Whether bytes begin as a member of ours does, as far as they go. */
export const isOurs = (bytes: Buffer): boolean => {
  const length = Math.min(bytes.length, LENGTH_AT)
  return bytes.compare(HEADER, 0, length, 0, length) === 0
}

/** Without a last member of ours that was cut short. */
const intact = (bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> => {
  const { end } = chainOf(bytes)
  return end > 0 ? bytes.subarray(0, end) : bytes
}

/**
 * What a file of ours, or any gzip, holds; not by `Bun.gunzipSync`, which reads the first member and no more. A last
 * member of ours that was cut short is left out; anything else that is not whole throws.
 */
export const unpack = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  zlib().gunzipSync(intact(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)))

/** Gzip is told by its first two bytes, whatever a file is called. */
export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b
