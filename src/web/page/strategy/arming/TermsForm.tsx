import type { ExchangeAccount } from "../../accounts.ts"
import type { Problem } from "../../Problem.ts"
import { NumberField, SelectField, SwitchField } from "../../parts/Field.tsx"
import { Notice } from "../../parts/Toast.tsx"
import type { Board } from "../board.ts"
import type { Draft, TermErrors } from "./draft.ts"

interface Props {
  readonly accounts: ReadonlyArray<ExchangeAccount>
  readonly board: Board
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
  readonly flaws: TermErrors
  readonly problem: Problem | undefined
  readonly busy: boolean
  readonly onSubmit: () => void
  readonly onClose: () => void
}

/** The terms on which a strategy is to trade with real money. */
export const TermsForm = (props: Props) => {
  const { accounts, board, draft, flaws: violations, onDraft, problem } = props
  const set = (change: Partial<Draft>) => onDraft({ ...draft, ...change })
  const isBesideField = Object.keys(violations).some((name) => name in draft)
  const amount = (name: "capital" | "max_order" | "max_daily_loss", label: string, explain: string) => (
    <NumberField
      label={label}
      name={name}
      unit={board.currency}
      value={draft[name]}
      onValue={(value) => set({ [name]: value })}
      errors={violations[name]}
      explain={explain}
    />
  )
  return (
    <form
      class="form form-narrow"
      aria-label="Trade with real money"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        props.onSubmit()
      }}
    >
      {problem === undefined || isBesideField ? null : <Notice tone="bad">{problem.message}</Notice>}
      <SelectField
        label="Exchange account"
        name="account"
        value={draft.account}
        onValue={(account) => set({ account })}
        errors={violations["account"]}
        explain={
          <>
            <code>signalbox account connect</code> on the machine that Signalbox runs on adds another.
          </>
        }
        options={[{ value: "", label: "Choose…" }, ...optionsOf(accounts, board)]}
      />
      {amount(
        "capital",
        "Capital",
        "What it begins with and trades with. Its performance begins anew; what it made on paper stays in the list of trades."
      )}
      {amount(
        "max_order",
        "Largest order",
        "The most that one entry may use up, fee included. A larger one is refused, and not made smaller."
      )}
      {amount(
        "max_daily_loss",
        "Largest loss of a day",
        "What a day by UTC may lose, realised and open together, before entries of all your strategies are halted. It sells nothing."
      )}
      <SwitchField
        label="Keep the stop loss at the exchange too"
        name="protective_stop"
        value={draft.protective_stop}
        onValue={(protective_stop) => set({ protective_stop })}
        errors={violations["protective_stop"]}
        explain="As an order of its own that rests there and moves with it, so that it works while this server is down."
      />
      <div class="actions">
        <button type="button" class="button" onClick={props.onClose}>
          Stay on paper
        </button>
        <button type="submit" class="button primary" disabled={props.busy}>
          {props.busy ? "Asking the exchange…" : "Go on"}
        </button>
      </div>
      <p class="explain">Nothing is armed by this: you are told first what it means.</p>
    </form>
  )
}

const optionsOf = (accounts: ReadonlyArray<ExchangeAccount>, { strategy }: Board) =>
  accounts.map(({ exchange, id, name, sandbox }) => {
    const isListed = strategy.exchanges.some(({ exchange_name }) => exchange_name === exchange)
    return {
      value: `${id}`,
      label: `${name}: ${exchange}${sandbox ? ", test network" : ""}${isListed ? "" : " (no pair of this strategy)"}`,
      disabled: !isListed
    }
  })
