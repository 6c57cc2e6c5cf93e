// Senders of alerts to a server that may die at any moment. They remember what was answered.
import type { SeededRandom } from "../../src/testing/SeededRandom.ts"

/** An alert as its sender knows it. */
export interface Sent {
  /** The alert's tp or sl, far beyond any price, which identifies its rows. */
  readonly mark: number
  readonly field: "tp" | "sl"
  readonly signal: number
  readonly coin: string
  readonly type: string
  /** What it says beside its type: a turn, or a part to close. */
  readonly extras: Readonly<Record<string, string>>
  readonly byWebhook: boolean
  /** What identifies a repeat. Without it the alert is sent once. */
  readonly named: "id" | "key" | "not"
  attempts: number
  /** The Location of each 200 response. */
  readonly answered: Array<string>
}

export interface Keys {
  /** Tokens for the webhook and for the API. */
  readonly hook: string
  readonly api: string
  readonly signals: ReadonlyArray<number>
}

const COINS = ["BTC", "ETH", "SOL"] as const
const KINDS: ReadonlyArray<Pick<Sent, "type" | "extras">> = [
  { type: "buy", extras: {} },
  { type: "buy", extras: {} },
  { type: "sell", extras: {} },
  { type: "sell", extras: { close_percent: "40" } },
  { type: "long", extras: {} },
  { type: "long", extras: { reverse: "true" } },
  { type: "short", extras: {} },
  { type: "short", extras: { reverse: "true" } },
  { type: "close_long", extras: {} },
  { type: "close_long", extras: { close_percent: "60" } },
  { type: "close_short", extras: { close_percent: "30" } }
]
/** How long a sender waits for a response. */
const PATIENCE_MS = 10_000
/** The longest pause between two alerts of a sender, unless somebody sets another. */
const PAUSE_MS = 30
/** Far above and far below every price of the suites. */
const ABOVE = 10_000_000
const BELOW = 1_000_000

export class Storm {
  readonly sent: Array<Sent> = []
  /** Responses other than 200, which must not happen. */
  readonly refused: Array<string> = []
  /** The number of 200 responses. */
  answers = 0
  /** The longest pause between two alerts of a sender (ms). */
  pauseMs = PAUSE_MS
  /** The addresses of servers that run, of which each request goes to any. */
  bases: ReadonlyArray<string> = []
  /** Responses that ask to come back later; only a patient sender takes them. */
  postponed = 0
  /** Requests that a running server left without a response. */
  unanswered = 0
  private isOver = false
  private readonly dice: SeededRandom
  private readonly accounts: ReadonlyArray<Keys>

  private readonly patient: boolean

  /** `patient` senders take a 503 with Retry-After for what it says. */
  constructor(dice: SeededRandom, accounts: ReadonlyArray<Keys>, patient = false) {
    this.dice = dice
    this.accounts = accounts
    this.patient = patient
  }

  /** The address of the one server; undefined while it is down. */
  set base(base: string | undefined) {
    this.bases = base === undefined ? [] : [base]
  }

  /** Sends with this many senders until `end`. An alert in progress is sent again until it is answered. */
  async rage(callers: number): Promise<void> {
    await Promise.all(Array.from({ length: callers }, () => this.call()))
  }

  end(): void {
    this.isOver = true
  }

  private async call(): Promise<void> {
    while (!this.isOver) {
      const account = this.dice.pick(this.accounts)
      const sent = this.next(account)
      this.sent.push(sent)
      // Some answered alerts are sent again, as by senders that missed the response.
      const enough = sent.named !== "not" && this.dice.chance(0.2) ? 2 : 1
      while (sent.answered.length < enough && (sent.attempts === 0 || sent.named !== "not")) {
        const base = await this.found()
        if (base === undefined) return
        await this.attempt(base, account, sent)
      }
      await Bun.sleep(this.dice.between(0, this.pauseMs))
    }
  }

  /** Waits for a server; undefined when all is over. */
  private async found(): Promise<string | undefined> {
    while (this.bases.length === 0) {
      if (this.isOver) return undefined
      await Bun.sleep(2)
    }
    return this.dice.pick(this.bases)
  }

  private next({ signals }: Keys): Sent {
    const field = this.dice.pick(["tp", "sl"])
    const number = this.sent.length + 1
    const kind = this.dice.pick(KINDS)
    // A short's target is below the price, and its stop above.
    const isAbove = (field === "tp") !== (kind.type === "short")
    return {
      mark: isAbove ? ABOVE + number : number / BELOW,
      field,
      signal: this.dice.pick(signals),
      coin: this.dice.pick(COINS),
      ...kind,
      byWebhook: this.dice.chance(0.5),
      named: this.dice.pick(["id", "key", "not"]),
      attempts: 0,
      answered: []
    }
  }

  private async attempt(base: string, account: Keys, sent: Sent): Promise<void> {
    sent.attempts++
    const path = sent.byWebhook ? `/v1/signals/charting?key=${account.hook}` : "/v1/signals/alert"
    const headers = {
      ...(sent.byWebhook ? {} : { authorization: `Bearer ${account.api}` }),
      ...(sent.named === "key" ? { "idempotency-key": `storm-${sent.mark}` } : {})
    }
    const fields = {
      signal_id: `${sent.signal}`,
      coin: sent.coin,
      quote_currency: "USDT",
      type: sent.type,
      ...sent.extras,
      [sent.field]: `${sent.mark}`,
      ...(sent.named === "id" ? { id: `storm-${sent.mark}` } : {})
    }
    const body = sent.byWebhook ? JSON.stringify(fields) : new URLSearchParams(fields)
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const answer = await fetch(base + path, { method: "POST", headers, body, signal }).then(
      async ({ headers, status }) => ({
        status,
        location: headers.get("location"),
        isLater: status === 503 && headers.has("retry-after")
      }),
      () => undefined
    )
    // A broken connection says nothing: the alert may be stored or not.
    if (answer === undefined) {
      if (this.bases.includes(base)) this.unanswered++
      return Bun.sleep(1)
    }
    if (answer.status === 200) {
      this.answers++
      sent.answered.push(answer.location ?? "")
    } else if (this.patient && answer.isLater) this.postponed++
    else this.refused.push(`an alert was answered ${answer.status}`)
    if (answer.status !== 200) await Bun.sleep(100)
  }
}
