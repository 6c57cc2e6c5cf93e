// The folded panel of a back-test's form that makes fills nearer to life.
import { useState } from "preact/hooks"
import { NumberField, SelectField, SwitchField } from "../parts/Field.tsx"
import { Panel } from "../parts/PageHead.tsx"
import type { Errors } from "../strategies/form.ts"
import { documentOf, type Typed } from "./fills.ts"

interface Props {
  readonly typed: Typed
  readonly onTyped: (typed: Partial<Typed>) => void
  readonly errors: Errors
}

export const FillsField = ({ errors, onTyped, typed }: Props) => {
  const [isOpen, setOpen] = useState(false)
  const isWrong = Object.keys(errors).some((field) => field.startsWith("fills."))
  return (
    <Panel title="Fills nearer to life">
      <p class="explain">
        {documentOf(typed) === undefined
          ? "Off: each order fills whole, at once, at the price of its decision."
          : "On: the result says so, with the values."}
      </p>
      <details
        class="settings"
        open={isOpen || isWrong}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary>Slippage, spread, latency, limits and funding</summary>
        <div class="form">
          <NumberField
            label="Slippage"
            name={typed.slippageIn === "percent" ? "fills.slippage_percent" : "fills.slippage_ticks"}
            value={typed.slippage}
            unit={typed.slippageIn === "percent" ? "%" : "steps"}
            placeholder="0"
            required={false}
            errors={errors["fills.slippage_percent"] ?? errors["fills.slippage_ticks"]}
            explain="How much worse than its price a market order fills."
            onValue={(slippage) => onTyped({ slippage })}
          />
          <SelectField
            label="Slippage in"
            value={typed.slippageIn}
            options={[
              { value: "percent", label: "percent of the price" },
              { value: "ticks", label: "steps of the market's price" }
            ]}
            onValue={(unit) => onTyped({ slippageIn: unit === "ticks" ? "ticks" : "percent" })}
          />
          <SelectField
            label="Spread between bid and ask"
            name="fills.spread"
            value={typed.spreadIn}
            options={[
              { value: "percent", label: "the same at all times" },
              { value: "recorded", label: "as the server recorded it" }
            ]}
            explain="Half of it counts against each market order."
            onValue={(spreadIn) => onTyped({ spreadIn: spreadIn === "recorded" ? "recorded" : "percent" })}
          />
          {typed.spreadIn === "recorded" ? null : (
            <NumberField
              label="Spread"
              name="fills.spread_percent"
              value={typed.spread}
              unit="%"
              placeholder="0"
              required={false}
              errors={errors["fills.spread_percent"]}
              explain="In percent of the price."
              onValue={(spread) => onTyped({ spread })}
            />
          )}
          <NumberField
            label="Latency"
            name="fills.latency_ms"
            value={typed.latency}
            unit="ms"
            whole
            placeholder="0"
            required={false}
            errors={errors["fills.latency_ms"]}
            explain="Market orders fill this much later, at the price of then."
            onValue={(latency) => onTyped({ latency })}
          />
          <SelectField
            label="Limit orders"
            name="fills.limits"
            value={typed.limits}
            options={[
              { value: "touched", label: "fill once the price touches them" },
              { value: "through", label: "fill only where the price goes through them" }
            ]}
            explain="Take profits and targets rest as limit orders."
            onValue={(limits) => onTyped({ limits: limits === "through" ? "through" : "touched" })}
          />
          <SwitchField
            label="Funding of perpetuals"
            name="fills.funding"
            value={typed.hasFunding}
            explain="At the stored rates: signalbox candles funding fetches them."
            onValue={(hasFunding) => onTyped({ hasFunding })}
          />
        </div>
      </details>
    </Panel>
  )
}
