// The large answers that are being sent. What they hold is bounded, in all and for each peer, and who does not read is
// cut off once others need the room. A chunk is made when the socket has room for it, as in EventStreams.
import { networkOf } from "./edge/Peer.ts"
import * as Problems from "./Problems.ts"

/** Answers of fewer bytes are not counted: sockets hold as much anyway. */
export const LARGE_BYTES = 65_536
const CHUNK_BYTES = 65_536

export interface Bounds {
  /** Bytes of large answers that are being sent: in all, and to one peer. A larger answer counts as `peerBytes`. */
  readonly totalBytes: number
  readonly peerBytes: number
  /** Ms in which a reader has to take something, and those that an answer may take in all beside its size. */
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

/** When a refused caller is to come again. */
const RETRY_SECONDS = "2"

export interface Sending {
  /** Whether an answer is large enough to be counted. */
  readonly isLarge: (request: Request, response: Response) => boolean
  /** The same answer, counted until it is read, or the refusal where there is no room for it. */
  readonly send: (response: Response, peer: string, id: string) => Promise<Response>
  /** Bytes that are counted now. */
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
    // A program of this machine may be a proxy that was not named, and calls for many.
    if (!OWN.has(network) && (ofPeers.get(network) ?? 0) + bytes > bounds.peerBytes) return "peer"
    return total + bytes > bounds.totalBytes ? "all" : undefined
  }
  const cutStuck = (): void => {
    const at = now()
    for (const answer of open) if (at - answer.movedAt > bounds.stuckMs || at > answer.overdueAt) answer.cut()
  }

  /** Cuts the oldest answer of the peer that holds most, if that is more than the asker holds. */
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
