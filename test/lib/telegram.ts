// A scripted Bot API: it speaks the calls of a chat bot as Telegram does, hands out whatever updates a test makes up, and
// fails as the test wants. It serves tests in this process as `Outbound`, and the compiled program over HTTP.
import { Clock, Effect } from "effect"
import { type Outbound, type Posting, Undelivered } from "../../src/services/notify/Outbound.ts"

/** An answer as Telegram or a proxy may give it; `cut` is half of a response, `silence` none at all. */
export type Fault =
  | { readonly status: number; readonly body?: object | string }
  | "cut"
  | "huge"
  | "silence"
  | "unreachable"

/** A person in a chat. */
export interface Who {
  readonly chat: number
  readonly user: number
  readonly first?: string
}

/** A message that the bot sent or edited. */
export interface Said {
  readonly chat: number
  readonly text: string
  readonly buttons: ReadonlyArray<{ readonly label: string; readonly data: string }>
  readonly isEdit: boolean
}

interface Given {
  readonly status: number
  readonly body: string
}

const given = (status: number, body: object | string): Given => ({
  status,
  body: typeof body === "string" ? body : JSON.stringify(body)
})
const ok = (result: unknown) => given(200, { ok: true, result })
const failed = (status: number, description: string, parameters: object = {}) =>
  given(status, { ok: false, error_code: status, description, parameters })

/** Faults as Telegram words them. */
export const FAULTS = {
  conflict: {
    status: 409,
    body: {
      ok: false,
      error_code: 409,
      description:
        "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"
    }
  },
  webhook: {
    status: 409,
    body: {
      ok: false,
      error_code: 409,
      description:
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
    }
  },
  busy: {
    status: 429,
    body: {
      ok: false,
      error_code: 429,
      description: "Too Many Requests: retry after 17",
      parameters: { retry_after: 17 }
    }
  },
  revoked: { status: 401, body: { ok: false, error_code: 401, description: "Unauthorized" } },
  broken: { status: 502, body: "<html>Bad Gateway</html>" }
} satisfies Record<string, Fault>

/** One bot. */
export class BotServer {
  readonly said: Array<Said> = []
  readonly acknowledged: Array<string> = []
  readonly calls: Array<string> = []
  /** Faults of a method, each for one call; those of `always` for every one. */
  readonly faults = new Map<string, Array<Fault>>()
  readonly always = new Map<string, Fault>()
  readonly token: string
  #updates: Array<{ readonly update_id: number }> = []
  #next = 1_000
  readonly #waiting = new Set<() => void>()

  constructor(token: string) {
    this.token = token
  }

  /** The numbers of updates that were not confirmed. */
  get pending(): ReadonlyArray<number> {
    return this.#updates.map(({ update_id }) => update_id)
  }
  /** The newest message of the bot. */
  get last(): Said {
    const last = this.said.at(-1)
    if (last === undefined) throw new Error("the bot said nothing")
    return last
  }
  count(method: string): number {
    return this.calls.filter((call) => call === method).length
  }
  /** The data of the button with this label in the bot's newest message. */
  button(label: string): string {
    const found = this.last.buttons.find((button) => button.label.startsWith(label))
    if (found === undefined) throw new Error(`no button ${label} in ${JSON.stringify(this.last)}`)
    return found.data
  }

