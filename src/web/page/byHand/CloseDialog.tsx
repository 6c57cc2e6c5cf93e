// Closes a position by hand, all of it or a part, and says before what that comes to.
import { useState } from "preact/hooks"
import { call } from "../client.ts"
import { NumberField } from "../parts/Field.tsx"
import { numberOf } from "../parts/reader/number.ts"
import { Amount, Money, Percent, Price } from "../parts/Value.tsx"
import { useQuery } from "../query.ts"
import { closing, type Market, type Result, useActing } from "./acting.ts"
import { HandDialog } from "./HandDialog.tsx"

/** How often the preview is read again, for its price. */
const EVERY_MS = 3_000

interface Props {
  readonly market: Market
  readonly onDone: () => void
  readonly onClose: () => void
}

export const CloseDialog = ({ market, onClose, onDone }: Props) => {
  const { strategy_id: id, ...place } = market
  const [typed, setTyped] = useState("100")
  const percent = numberOf(typed)
  const isWhole = percent !== undefined && percent > 0 && percent <= 100
  const payload = { ...place, percent: percent ?? 100 }
  const preview = useQuery(
    isWhole ? `close ${id} ${JSON.stringify(payload)}` : null,
    (signal) =>
      call("positions", "close", {
        path: { id },
        payload: { ...payload, preview: true },
        headers: {},
        signal
      }),
    { everyMs: EVERY_MS, on: ({ strategy_id }) => strategy_id === id }
  )
  const acting = useActing(
    JSON.stringify(payload),
    (headers) => call("positions", "close", { path: { id }, payload, headers }),
    closing({ onClose, onDone })
  )
  return (
    <HandDialog
      title={`Close ${market.pair}`}
      action={percent === 100 ? "Close all now" : `Close ${typed} % now`}
      exchange={market.exchange}
      acting={acting}
      preview={preview}
      isReady={isWhole}
      onClose={onClose}
      shown={({ plan }) => <Plan plan={plan} pair={market.pair} />}
    >
      <div class="close-part">
        <input
          type="range"
          min="1"
          max="100"
          step="1"
          aria-label="Part to close, in percent"
          disabled={acting.isLocked}
          value={isWhole ? percent : 100}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <NumberField
          label="Part to close"
          unit="%"
          value={typed}
          disabled={acting.isLocked}
          onValue={setTyped}
          errors={isWhole ? undefined : ["must be over 0 and at most 100"]}
        />
      </div>
    </HandDialog>
  )
}

/** The numbers of what closing comes to. */
const Plan = ({ pair, plan }: { pair: string; plan: Result["plan"] }) => {
  if (plan === null) return null
  const [base = "", quote = ""] = pair.split("/")
  return (
    <dl class="plan">
      <div>
        <dt>Closed</dt>
        <dd>
          <Amount value={plan.quantity} /> {base} at about <Price value={plan.price} />
        </dd>
      </div>
      <div>
        <dt>Fee</dt>
        <dd>
          <Money value={plan.fee} currency={quote} />
        </dd>
      </div>
      <div>
        <dt>P&L of it, after fees</dt>
        <dd>
          <Money value={plan.pnl} currency={quote} sign /> (<Percent value={plan.profit_pct} sign />)
        </dd>
      </div>
      <div>
        <dt>Left afterwards</dt>
        <dd>
          {plan.closes_all ? "nothing" : <Amount value={plan.left} />}
          {plan.rest_too_small ? ", because the rest would be under the market’s minimum" : ""}
        </dd>
      </div>
    </dl>
  )
}
