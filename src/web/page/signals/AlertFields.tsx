// The fields of an alert that is sent by hand. Those that go with some types only appear with them.
import type { AlertType } from "../../../domain/Alert.ts"
import { EXTRA_NAMES, goesWith } from "../../../domain/alert/AlertExtras.ts"
import { NumberField, SelectField, SwitchField, TextField } from "../parts/Field.tsx"
import { TYPES, type Typed } from "./alert.ts"

const ALWAYS: ReadonlyArray<string> = ["type", "coin", "quote_currency", "tp", "sl"]

/** Whether the form shows a field of a request with a type. */
export const isShown = (name: string, type: AlertType): boolean =>
  ALWAYS.includes(name) || EXTRA_NAMES.some((extra) => extra === name && goesWith(extra, type))

interface Props {
  readonly typed: Typed
  readonly errors: Readonly<Record<string, ReadonlyArray<string>>>
  readonly onTyped: (typed: Typed) => void
}

export const AlertFields = (props: Props) => {
  const { errors, onTyped, typed } = props
  const set = (change: Partial<Typed>) => onTyped({ ...typed, ...change })
  return (
    <div class="fields">
      <SelectField
        name="type"
        label="Type"
        value={typed.type}
        onValue={(chosen) => set({ type: TYPES.find((type) => type === chosen) ?? typed.type })}
        errors={errors["type"]}
        options={TYPES.map((value) => ({ value, label: value.replace("_", " ") }))}
        explain="Buy and sell act on spot, the others on the pair’s perpetual."
      />
      <TextField
        name="coin"
        label="Coin"
        value={typed.coin}
        onValue={(coin) => set({ coin })}
        errors={errors["coin"]}
        explain="What is bought or sold, such as BTC."
      />
      <TextField
        name="quote_currency"
        label="Quote currency"
        value={typed.quote}
        onValue={(quote) => set({ quote })}
        errors={errors["quote_currency"]}
        explain="What it is paid with, such as USDT."
      />
      <NumberField
        name="tp"
        label="Take profit"
        required={false}
        value={typed.tp}
        onValue={(tp) => set({ tp })}
        errors={errors["tp"]}
        explain="A price: replaces the strategy’s own take profit."
      />
      <NumberField
        name="sl"
        label="Stop loss"
        required={false}
        value={typed.sl}
        onValue={(sl) => set({ sl })}
        errors={errors["sl"]}
        explain="A price: replaces the strategy’s own stop loss."
      />
      {goesWith("close_percent", typed.type) ? <ClosingFields {...props} /> : <OpeningFields {...props} />}
    </div>
  )
}

const ClosingFields = ({ errors, onTyped, typed }: Props) => (
  <NumberField
    name="close_percent"
    label="Part to close"
    unit="%"
    required={false}
    value={typed.closePercent}
    onValue={(closePercent) => onTyped({ ...typed, closePercent })}
    errors={errors["close_percent"]}
    explain="The percentage of what is held now; empty closes all of it."
  />
)

const OpeningFields = ({ errors, onTyped, typed }: Props) => (
  <>
    <TextField
      name="tps"
      label="Targets in steps"
      required={false}
      value={typed.tps}
      onValue={(tps) => onTyped({ ...typed, tps })}
      errors={errors["tps"]}
      explain="In place of the take profit: a price and the percentage to close there, such as 62000 50; 65000 50."
    />
    <NumberField
      name="buy_percentage"
      label="Buy size"
      unit="%"
      required={false}
      value={typed.buyPercentage}
      onValue={(buyPercentage) => onTyped({ ...typed, buyPercentage })}
      errors={errors["buy_percentage"]}
      explain="The percentage of the balance: replaces the strategy’s own buy size."
    />
    {goesWith("reverse", typed.type) ? (
      <SwitchField
        name="reverse"
        label="Turn"
        value={typed.reverse}
        onValue={(reverse) => onTyped({ ...typed, reverse })}
        errors={errors["reverse"]}
        explain="Closes the pair’s other side first, and then opens."
      />
    ) : null}
  </>
)
