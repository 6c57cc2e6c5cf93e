// Sets a position's targets by hand. An emptied field removes its target, and one that is not changed stays as it is.
import { useState } from "preact/hooks"
import { call } from "../client.ts"
import { NumberField } from "../parts/Field.tsx"
import { ambiguityHint, numberOf } from "../parts/reader/number.ts"
import { useQuery } from "../query.ts"
import { closing, type Market, useActing } from "./acting.ts"
import { HandDialog } from "./HandDialog.tsx"

interface Props {
  readonly market: Market
  /** The targets that are held. */
  readonly tp: number | undefined
  readonly sl: number | undefined
  readonly onDone: () => void
  readonly onClose: () => void
}

export const TargetsDialog = ({ market, onClose, onDone, sl, tp }: Props) => {
  const { strategy_id: id, ...place } = market
  const [texts, setTexts] = useState({ tp: shown(tp), sl: shown(sl) })
  const changes = {
    ...(texts.tp === shown(tp) ? {} : { tp: valueOf(texts.tp) }),
    ...(texts.sl === shown(sl) ? {} : { sl: valueOf(texts.sl) })
  }
  const wrong = (["tp", "sl"] as const).filter((name) => isWrong(texts[name]))
  const isReady = wrong.length === 0 && Object.keys(changes).length > 0
  const payload = { ...place, ...changes }
  const preview = useQuery(isReady ? `targets ${id} ${JSON.stringify(payload)}` : null, (signal) =>
    call("positions", "targets", {
      path: { id },
      payload: { ...payload, preview: true },
      headers: {},
      signal
    })
  )
  const acting = useActing(
    JSON.stringify(payload),
    (headers) => call("positions", "targets", { path: { id }, payload, headers }),
    closing({ onClose, onDone })
  )
  const field = (name: "tp" | "sl", label: string) => (
    <NumberField
      label={label}
      required={false}
      explain="A price; empty it to remove the target."
      value={texts[name]}
      disabled={acting.isLocked}
      onValue={(text) => setTexts({ ...texts, [name]: text })}
      errors={isWrong(texts[name]) ? [`must be a price above 0${ambiguityHint(texts[name])}`] : undefined}
    />
  )
  return (
    <HandDialog
      title={`Targets of ${market.pair}`}
      action="Set targets"
      exchange={market.exchange}
      acting={acting}
      preview={isReady ? preview : { ...preview, data: undefined, problem: undefined }}
      isReady={isReady}
      isIdle={!isReady}
      onClose={onClose}
    >
      {field("tp", "Take profit (tp)")}
      {field("sl", "Stop loss (sl)")}
    </HandDialog>
  )
}

const shown = (price: number | undefined): string => (price === undefined ? "" : String(price))
const valueOf = (text: string): number | null => numberOf(text) ?? null
const isWrong = (text: string): boolean => text.trim() !== "" && !((numberOf(text) ?? 0) > 0)
