// Sends a test notification and shows the result.
import { useState } from "preact/hooks"
import { call } from "../client.ts"
import { Problem } from "../Problem.ts"
import { Notice } from "../parts/Toast.tsx"
import type { Answer } from "../wire.ts"
import type { Notification } from "./notification.ts"

type Result = Answer<"notifications", "test">

interface Props {
  readonly of: Pick<Notification, "id" | "name">
  readonly onTested: () => void
}

export const useTest = ({ of: { id, name }, onTested }: Props) => {
  const [result, setResult] = useState<Result>()
  const [busy, setBusy] = useState(false)
  const test = async () => {
    setBusy(true)
    setResult(undefined)
    try {
      setResult(await call("notifications", "test", { path: { id } }))
      onTested()
    } catch (fault) {
      setResult({ delivered: false, message: Problem.of(fault).message })
    }
    setBusy(false)
  }
  return {
    button: (
      <button type="button" class="button" disabled={busy} onClick={test}>
        {busy ? "Sending…" : "Send a test"}
        <span class="hidden-words"> to {name}</span>
      </button>
    ),
    message: (
      <div role="status" class="told">
        {result === undefined ? null : (
          <Notice tone={result.delivered ? "good" : "bad"}>
            {result.delivered ? "The test was delivered." : `The test was not delivered: ${result.message}`}
          </Notice>
        )}
      </div>
    )
  }
}
