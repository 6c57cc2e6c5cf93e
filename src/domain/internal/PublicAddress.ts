// Decides whether an IP address belongs to the public internet, by IANA's special-purpose registries. An address that
// embeds an IPv4 one (mapped, NAT64, 6to4) is judged by that.
import { addressOf } from "../Address.ts"

/** An address block: its base and prefix length. */
type Block = readonly [base: string, bits: number]

/** IPv4 blocks that are not public, multicast and reserved ones included. */
const PRIVATE_4: ReadonlyArray<Block> = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3]
]

/** Blocks within 2000::/3, the public part of IPv6, that are not public. */
const PRIVATE_6: ReadonlyArray<Block> = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2620:4f:8000::", 48],
  ["3fff::", 20]
]

/** Blocks that embed an IPv4 address, and its offset from the end in bits. */
const CARRIERS: ReadonlyArray<readonly [block: Block, shift: bigint]> = [
  [["::ffff:0:0", 96], 0n],
  [["64:ff9b::", 96], 0n],
  [["2002::", 16], 80n]
]

/** Whether the text is a public address; false if it is no address. */
export const isPublic = (text: string): boolean => {
  const address = addressOf(text)
  if (address === undefined) return false
  const carrier = CARRIERS.find(([block]) => within(address, block))
  if (carrier !== undefined) {
    const four = (address >> carrier[1]) & 0xffffffffn
    return !PRIVATE_4.some((block) => within((0xffffn << 32n) | four, block))
  }
  return within(address, ["2000::", 3]) && !PRIVATE_6.some((block) => within(address, block))
}

const within = (address: bigint, [base, bits]: Block): boolean => {
  const shift = BigInt((base.includes(":") ? 128 : 32) - bits)
  return address >> shift === (addressOf(base) ?? 0n) >> shift
}
