// Callers of a server that may be gone at any moment, and what they remember of it.
import type { Dice } from "../../src/testing/Dice.ts"

/** An alert as its sender knows it. */
export interface Sent {
  /** Stands in the alert as its tp or sl, far beyond any price, so that its rows can be told from all others. */
  readonly mark: number
  readonly field: "tp" | "sl"
  readonly signal: number
  readonly coin: string
  readonly type: string
  readonly byWebhook: boolean
  /** What makes a second sending the same alert. Without a name it is sent once. */
  readonly named: "id" | "key" | "not"
  attempts: number
  /** The Location of each answer of 200. */
  readonly answered: Array<string>
}

export interface Keys {
  /** For the webhook, and for the API. */
  readonly hook: string
  readonly api: string
  readonly signals: ReadonlyArray<number>
}

const COINS = ["BTC", "ETH", "SOL"] as const
const TYPES = ["buy", "buy", "sell", "long", "close_long"] as const
/** For how long a caller waits for an answer. */
const PATIENCE_MS = 10_000
/** Between two alerts of one caller, at most. */
const PAUSE_MS = 30
/** Far above, and far below, every price of the suites. */
const ABOVE = 10_000_000
const BELOW = 1_000_000

export class Storm {
  readonly sent: Array<Sent> = []
  /** Answers other than 200, which no caller should see. */
  readonly refused: Array<string> = []
  /** Answers of 200 so far. */
  answers = 0
  /** Where the server listens; none while there is no server. */
  base: string | undefined
  private isOver = false
  private readonly dice: Dice
  private readonly accounts: ReadonlyArray<Keys>

  constructor(dice: Dice, accounts: ReadonlyArray<Keys>) {
    this.dice = dice
    this.accounts = accounts
  }

  /** So many callers, until `end`. What was begun is sent again until it is answered. */
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
      // Some send a second time though they were answered, as those do who missed the answer.
      const enough = sent.named !== "not" && this.dice.chance(0.2) ? 2 : 1
      while (sent.answered.length < enough && (sent.attempts === 0 || sent.named !== "not")) {
        const base = await this.found()
        if (base === undefined) return
        await this.attempt(base, account, sent)
      }
      await Bun.sleep(this.dice.between(0, PAUSE_MS))
    }
  }

  /** Where the server is, once there is one; nowhere when all is over. */
  private async found(): Promise<string | undefined> {
    while (this.base === undefined) {
      if (this.isOver) return undefined
      await Bun.sleep(2)
    }
    return this.base
  }

  private next({ signals }: Keys): Sent {
    const field = this.dice.pick(["tp", "sl"])
    const number = this.sent.length + 1
    return {
      mark: field === "tp" ? ABOVE + number : number / BELOW,
      field,
      signal: this.dice.pick(signals),
      coin: this.dice.pick(COINS),
      type: this.dice.pick(TYPES),
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
      [sent.field]: `${sent.mark}`,
      ...(sent.named === "id" ? { id: `storm-${sent.mark}` } : {})
    }
    const body = sent.byWebhook ? JSON.stringify(fields) : new URLSearchParams(fields)
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const answer = await fetch(base + path, { method: "POST", headers, body, signal }).then(
      async (response) => ({ status: response.status, location: response.headers.get("location") }),
      () => undefined
    )
    // A connection that broke says nothing: the alert may be on disk, or not.
    if (answer === undefined) return Bun.sleep(1)
    if (answer.status === 200) {
      this.answers++
      sent.answered.push(answer.location ?? "")
    } else this.refused.push(`an alert was answered ${answer.status}`)
    if (answer.status !== 200) await Bun.sleep(100)
  }
}
