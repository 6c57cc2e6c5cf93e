// The buttons of a position and of a waiting entry: close now, new targets, cancel the entry.
import { useState } from "preact/hooks"
import { call } from "../client.ts"
import { useQuery } from "../query.ts"
import { closing, type Market, useActing } from "./acting.ts"
import { CloseDialog } from "./CloseDialog.tsx"
import { HandDialog } from "./HandDialog.tsx"
import { TargetsDialog } from "./TargetsDialog.tsx"

interface Props {
  readonly market: Market
  readonly levels: ReadonlyArray<{ readonly rule: string; readonly price: number; readonly step: unknown }>
  readonly onDone: () => void
}

export const HandButtons = ({ levels, market, onDone }: Props) => {
  const [open, setOpen] = useState<"close" | "targets">()
  const close = () => setOpen(undefined)
  // A ladder has no single target to edit.
  const held = (rule: string) => levels.find((it) => it.rule === rule && it.step === null)?.price
  return (
    <span class="hand-actions">
      <button type="button" class="button small" onClick={() => setOpen("close")}>
        Close now<span class="hidden-words">: {market.pair}</span>
      </button>
      <button type="button" class="button small" onClick={() => setOpen("targets")}>
        Targets<span class="hidden-words"> of {market.pair}</span>
      </button>
      {open === "close" ? <CloseDialog market={market} onDone={onDone} onClose={close} /> : null}
      {open === "targets" ? (
        <TargetsDialog market={market} tp={held("tp")} sl={held("sl")} onDone={onDone} onClose={close} />
      ) : null}
    </span>
  )
}

export const CancelButton = ({ market, onDone }: Omit<Props, "levels">) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="button small" onClick={() => setOpen(true)}>
        Cancel entry<span class="hidden-words"> in {market.pair}</span>
      </button>
      {isOpen ? <CancelDialog market={market} onDone={onDone} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

const CancelDialog = ({
  market,
  onClose,
  onDone
}: {
  market: Market
  onClose: () => void
  onDone: () => void
}) => {
  const { strategy_id: id, ...payload } = market
  const preview = useQuery(`cancel ${id} ${JSON.stringify(payload)}`, (signal) =>
    call("positions", "cancel", { path: { id }, payload: { ...payload, preview: true }, headers: {}, signal })
  )
  const acting = useActing(
    JSON.stringify(payload),
    (headers) => call("positions", "cancel", { path: { id }, payload, headers }),
    closing({ onClose, onDone })
  )
  return (
    <HandDialog
      title={`Cancel the entry in ${market.pair}`}
      action="Cancel entry"
      exchange={market.exchange}
      acting={acting}
      preview={preview}
      onClose={onClose}
    />
  )
}
