// A button that asks the exchange whether an account's keys still work.
import { useState } from "preact/hooks"
import type { ExchangeAccount } from "../accounts.ts"
import { call } from "../client.ts"
import { Problem } from "../Problem.ts"
import { toast } from "../parts/Toast.tsx"

interface Props {
  readonly of: Pick<ExchangeAccount, "id" | "name">
  readonly onChecked: () => void
}

export const CheckButton = ({ of: { id, name }, onChecked }: Props) => {
  const [busy, setBusy] = useState(false)
  const check = async () => {
    setBusy(true)
    try {
      const { problem } = await call("live", "check", { path: { id } })
      toast(problem === null ? `${name} works.` : `${name}: ${problem}`, problem === null ? "good" : "bad")
      onChecked()
    } catch (fault) {
      toast(Problem.of(fault).message, "bad")
    }
    setBusy(false)
  }
  return (
    <button type="button" class="button small" disabled={busy} onClick={check}>
      {busy ? "Asking…" : "Check now"}
      <span class="hidden-words"> whether {name} works</span>
    </button>
  )
}
