import { useEffect, useRef, useState } from "preact/hooks"
import { now } from "../../clock.ts"
import { TextField } from "../../parts/Field.tsx"
import { Notice } from "../../parts/Toast.tsx"
import { Time } from "../../parts/Value.tsx"
import { isNamed, type Proposal } from "./draft.ts"

interface Props {
  /** The strategy's, to be typed. */
  readonly name: string
  readonly proposal: Proposal
  readonly sandbox: boolean
  readonly busy: boolean
  readonly onAgree: () => void
  readonly onBack: () => void
}

/** What is agreed to, in the server's words, and the agreement. */
export const Agree = ({ name, proposal, sandbox, busy, onAgree, onBack }: Props) => {
  const [typed, setTyped] = useState("")
  const [isLate, setLate] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  // Whoever reads by ear begins with what they are asked to agree to.
  useEffect(() => heading.current?.focus(), [])
  const submit = (event: Event) => {
    event.preventDefault()
    if (!isNamed(typed, name)) return
    if (now() > proposal.expires_at * 1000) setLate(true)
    else onAgree()
  }
  return (
    <form class="form form-narrow" aria-label="Agree" noValidate onSubmit={submit}>
      <h3 ref={heading} tabIndex={-1}>
        {sandbox ? "Trade on the test network?" : "Trade with real money?"}
      </h3>
      <p class="statement">{proposal.statement}</p>
      {proposal.warnings.map((warning) => (
        <Notice key={warning} tone="warn">
          {warning}
        </Notice>
      ))}
      <TextField
        label="Type the strategy’s name to agree"
        name="agreement"
        value={typed}
        onValue={setTyped}
        explain={
          <>
            It is called <span class="strong">{name}</span>. This can be agreed to until{" "}
            <Time at={proposal.expires_at} />.
          </>
        }
      />
      {isLate ? <Notice tone="bad">That was too long ago: go back, and ask for it anew.</Notice> : null}
      <div class="actions">
        <button type="button" class="button" onClick={onBack}>
          Change the terms
        </button>
        <button type="submit" class="button danger" disabled={busy || !isNamed(typed, name)}>
          {busy ? "Arming…" : sandbox ? "Arm on the test network" : "Arm with real money"}
        </button>
      </div>
    </form>
  )
}
