// SHA-256 (FIPS 180-4) of a text, synchronous and on every platform. Where the runtime has a hash of its own, that one
// is used instead, because it is faster.

/** The digest of a text's UTF-8 bytes, as 32 bytes. */
export const sha256 = (text: string): Uint8Array => {
  const blocks = padded(new TextEncoder().encode(text))
  const { rounds, start } = constants()
  const state = Uint32Array.from(start)
  const words = new Uint32Array(64)
  for (let at = 0; at < blocks.byteLength; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = blocks.getUint32(at + 4 * i)
    for (let i = 16; i < 64; i++) words[i] = schedule(words, i)
    compress(state, words, rounds)
  }
  const digest = new DataView(new ArrayBuffer(32))
  for (const [index, word] of state.entries()) digest.setUint32(4 * index, word)
  return new Uint8Array(digest.buffer)
}

/** The bytes, a one bit, zeros, and the length in bits: a multiple of 64 bytes. */
const padded = (bytes: Uint8Array): DataView => {
  const all = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64)
  all.set(bytes)
  all[bytes.length] = 0x80
  const view = new DataView(all.buffer)
  view.setBigUint64(all.length - 8, BigInt(bytes.length) * 8n)
  return view
}

const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

const schedule = (words: Uint32Array, i: number): number => {
  const early = words[i - 15] ?? 0
  const late = words[i - 2] ?? 0
  const one = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3)
  const other = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10)
  return (words[i - 16] ?? 0) + one + (words[i - 7] ?? 0) + other
}

const compress = (state: Uint32Array, words: Uint32Array, rounds: ReadonlyArray<number>): void => {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const mixed = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
    const first = (h + mixed + choice + (rounds[i] ?? 0) + (words[i] ?? 0)) | 0
    const second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + majority
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  const end = [a, b, c, d, e, f, g, h]
  for (let index = 0; index < 8; index++) state[index] = (state[index] ?? 0) + (end[index] ?? 0)
}

interface Constants {
  readonly start: ReadonlyArray<number>
  readonly rounds: ReadonlyArray<number>
}

let known: Constants | undefined

/** Bits of the fractions of the first primes' square and cube roots, made once somebody wants them. */
const constants = (): Constants => {
  known ??= {
    start: primes(8).map((prime) => fraction(Math.sqrt(prime))),
    rounds: primes(64).map((prime) => fraction(Math.cbrt(prime)))
  }
  return known
}

const primes = (count: number): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime > 0)) found.push(n)
  return found
}

const fraction = (root: number): number => Math.floor((root % 1) * 2 ** 32)
