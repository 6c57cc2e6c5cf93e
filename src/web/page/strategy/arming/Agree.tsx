// The second step of arming: shows the server's statement, which the user confirms by typing the strategy's name.
import { useEffect, useRef, useState } from "preact/hooks"
import { now } from "../../clock.ts"
import { TextField } from "../../parts/Field.tsx"
import { Notice } from "../../parts/Toast.tsx"
import { Time } from "../../parts/Value.tsx"
import { isNamed, type Proposal } from "./draft.ts"

interface Props {
  /** The strategy's name, which the user has to type. */
  readonly name: string
  readonly proposal: Proposal
  readonly sandbox: boolean
  readonly busy: boolean
  readonly onAgree: () => void
  readonly onBack: () => void
}

export const Agree = ({ name, proposal, sandbox, busy, onAgree, onBack }: Props) => {
  const [typed, setTyped] = useState("")
  const [isLate, setLate] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  // Move the focus to the question, where a screen reader starts.
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
        label="Type the strategy’s name to confirm"
        name="agreement"
        value={typed}
        onValue={setTyped}
        explain={
          <>
            Its name is <span class="strong">{name}</span>. You can confirm until{" "}
            <Time at={proposal.expires_at} />.
          </>
        }
      />
      {isLate ? <Notice tone="bad">This has expired: go back and start again.</Notice> : null}
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
