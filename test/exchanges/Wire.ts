import { type Line, type Slot, slotKey } from "./Protocol.ts"

/** One open socket, as the stub keeps it. */
export class Wire implements Line {
  readonly host: string
  readonly path: string
  readonly query: URLSearchParams
  /** No longer heard of by either side. */
  isFrozen = false
  drop = (): void => {}
  #count = 0
  #fresh = new Set<string>()
  readonly #channels = new Map<string, Set<string>>()

  constructor(host: string, path: string, query: URLSearchParams) {
    this.host = host
    this.path = path
    this.query = query
  }

  readonly subscribe = (channel: string, market: Slot): void => {
    const key = slotKey(market)
    const held = this.#channels.get(channel) ?? new Set<string>()
    if (!held.has(key)) this.#fresh.add(key)
    this.#channels.set(channel, held.add(key))
  }

  readonly unsubscribe = (channel: string, market: Slot): void => {
    this.#channels.get(channel)?.delete(slotKey(market))
  }

  readonly has = (channel: string, market: Slot): boolean =>
    this.#channels.get(channel)?.has(slotKey(market)) ?? false

  readonly next = (): number => ++this.#count

  /** The markets subscribed to; all channels together, or one. */
  readonly held = (channel?: string): ReadonlySet<string> =>
    channel === undefined
      ? new Set([...this.#channels.values()].flatMap((held) => [...held]))
      : (this.#channels.get(channel) ?? new Set())

  /** The channels that anything is subscribed to on. */
  readonly channels = (): ReadonlyArray<string> => [...this.#channels.keys()]

  /** The markets that were subscribed to since the last call. */
  readonly fresh = (): ReadonlySet<string> => {
    const fresh = this.#fresh
    this.#fresh = new Set()
    return fresh
  }
}
