// A switch in a table row that takes effect at once, and goes back if the server rejects the change.
import { useId, useState } from "preact/hooks"
import { Problem } from "../Problem.ts"
import { toast } from "../parts/Toast.tsx"

interface Props {
  readonly on: boolean
  /** The name of the switched thing, for screen readers. */
  readonly label: string
  readonly disabled: boolean
  /** Makes the change and returns the new state; a rejection is shown as a toast. */
  readonly onSwitch: (on: boolean) => Promise<boolean>
  /** Called instead of switching off, to confirm first. */
  readonly onAsk?: () => void
}

export const Toggle = ({ on, label, disabled, onSwitch, onAsk }: Props) => {
  const id = useId()
  const [wanted, setWanted] = useState<boolean>()
  // Show the requested state until the server's state agrees.
  if (wanted !== undefined && wanted === on) setWanted(undefined)
  const shown = wanted ?? on
  const change = async (next: boolean) => {
    setWanted(next)
    try {
      if ((await onSwitch(next)) !== next) setWanted(undefined)
    } catch (fault) {
      toast(Problem.of(fault).message, "bad")
      setWanted(undefined)
    }
  }
  return (
    <span class="switch-line toggle">
      <input
        id={id}
        type="checkbox"
        role="switch"
        class="switch"
        aria-checked={shown}
        checked={shown}
        disabled={disabled}
        onChange={({ currentTarget }) => {
          if (onAsk === undefined || currentTarget.checked) return change(currentTarget.checked)
          currentTarget.checked = true
          onAsk()
        }}
      />
      <label for={id}>
        {shown ? "On" : "Off"}
        <span class="hidden-words">: {label}</span>
      </label>
    </span>
  )
}
