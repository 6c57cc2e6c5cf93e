// A receiver of webhooks for the browser suites.
import { createHmac } from "node:crypto"

interface Received {
  readonly headers: Headers
  readonly body: string
}

/** Receives webhooks on this machine. */
export class Receiver {
  /** What it answers. */
  status = 200
  readonly #received: Array<Received> = []
  readonly #server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      this.#received.push({ headers: request.headers, body: await request.text() })
      return new Response("", { status: this.status })
    }
  })

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}/hook`
  }

  get count(): number {
    return this.#received.length
  }

  /** Whether requests came and all are signed with this secret by Standard Webhooks. */
  isSigned(secret: string): boolean {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64")
    const signed = ({ body, headers }: Received) => {
      const text = `${headers.get("webhook-id")}.${headers.get("webhook-timestamp")}.${body}`
      const own = createHmac("sha256", key).update(text).digest("base64")
      return headers.get("webhook-signature")?.split(" ").includes(`v1,${own}`) === true
    }
    return this.#received.length > 0 && this.#received.every(signed)
  }

  stop(): Promise<void> {
    return this.#server.stop(true)
  }
}
