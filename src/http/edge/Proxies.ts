import * as Option from "effect/Option"
import { addressOf } from "../../domain/Address.ts"

/** Whose word on who called is taken. */
export interface Proxies {
  /**
   * The caller's address: the connection's own, unless that is a trusted proxy's. Then what the proxies have said, from
   * the right, up to the first that is not one of them: anything further left was written by a stranger.
   */
  readonly clientOf: (peer: string, forwardedFor: string | null) => string
  /** Whether a connection's other end is one of them. */
  readonly isTrusted: (peer: string) => boolean
}

/** No proxy is trusted: what a header says of the caller is not read. */
export const none: Proxies = { clientOf: (peer) => peer, isTrusted: () => false }

/** The most hops that are looked at, and blocks that are listed. */
const MAX_HOPS = 32
const MAX_BLOCKS = 256

/** Proxies from addresses and CIDR blocks, with commas between; nothing where one of them is none. */
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
      // A proxy that does not name its caller is the last one known.
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
  /** How many of the last bits are free. */
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