  /** Puts an update into the queue, under the next number unless it has one. */
  push(update: object): number {
    const numbered = { update_id: this.#next, ...update }
    this.#next = Math.max(this.#next, Number(numbered.update_id) || 0) + 1
    this.#updates.push(numbered)
    for (const wake of this.#waiting) wake()
    return numbered.update_id
  }
  /** A message as a person types it. `changes` are to the message. */
  types(who: Who, text: string, changes: object = {}) {
    return Effect.map(Clock.currentTimeMillis, (now) =>
      this.push({ message: messageOf(who, text, now, changes) })
    )
  }
  /** The press of a button below the bot's message 1. */
  presses(who: Who, data: string, changes: object = {}) {
    return Effect.sync(() => this.push({ callback_query: pressOf(who, data, changes) }))
  }

  /** Answers a call. */
  answer(path: string, body: string): Effect.Effect<Given | Exclude<Fault, object>> {
    const [, bot = "", method = ""] = path.split("/")
    this.calls.push(method)
    const fault = this.faults.get(method)?.shift() ?? this.always.get(method)
    if (fault !== undefined)
      return Effect.succeed(typeof fault === "string" ? fault : given(fault.status, fault.body ?? ""))
    if (bot !== `bot${this.token}`) return Effect.succeed(failed(401, "Unauthorized"))
    const fields: Record<string, unknown> = JSON.parse(body)
    switch (method) {
      case "getMe":
        return Effect.succeed(ok({ id: 1, is_bot: true, first_name: "Signals", username: "Signal_test_bot" }))
      case "getUpdates":
        return this.#updatesFor(fields)
      case "sendMessage":
      case "editMessageText":
        this.said.push(saidOf(fields, method === "editMessageText"))
        return Effect.succeed(ok({ message_id: 1 }))
      case "answerCallbackQuery":
        this.acknowledged.push(String(fields["callback_query_id"]))
        return Effect.succeed(ok(true))
      case "deleteWebhook":
        this.always.delete("getUpdates")
        return Effect.succeed(ok(true))
      default:
        return Effect.succeed(failed(404, "Not Found"))
    }
  }

  #updatesFor({ limit, offset, timeout }: Record<string, unknown>): Effect.Effect<Given> {
    const from = typeof offset === "number" ? offset : 0
    this.#updates = this.#updates.filter(({ update_id }) => update_id >= from)
    const now = Effect.sync(() => ok(this.#updates.slice(0, Number(limit))))
    if (this.#updates.length > 0) return now
    const arrival = Effect.async<void>((resume) => {
      const wake = () => resume(Effect.void)
      this.#waiting.add(wake)
      return Effect.sync(() => this.#waiting.delete(wake))
    })
    return Effect.zipRight(Effect.race(arrival, Effect.sleep(Number(timeout) * 1_000)), now)
  }

  /** The port, for tests in this process. */
  readonly outbound: typeof Outbound.Service = {
    post: ({ body, patience = { timeoutMs: 10_000, maxBytes: 4_096 }, url }: Posting) =>
      Effect.flatMap(this.answer(new URL(url).pathname, body), (answer) => {
        if (answer === "silence")
          return Effect.zipRight(
            Effect.sleep(patience.timeoutMs),
            new Undelivered({ reason: "no answer in time" })
          )
        if (answer === "unreachable") return new Undelivered({ reason: "its name cannot be resolved" })
        const { body: text, status } = written(answer)
        return Effect.succeed({ status, retryAfterSeconds: 0, text: text.slice(0, patience.maxBytes) })
      })
  }

  /** The same over HTTP on loopback. */
  serve(): { readonly url: string; readonly stop: () => Promise<void> } {
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      idleTimeout: 60,
      fetch: async (request) => {
        const answer = await Effect.runPromise(
          this.answer(new URL(request.url).pathname, await request.text())
        )
        if (answer === "silence") return new Promise<Response>(() => {})
        const { body, status } = written(answer === "unreachable" ? given(502, "") : answer)
        return new Response(body, { status })
      }
    })
    return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
  }
}

const HUGE = `{"ok":true,"result":[{"update_id":1000,"message":{"text":"${"x".repeat(2 ** 21)}"}}]}`

const written = (answer: Given | "cut" | "huge"): Given =>
  answer === "cut"
    ? given(200, '{"ok":true,"result":[{"update_id":1000,"message":{"message_id":1,"te')
    : answer === "huge"
      ? given(200, HUGE)
      : answer

const chatOf = ({ chat }: Who) =>
  chat < 0
    ? { id: chat, type: "supergroup", title: "Desk" }
    : { id: chat, type: "private", first_name: "Ann" }

const userOf = ({ first = "Ann", user }: Who) => ({ id: user, is_bot: false, first_name: first })

/** A message as Telegram sends it. `now` in ms. */
export const messageOf = (who: Who, text: string, now: number, changes: object = {}) => ({
  message_id: 5,
  from: userOf(who),
  chat: chatOf(who),
  date: Math.floor(now / 1_000),
  text,
  ...changes
})

/** The press of a button as Telegram sends it. */
export const pressOf = (who: Who, data: string, changes: object = {}) => ({
  id: "77",
  from: userOf(who),
  message: { message_id: 1, chat: chatOf(who), date: 1 },
  chat_instance: "1",
  data,
  ...changes
})

const saidOf = (fields: Record<string, unknown>, isEdit: boolean): Said => {
  const markup: { readonly inline_keyboard?: ReadonlyArray<ReadonlyArray<Record<string, string>>> } = Object(
    fields["reply_markup"]
  )
  return {
    chat: Number(fields["chat_id"]),
    text: String(fields["text"]),
    buttons: (markup.inline_keyboard ?? [])
      .flat()
      .map(({ callback_data = "", text = "" }) => ({ label: text, data: callback_data })),
    isEdit
  }
}
