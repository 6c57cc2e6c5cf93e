import { addressOf } from "../Address.ts"

/** What an address begins with, and how many of its first bits count. */
type Block = readonly [base: string, bits: number]

/** IPv4 that is not of the public internet (IANA's special-purpose registry), multicast and reserved included. */
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

/** The same within 2000::/3, which is all of IPv6 that is public. */
const PRIVATE_6: ReadonlyArray<Block> = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2620:4f:8000::", 48],
  ["3fff::", 20]
]

/** Addresses that only carry an IPv4 one: mapped, translated (NAT64), 6to4; and where in them it stands, from the end. */
const CARRIERS: ReadonlyArray<readonly [block: Block, shift: bigint]> = [
  [["::ffff:0:0", 96], 0n],
  [["64:ff9b::", 96], 0n],
  [["2002::", 16], 80n]
]

/** Whether anybody on the internet could be there: anything that is not an address is not. */
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
