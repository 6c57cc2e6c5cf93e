import { useEffect, useRef, useState } from "preact/hooks"
import { type Halt, halt, lookAtHalt, resumeEntries } from "./halt.ts"
import type { Happening } from "./live.ts"
import { Problem } from "./Problem.ts"
import { toast } from "./parts/Toast.tsx"
import { Time } from "./parts/Value.tsx"
import { useQuery } from "./query.ts"
import { useStore } from "./store.ts"

/** A command beside the server halts too, and no event may tell of it. */
const EVERY_MS = 10_000

const concerns = ({ kind }: Happening) => kind === "live"

/** Says on every page that entries are halted, and how that ends; nothing while they are not. */
export const Halted = ({ operator }: { operator: boolean }) => {
  const now = useStore(halt)
  useQuery("halt", lookAtHalt, { on: concerns, everyMs: EVERY_MS })
  // The next who signs in may be somebody else.
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
            Only the operator ends it: the account that was made first on this server, or{" "}
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
      toast("Entries go on: strategies act on the next alert.")
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
          What happened after the backup was made is not in this database. Compare what your exchanges hold
          and have open first. What was armed then is being disarmed, and is armed anew by you alone.
        </p>
      ) : null}
      <p>
        From the next alert on strategies enter again, those with real money too
        {of.everybody ? ", of every account on this server" : ""}. Alerts that came meanwhile are not made up
        for.
      </p>
      {problem === undefined ? null : (
        <p class="field-error" role="alert">
          {problem.message}
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

/** The server's words as a sentence. */
const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`
