import { useId, useState } from "preact/hooks"
import { Problem } from "../Problem.ts"
import { toast } from "../parts/Toast.tsx"

interface Props {
  readonly on: boolean
  /** What it switches, for those who do not see the row it stands in. */
  readonly label: string
  readonly disabled: boolean
  /** What is done, and how it stands then; where it is refused, the reason is told and the switch goes back. */
  readonly onSwitch: (on: boolean) => Promise<boolean>
  /** Called in place of switching it off, where that is asked about first. */
  readonly onAsk?: () => void
}

/** Switches something of a row at once. */
export const Toggle = ({ on, label, disabled, onSwitch, onAsk }: Props) => {
  const id = useId()
  const [wanted, setWanted] = useState<boolean>()
  // What was asked for stands until the server's word agrees.
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
