// Switches a signal on at once, and off after a confirmation.
import { useState } from "preact/hooks"
import { call } from "../client.ts"
import { Problem } from "../Problem.ts"
import { Confirm } from "../parts/Dialog.tsx"
import { toast } from "../parts/Toast.tsx"
import { counted, type Follower, type Signal } from "./signal.ts"

interface Props {
  readonly signal: Signal
  readonly followers: ReadonlyArray<Follower> | undefined
  readonly onDone: () => void
  readonly small?: boolean
}

export const Switch = ({ signal, followers, onDone, small = false }: Props) => {
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const set = async (active: boolean) => {
    await call("signals", "update", { path: { id: signal.id }, payload: { active } })
    toast(active ? `${signal.name} is on and takes alerts.` : `${signal.name} is off and refuses alerts.`)
    onDone()
  }
  const turnOn = () => {
    setBusy(true)
    set(true)
      .catch((fault: unknown) => toast(Problem.of(fault).message, "bad"))
      .finally(() => setBusy(false))
  }
  return (
    <>
      <button
        type="button"
        class={`button${small ? " small" : ""}`}
        disabled={busy}
        onClick={() => (signal.active ? setAsking(true) : turnOn())}
      >
        {signal.active ? "Switch off" : "Switch on"}
        <span class="hidden-words"> {signal.name}</span>
      </button>
      {asking ? (
        <Confirm
          title={`Switch ${signal.name} off?`}
          action="Switch off"
          onConfirm={() => set(false)}
          onClose={() => setAsking(false)}
        >
          <p>
            Every alert to it is refused until you switch it on again, including alerts that sell or close.
          </p>
          {followers === undefined || followers.length === 0 ? null : (
            <p>
              {counted(followers.length, "strategy follows", "strategies follow")} it. Open positions stay
              open: their own exits, such as a stop loss, go on.
            </p>
          )}
        </Confirm>
      ) : null}
    </>
  )
}
