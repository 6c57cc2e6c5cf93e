// Switches a strategy on or off at once.
import { useState } from "preact/hooks"
import { call } from "../client.ts"
import { Problem } from "../Problem.ts"
import { toast } from "../parts/Toast.tsx"

interface Props {
  readonly id: number
  readonly active: boolean
  readonly label: string
  /** Shown beside the switch; without it the label is only read out. */
  readonly text?: string
  readonly onChanged: () => void
}

export const ActiveSwitch = ({ id, active, label, text, onChanged }: Props) => {
  const [wanted, setWanted] = useState<boolean>()
  const change = async (next: boolean) => {
    setWanted(next)
    try {
      await call("strategies", "update", { path: { id }, payload: { active: next } })
      onChanged()
      toast(
        next
          ? "Switched on: it acts on the next alert."
          : "Switched off: no more entries, open positions keep their exits."
      )
    } catch (fault) {
      toast(Problem.of(fault).message, "bad")
      setWanted(undefined)
    }
  }
  const shown = wanted ?? active
  // Show the requested state until the server's state agrees.
  if (wanted !== undefined && wanted === active) setWanted(undefined)
  return (
    <label class="switch-line switch-target">
      <input
        type="checkbox"
        role="switch"
        class="switch"
        aria-label={label}
        aria-checked={shown}
        checked={shown}
        onChange={(event) => change(event.currentTarget.checked)}
      />
      {text === undefined ? null : <span>{text}</span>}
    </label>
  )
}
