/** One of `GET /v1/events`. */
export interface Streamed {
  readonly place: string
  readonly kind: string
  /** The event's own id, which is a webhook's `webhook-id`. */
  readonly id: string
  readonly price: unknown
}

/** Reads server-sent events for as long as it is open. */
export class EventStream {
  readonly events: Array<Streamed> = []
  /** The id of the last event, or of the stream's start. */
  place: string
  readonly #ending = new AbortController()

  private constructor(place: string) {
    this.place = place
  }

  /** Resumes after `place`. */
  static async open(address: string, headers: Record<string, string>, place = ""): Promise<EventStream> {
    const stream = new EventStream(place)
    const from = place === "" ? {} : { "last-event-id": place }
    const response = await fetch(`${address}/v1/events`, {
      headers: { ...headers, ...from },
      signal: stream.#ending.signal
    })
    if (response.status !== 200 || response.body === null)
      throw new Error(`/v1/events was answered ${response.status}: ${await response.text()}`)
    // The stream ends with the server, or by `close`.
    void stream.#read(response.body).catch(() => {})
    return stream
  }

  close(): void {
    this.#ending.abort()
  }

  of(kind: string): ReadonlyArray<Streamed> {
    return this.events.filter((event) => event.kind === kind)
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    let rest = ""
    for await (const bytes of body) {
      const blocks = (rest + decoder.decode(bytes, { stream: true })).split("\n\n")
      rest = blocks.pop() ?? ""
      for (const block of blocks) this.#hear(block)
    }
  }

  #hear(block: string): void {
    const field = (name: string) =>
      block
        .split("\n")
        .find((line) => line.startsWith(`${name}: `))
        ?.slice(name.length + 2)
    this.place = field("id") ?? this.place
    const data = field("data")
    if (data === undefined) return
    const { facts, id }: { readonly id?: unknown; readonly facts?: { readonly price?: unknown } } =
      JSON.parse(data)
    this.events.push({
      place: this.place,
      kind: field("event") ?? "",
      id: String(id),
      price: facts?.price
    })
  }
}
