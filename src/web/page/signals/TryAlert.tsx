// Sends an alert by hand: as a test, or for real after a confirmation.

import { useRef, useState } from "preact/hooks"
import { send } from "../client.ts"
import { Problem } from "../Problem.ts"
import { Confirm } from "../parts/Dialog.tsx"
import { focusFirstError, TextAreaField } from "../parts/Field.tsx"
import { ProblemText } from "../parts/GuideLink.tsx"
import { Panel } from "../parts/PageHead.tsx"
import { Tabs } from "../parts/Tabs.tsx"
import { Notice, toast } from "../parts/Toast.tsx"
import { href } from "../routes.ts"
import { AlertFields, isShown } from "./AlertFields.tsx"
import { type Built, fromFields, fromText, type Sending, type Typed } from "./alert.ts"
import type { Signal } from "./signal.ts"
import { Tested, type Verdict, verdictOf } from "./Tested.tsx"

const TABS = [
  { key: "fields", title: "From fields" },
  { key: "text", title: "Paste a message" }
] as const

const FIRST: Typed = {
  type: "buy",
  coin: "BTC",
  quote: "USDT",
  tp: "",
  sl: "",
  tps: "",
  closePercent: "",
  buyPercentage: "",
  reverse: false
}

export const TryAlert = ({ signal }: { signal: Signal }) => {
  const [by, setBy] = useState<"fields" | "text">("fields")
  const [typed, setTyped] = useState(FIRST)
  const [text, setText] = useState("")
  const [problem, setProblem] = useState<Problem>()
  const [verdict, setVerdict] = useState<Verdict>()
  const [busy, setBusy] = useState(false)
  const [real, setReal] = useState<Sending>()
  const [sent, setSent] = useState<string>()
  const form = useRef<HTMLFormElement>(null)

  const build = (test: boolean): Built =>
    by === "fields" ? fromFields(signal.id, typed, test) : fromText(signal.id, text, test)
  const refuse = (found: Problem) => {
    setProblem(found)
    setVerdict(undefined)
    focusFirstError(form.current)
  }
  const built = (test: boolean): Sending | undefined => {
    const found = build(test)
    setProblem(undefined)
    if ("sending" in found) return found.sending
    refuse(new Problem(0, "invalid", "Please correct the marked fields.", found.errors))
    return undefined
  }
  const test = async (event: Event) => {
    event.preventDefault()
    const sending = built(true)
    setSent(undefined)
    if (sending === undefined) return
    setBusy(true)
    try {
      const found = verdictOf(await (await post(sending)).text())
      if (found === undefined) toast("The server took this for a real alert: see the last alerts.", "bad")
      setVerdict(found)
    } catch (fault) {
      refuse(Problem.of(fault))
    }
    setBusy(false)
  }
  const errors = problem?.errors ?? {}
  const others = Object.entries(errors).filter(([field]) => by === "fields" && !isShown(field, typed.type))
  return (
    <Panel title="Try an alert">
      <form class="form" ref={form} onSubmit={test} noValidate>
        <Tabs label="How to write the alert" tabs={TABS} shown={by} onShow={setBy}>
          {by === "fields" ? (
            <AlertFields typed={typed} errors={errors} onTyped={setTyped} />
          ) : (
            <TextAreaField
              name="body"
              label="Message"
              mono
              rows={5}
              value={text}
              onValue={setText}
              errors={problem === undefined ? undefined : errorList(Object.entries(errors))}
              placeholder={'{"type":"buy","symbol":"BTCUSDT"}'}
              explain="As your platform would send it: JSON, a form or text. Replace placeholders in double braces by values."
            />
          )}
        </Tabs>
        {problem === undefined || (Object.keys(errors).length > 0 && others.length === 0) ? null : (
          <Notice tone="bad">
            {others.length === 0 ? <ProblemText problem={problem} /> : errorList(others).join("; ")}
          </Notice>
        )}
        <div class="actions">
          <button type="submit" class="button primary" disabled={busy}>
            Test it
          </button>
          <button type="button" class="button" disabled={busy} onClick={() => setReal(built(false))}>
            Send for real…
          </button>
          <span class="explain">A test shows what every strategy would do, without doing it.</span>
        </div>
      </form>
      <div aria-live="polite">
        {verdict === undefined ? null : <Tested verdict={verdict} signal={signal.id} />}
      </div>
      {sent === undefined ? null : (
        <Notice tone="good">
          Alert {sent} is stored, and strategies act on it:{" "}
          <a href={href("alerts", [], { signal: signal.id, alert: sent })}>see the outcome</a>.
        </Notice>
      )}
      {real === undefined ? null : (
        <Confirm
          title="Send this alert for real?"
          action="Send for real"
          onConfirm={async () => {
            const response = await post(real)
            const id = /\d+$/.exec(response.headers.get("location") ?? "")?.[0]
            setVerdict(undefined)
            toast("The alert is stored, and acted on now.")
            if (id !== undefined) setSent(id)
          }}
          onClose={() => setReal(undefined)}
        >
          <p>Every active strategy that follows {signal.name} acts on it at once, as on any other alert.</p>
          <pre>{real.body}</pre>
        </Confirm>
      )}
    </Panel>
  )
}

/** Errors of fields that this form does not have. */
const errorList = (errors: ReadonlyArray<readonly [field: string, texts: ReadonlyArray<string>]>) =>
  errors.map(([field, texts]) => `${field === "body" ? "" : `${field} `}${texts.join(", ")}`)

const post = ({ body, query }: Sending): Promise<Response> =>
  send("POST", `/v1/signals/alert${query === "" ? "" : `?${query}`}`, {
    text: body,
    headers: { "content-type": "text/plain" }
  })
