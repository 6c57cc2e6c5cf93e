// The demo's HTTP client. It calls the running server as any caller would, and fails on any answer that is not a
// success.
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** The server answered with an error. */
export class UnexpectedAnswer extends Data.TaggedError("UnexpectedAnswer")<{ readonly message: string }> {}

const Id = Schema.Union(Schema.Struct({ id: Schema.Int }), Schema.Struct({ strategy_id: Schema.Int }))

export const client = (url: string, token: string) => {
  const call = (path: string, init: RequestInit) =>
    Effect.tryPromise({
      try: async () => {
        const response = await fetch(url + path, init)
        return {
          status: response.status,
          location: response.headers.get("location"),
          body: await response.text()
        }
      },
      catch: (cause) => new UnexpectedAnswer({ message: `${path.split("?")[0]}: ${String(cause)}` })
    }).pipe(
      Effect.filterOrFail(
        ({ status }) => status < 300,
        ({ body, status }) =>
          new UnexpectedAnswer({ message: `${path.split("?")[0]} answered ${status}: ${body}` })
      )
    )
  const authorization = `Bearer ${token}`
  const created = (path: string, init: RequestInit) =>
    call(path, { method: "POST", ...init }).pipe(
      Effect.flatMap(({ body }) => Schema.decode(Schema.parseJson(Id))(body)),
      Effect.map((answer) => ("id" in answer ? answer.id : answer.strategy_id))
    )
  const json = (fields: object): RequestInit => ({
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify(fields)
  })
  return {
    createSignal: (form: Record<string, string>) =>
      created("/v1/signals", { headers: { authorization }, body: new URLSearchParams(form) }),
    createSignalWithRule: (signal: object) => created("/v1/signals", json(signal)),
    createStrategy: (settings: object) => created("/v1/strategies", json(settings)),
    /** Sends an alert as a charting platform does: the key in the URL, JSON as plain text. */
    webhook: (key: string, alert: object) =>
      call(`/v1/signals/charting?key=${key}`, {
        method: "POST",
        headers: { "content-type": "text/plain; charset=utf-8" },
        body: JSON.stringify(alert)
      })
  }
}
