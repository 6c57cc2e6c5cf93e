// What can be done with the strategies that are selected in the list.
import { useState } from "preact/hooks"
import * as Format from "../../parts/format.ts"
import { BulkDialog } from "./BulkDialog.tsx"
import type { Change } from "./bulk.ts"

interface Props {
  readonly selected: ReadonlySet<number>
  readonly onClear: () => void
  readonly onChanged: () => void
}

const ON: Change = { name: "active", value: "on" }
const OFF: Change = { name: "active", value: "off" }
const SETTING: Change = { name: "buy_percentage", value: "" }

export const BulkBar = ({ onChanged, onClear, selected }: Props) => {
  const [change, setChange] = useState<Change>()
  if (selected.size === 0) return null
  return (
    <section class="bulk actions" aria-label="Selected strategies">
      <span class="quiet" role="status">
        {Format.counted(selected.size, "strategy", "strategies")} selected
      </span>
      <button type="button" class="button small" onClick={() => setChange(ON)}>
        Switch on
      </button>
      <button type="button" class="button small" onClick={() => setChange(OFF)}>
        Switch off
      </button>
      <button type="button" class="button small" onClick={() => setChange(SETTING)}>
        Change a setting
      </button>
      <button type="button" class="button small ghost" onClick={onClear}>
        Clear selection
      </button>
      {change === undefined ? null : (
        <BulkDialog
          ids={[...selected]}
          initial={change}
          isOpen={change === SETTING}
          onClose={() => {
            setChange(undefined)
            onChanged()
          }}
        />
      )}
    </section>
  )
}
