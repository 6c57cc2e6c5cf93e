// Bounds the large responses that are being sent, in total and for each peer.
// 1. A response counts until its last byte is read.
// 2. Without room, responses whose readers are stuck or too slow are cut off, then the oldest of the peer that holds most.
// 3. If there is still no room, the request is refused with 429 (the peer's own bound) or 503 (the total).
import { networkOf } from "./edge/Peer.ts"
import * as Problems from "./Problems.ts"

/** Smaller responses do not count: a socket buffers as much anyway. */
export const LARGE_BYTES = 65_536
const CHUNK_BYTES = 65_536

export interface Bounds {
  /** The most bytes being sent: in total, and to one peer. A larger response counts as `peerBytes`. */
  readonly totalBytes: number
  readonly peerBytes: number
  /** The time within which a reader must take some bytes, and the time a response has in addition to its size / pace. */
  readonly stuckMs: number
  readonly startMs: number
  /** The slowest reader that is waited for, in bytes a ms. */
  readonly leastPace: number
}

export const BOUNDS: Bounds = {
  totalBytes: 128 * 2 ** 20,
  peerBytes: 24 * 2 ** 20,
  stuckMs: 12_000,
  startMs: 15_000,
  leastPace: 32
}

const OWN = new Set(["127.0.0.1", "::1"].map(networkOf))

/** The Retry-After of a refused request. */
const RETRY_SECONDS = "2"

export interface Sending {
  /** Whether a response is large enough to count. */
  readonly isLarge: (request: Request, response: Response) => boolean
  /** Returns the response, counted until it is read, or a refusal if there is no room. */
  readonly send: (response: Response, peer: string, id: string) => Promise<Response>
  /** The bytes that count now. */
  readonly bytes: () => number
}

interface Answer {
  readonly network: string
  readonly bytes: number
  readonly overdueAt: number
  movedAt: number
  cut: () => void
}

/** `now` in ms of any origin. */
export const make = (now: () => number, bounds: Bounds = BOUNDS): Sending => {
  const open = new Set<Answer>()
  const ofPeers = new Map<string, number>()
  let total = 0

  const begin = (network: string, size: number): Answer => {
    const at = now()
    const bytes = Math.min(size, bounds.peerBytes)
    const overdueAt = at + bounds.startMs + size / bounds.leastPace
    const answer: Answer = { network, bytes, overdueAt, movedAt: at, cut: () => end(answer) }
    open.add(answer)
    total += bytes
    ofPeers.set(network, (ofPeers.get(network) ?? 0) + bytes)
    return answer
  }
  const end = (answer: Answer): void => {
    if (!open.delete(answer)) return
    const { bytes, network } = answer
    total -= bytes
    const left = (ofPeers.get(network) ?? 0) - bytes
    if (left > 0) ofPeers.set(network, left)
    else ofPeers.delete(network)
  }
  const lacksRoom = (network: string, size: number): "peer" | "all" | undefined => {
    const bytes = Math.min(size, bounds.peerBytes)
    // A loopback peer may be an unnamed proxy that calls for many.
    if (!OWN.has(network) && (ofPeers.get(network) ?? 0) + bytes > bounds.peerBytes) return "peer"
    return total + bytes > bounds.totalBytes ? "all" : undefined
  }
  const cutStuck = (): void => {
    const at = now()
    for (const answer of open) if (at - answer.movedAt > bounds.stuckMs || at > answer.overdueAt) answer.cut()
  }

  /** Cuts the oldest response of the peer that holds most, if it holds more than the asker. */
  const cutOfLargest = (asker: string): boolean => {
    const [largest, held] = [...ofPeers].reduce((one, other) => (other[1] > one[1] ? other : one), ["", 0])
    const oldest = [...open].find(({ network }) => network === largest)
    if (largest === asker || held <= (ofPeers.get(asker) ?? 0) || oldest === undefined) return false
    oldest.cut()
    return true
  }

  const bodyOf = (blob: Blob, answer: Answer): ReadableStream<Uint8Array> => {
    let sent = 0
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          answer.cut = () => {
            end(answer)
            controller.error(new Error("the reader of this answer was too slow"))
          }
        },
        pull: async (controller) => {
          const chunk = await blob.slice(sent, sent + CHUNK_BYTES).arrayBuffer()
          // Cut off meanwhile.
          if (!open.has(answer)) return
          sent += chunk.byteLength
          answer.movedAt = now()
          controller.enqueue(new Uint8Array(chunk))
          if (sent < blob.size) return
          end(answer)
          controller.close()
        },
        cancel: () => end(answer)
      },
      { highWaterMark: 0 }
    )
  }

  return {
    isLarge: ({ method }, { body, headers }) =>
      method !== "HEAD" && body !== null && Number(headers.get("content-length")) >= LARGE_BYTES,
    send: async (response, peer, id) => {
      const network = networkOf(peer)
      const { headers, status } = response
      const size = Number(headers.get("content-length"))
      if (lacksRoom(network, size) !== undefined) cutStuck()
      while (lacksRoom(network, size) === "all" && cutOfLargest(network)) {}
      const lack = lacksRoom(network, size)
      if (lack !== undefined) return refusal(lack, id)
      const answer = begin(network, size)
      try {
        return new Response(bodyOf(await response.blob(), answer), { status, headers })
      } catch (fault) {
        end(answer)
        throw fault
      }
    },
    bytes: () => total
  }
}

const refusal = (lack: "peer" | "all", id: string): Response => {
  const problem =
    lack === "peer"
      ? Problems.make(429, "too_much_unread", "read the answers that are being sent to you first", id)
      : Problems.make(503, "too_much_unread", "too many large answers are being sent: try again later", id)
  return Problems.respond(problem, { "retry-after": RETRY_SECONDS })
}
