// The banner that says on every page that entries are halted, and how to resume them.

import { useEffect, useRef, useState } from "preact/hooks"
import type { Happening } from "../live.ts"
import { Problem } from "../Problem.ts"
import { ProblemText } from "../parts/GuideLink.tsx"
import { toast } from "../parts/Toast.tsx"
import { Time } from "../parts/Value.tsx"
import { useQuery } from "../query.ts"
import { useStore } from "../store.ts"
import { type Halt, halt, lookAtHalt, resumeEntries } from "./halt.ts"

/** A command may halt entries without an event, so ask regularly. */
const EVERY_MS = 10_000

const concerns = ({ kind }: Happening) => kind === "live"

/** Shows the banner while entries are halted. */
export const Halted = ({ operator }: { operator: boolean }) => {
  const now = useStore(halt)
  useQuery("halt", lookAtHalt, { on: concerns, everyMs: EVERY_MS })
  // Forget the halt: the next user may be another.
  useEffect(() => () => halt.set(undefined), [])
  return now?.halted === true ? <Banner of={now} operator={operator} /> : null
}

const Banner = ({ of, operator }: { of: Halt; operator: boolean }) => {
  const [asks, setAsks] = useState(false)
  return (
    <section class="halted" aria-label="Entries are halted">
      <div class="halted-words">
        <p role="status">
          <span class="strong">Entries are halted</span> since <Time at={of.since} />
          {of.everybody ? ", for everybody on this server" : ""}. Open positions keep their exits.
        </p>
        {of.text === null ? null : <p>{sentence(of.text)}</p>}
        {of.everybody && !operator ? (
          <p>
            Only the operator (the first account of this server) can resume them, or{" "}
            <code>signalbox resume</code> on its machine.
          </p>
        ) : null}
      </div>
      {of.everybody && !operator ? null : asks ? (
        <Question of={of} onClose={() => setAsks(false)} />
      ) : (
        <button type="button" class="button" onClick={() => setAsks(true)}>
          Resume
        </button>
      )}
    </section>
  )
}

const Question = ({ of, onClose }: { of: Halt; onClose: () => void }) => {
  const [problem, setProblem] = useState<Problem>()
  const [busy, setBusy] = useState(false)
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => first.current?.focus(), [])
  const resume = async () => {
    setBusy(true)
    try {
      await resumeEntries()
      toast("Entries are allowed again: strategies act on the next alert.")
      document.getElementById("main")?.focus()
    } catch (fault) {
      setProblem(Problem.of(fault))
      setBusy(false)
    }
  }
  return (
    <div class="halted-question">
      {of.cause === "restored" ? (
        <p>
          This database is a restored backup: nothing after the backup is in it. First compare it with the
          balances and open orders at your exchanges. Strategies are being disarmed; only you can arm them
          again.
        </p>
      ) : null}
      <p>
        From the next alert on, strategies enter positions again, also with real money
        {of.everybody ? ", of every account on this server" : ""}. Alerts that arrived during the halt are not
        acted on.
      </p>
      {problem === undefined ? null : (
        <p class="field-error" role="alert">
          <ProblemText problem={problem} />
        </p>
      )}
      <div class="actions">
        <button type="button" class="button" ref={first} onClick={onClose}>
          Stay halted
        </button>
        <button type="button" class="button danger" disabled={busy} onClick={resume}>
          Resume entries
        </button>
      </div>
    </div>
  )
}

/** Turns the server's text into a sentence. */
const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`
