// A receiver of webhooks that verifies every signature by Standard Webhooks, with code of its own.
import { createHmac } from "node:crypto"
import type { Server } from "bun"
import * as Schema from "effect/Schema"
import { must } from "../prices/until.ts"

const Told = Schema.Struct({
  type: Schema.String,
  data: Schema.Struct({
    id: Schema.String,
    text: Schema.String,
    alert_id: Schema.NullOr(Schema.Int),
    facts: Schema.Record({ key: Schema.String, value: Schema.Unknown })
  })
})
const decode = Schema.decodeUnknownSync(Schema.parseJson(Told))

export interface Notification {
  readonly at: number
  readonly id: string
  readonly type: string
  readonly text: string
  readonly alert: number | null
  readonly facts: Readonly<Record<string, unknown>>
}

/** How old a signature may be, as Standard Webhooks advises. */
const TOLERANCE_SECONDS = 300

export class Receiver {
  readonly told: Array<Notification> = []
  /** Requests without a valid signature. */
  readonly forged: Array<string> = []
  readonly port: number
  #secret = ""
  #server: Server<undefined>

  constructor() {
    this.port = 0
    this.#server = this.#open()
    this.port = this.#server.port ?? 0
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}/hook`
  }

  /** Accepts this secret. */
  keep(secret: string): void {
    must(/^whsec_[A-Za-z0-9+/]{43}=$/.test(secret), "the secret is not one of Standard Webhooks")
    this.#secret = secret
  }

  of(type: string): ReadonlyArray<Notification> {
    return this.told.filter((one) => one.type === type)
  }

  /** Stops listening until `up`. */
  async down(): Promise<void> {
    await this.#server.stop(true)
  }

  up(): void {
    this.#server = this.#open()
  }

  #open(): Server<undefined> {
    return Bun.serve<undefined>({
      port: this.port,
      hostname: "127.0.0.1",
      fetch: async (request) => {
        const at = performance.now()
        const body = await request.text()
        const flaw = this.#flaw(request.headers, body)
        if (flaw !== undefined) this.forged.push(flaw)
        const { data, type } = decode(body)
        const { alert_id, facts, text } = data
        const id = request.headers.get("webhook-id") ?? ""
        this.told.push({ at, id, type, text, alert: alert_id, facts })
        return new Response("")
      }
    })
  }

  #flaw(headers: Headers, body: string): string | undefined {
    const id = headers.get("webhook-id") ?? ""
    const seconds = headers.get("webhook-timestamp") ?? ""
    const key = Buffer.from(this.#secret.slice("whsec_".length), "base64")
    const mac = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")
    const signatures = (headers.get("webhook-signature") ?? "").split(" ")
    if (!signatures.includes(`v1,${mac}`)) return `the signature of ${id} is wrong`
    const age = Math.abs(Date.now() / 1000 - Number(seconds))
    return age < TOLERANCE_SECONDS ? undefined : `the signature of ${id} is ${age} s old`
  }
}
