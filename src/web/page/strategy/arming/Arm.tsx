// Arms a strategy in two steps: first the terms, then the confirmation of the server's statement. Nothing is armed
// before the second.
import { useEffect, useRef, useState } from "preact/hooks"
import { connecting, useAccounts } from "../../accounts.ts"
import { call } from "../../client.ts"
import { Problem } from "../../Problem.ts"
import { CopyBlock } from "../../parts/CopyButton.tsx"
import { focusFirstError } from "../../parts/Field.tsx"
import { GuidePage } from "../../parts/GuideLink.tsx"
import { Loaded } from "../../parts/States.tsx"
import { toast } from "../../parts/Toast.tsx"
import { session } from "../../session.ts"
import { useStore } from "../../store.ts"
import type { Board } from "../board.ts"
import { Agree } from "./Agree.tsx"
import { BLANK, type Draft, type Proposal, type TermErrors, type Terms, termsOf } from "./draft.ts"
import { TermsForm } from "./TermsForm.tsx"

interface Props {
  readonly board: Board
  /** Called once the strategy trades with real money. */
  readonly onArmed: () => void
  readonly onClose: () => void
}

export const Arm = ({ board, onArmed, onClose }: Props) => {
  const { name, strategy_id: id } = board.strategy
  const accounts = useAccounts()
  const [draft, setDraft] = useState<Draft>(BLANK)
  const [violations, setErrors] = useState<TermErrors>({})
  const [problem, setProblem] = useState<Problem>()
  const [confirming, setConfirming] = useState<{ readonly terms: Terms; readonly proposal: Proposal }>()
  const [busy, setBusy] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  // The form replaces the button that opened it, so take the focus.
  useEffect(() => place.current?.focus(), [])

  const send = async (terms: Terms) => {
    setBusy(true)
    setProblem(undefined)
    setErrors({})
    try {
      return await call("live", "arm", { path: { id }, payload: terms })
    } catch (fault) {
      const refused = Problem.of(fault)
      setProblem(refused)
      setErrors(refused.errors)
      setConfirming(undefined)
      focusFirstError(place.current)
    } finally {
      setBusy(false)
    }
    return undefined
  }
  const propose = async () => {
    const read = termsOf(draft)
    if ("errors" in read) {
      setProblem(undefined)
      setErrors(read.errors)
      return focusFirstError(place.current)
    }
    const answer = await send(read.terms)
    if (answer?.confirmation) setConfirming({ terms: read.terms, proposal: answer.confirmation })
  }
  const arm = async () => {
    if (confirming === undefined) return
    const done = await send({ ...confirming.terms, confirmation: confirming.proposal.token })
    if (done === undefined) return
    toast(`${name} trades with ${done.armed?.sandbox === true ? "a test network" : "real money"} now.`)
    onArmed()
  }
  return (
    <div class="form" ref={place} tabIndex={-1}>
      <Loaded query={accounts}>
        {({ data }) =>
          confirming !== undefined ? (
            <Agree
              name={name}
              proposal={confirming.proposal}
              sandbox={data.find((it) => it.id === confirming.terms.account)?.sandbox === true}
              busy={busy}
              onAgree={arm}
              onBack={() => setConfirming(undefined)}
            />
          ) : data.length === 0 ? (
            <NoAccount exchange={board.strategy.default_exchange_name} onClose={onClose} />
          ) : (
            <TermsForm
              accounts={data}
              board={board}
              draft={draft}
              onDraft={setDraft}
              errors={violations}
              problem={problem}
              busy={busy}
              onSubmit={propose}
              onClose={onClose}
            />
          )
        }
      </Loaded>
    </div>
  )
}

const NoAccount = ({ exchange, onClose }: { exchange: string; onClose: () => void }) => {
  const who = useStore(session)
  return (
    <>
      <p>
        No exchange account is connected yet. Connect one on the machine that runs Signalbox, with the command
        below. It asks for the keys, checks them and stores them encrypted. They never pass through this page.{" "}
        <GuidePage page="real-money">Step by step</GuidePage>
      </p>
      {who.state === "in" ? (
        <CopyBlock label="In a terminal there" text={connecting(exchange, who.session)} />
      ) : null}
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Stay on paper
        </button>
      </div>
    </>
  )
}
