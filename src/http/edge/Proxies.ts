// Trusted proxies: only their `X-Forwarded-For` names the caller, read from the right up to the first address that is
// not one of them.
import * as Option from "effect/Option"
import { addressOf } from "../../domain/Address.ts"

/** The proxies that are trusted. */
export interface Proxies {
  /**
   * The caller's address: the connection's own, or, behind a trusted proxy, the first address from the right in the
   * header that is not a trusted proxy. Anything further left may be forged.
   */
  readonly clientOf: (peer: string, forwardedFor: string | null) => string
  /** Whether a connection's peer is a trusted proxy. */
  readonly isTrusted: (peer: string) => boolean
}

/** No proxy is trusted: the header is not read. */
export const none: Proxies = { clientOf: (peer) => peer, isTrusted: () => false }

/** The most hops that are read, and the most blocks. */
const MAX_HOPS = 32
const MAX_BLOCKS = 256

/** Parses addresses and CIDR blocks, separated by commas; none where one of them is invalid. */
export const parse = (text: string): Option.Option<Proxies> => {
  if (text.trim() === "") return Option.some(none)
  const found = text.split(",").map((part) => blockOf(part.trim()))
  const blocks = found.filter((block) => block !== undefined)
  if (blocks.length < found.length || blocks.length > MAX_BLOCKS) return Option.none()
  const isTrusted = (address: bigint) => blocks.some(({ base, shift }) => address >> shift === base >> shift)
  return Option.some({
    clientOf: clientOf(isTrusted),
    isTrusted: (peer) => {
      const address = addressOf(peer)
      return address !== undefined && isTrusted(address)
    }
  })
}

const clientOf =
  (isTrusted: (address: bigint) => boolean): Proxies["clientOf"] =>
  (peer, forwardedFor) => {
    const hops = forwardedFor === null ? [] : forwardedFor.split(",").slice(-MAX_HOPS)
    let client = peer
    for (const hop of hops.reverse().map(withoutPort)) {
      const address = addressOf(client)
      // If a proxy does not name its caller, the proxy is the last known address.
      if (address === undefined || !isTrusted(address) || addressOf(hop) === undefined) return client
      client = hop
    }
    return client
  }

const withoutPort = (text: string): string =>
  /^\s*(?:"?\[([^\]]*)\](?::\d+)?"?|(\d+\.\d+\.\d+\.\d+):\d+)\s*$/.exec(text)?.slice(1).find(Boolean) ??
  text.trim()

interface Block {
  readonly base: bigint
  /** The number of free bits at the end. */
  readonly shift: bigint
}

const blockOf = (text: string): Block | undefined => {
  const [head = "", length, ...more] = text.split("/")
  const base = addressOf(head)
  const width = head.includes(":") ? 128 : 32
  if (base === undefined || more.length > 0) return undefined
  if (length === undefined) return { base, shift: 0n }
  if (!/^\d{1,3}$/.test(length) || Number(length) > width) return undefined
  return { base, shift: BigInt(width - Number(length)) }
}
