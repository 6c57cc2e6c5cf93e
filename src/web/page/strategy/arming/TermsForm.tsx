// The first step of arming: the form of the terms. Amounts have no defaults, because it is the user's money.

import type { ExchangeAccount } from "../../accounts.ts"
import type { Problem } from "../../Problem.ts"
import { NumberField, SelectField, SwitchField } from "../../parts/Field.tsx"
import { ProblemNotice } from "../../parts/GuideLink.tsx"
import type { Board } from "../board.ts"
import type { Draft, TermErrors } from "./draft.ts"

interface Props {
  readonly accounts: ReadonlyArray<ExchangeAccount>
  readonly board: Board
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
  readonly errors: TermErrors
  readonly problem: Problem | undefined
  readonly busy: boolean
  readonly onSubmit: () => void
  readonly onClose: () => void
}

export const TermsForm = (props: Props) => {
  const { accounts, board, draft, errors, onDraft, problem } = props
  const set = (change: Partial<Draft>) => onDraft({ ...draft, ...change })
  const isBesideField = Object.keys(errors).some((name) => name in draft)
  const amount = (name: "capital" | "max_order" | "max_daily_loss", label: string, explain: string) => (
    <NumberField
      label={label}
      name={name}
      unit={board.currency}
      value={draft[name]}
      onValue={(value) => set({ [name]: value })}
      errors={errors[name]}
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
      {problem === undefined || isBesideField ? null : <ProblemNotice problem={problem} />}
      <SelectField
        label="Exchange account"
        name="account"
        value={draft.account}
        onValue={(account) => set({ account })}
        errors={errors["account"]}
        explain={
          <>
            To add another, run <code>signalbox account connect</code> on the machine that runs Signalbox.
          </>
        }
        options={[{ value: "", label: "Choose…" }, ...optionsOf(accounts, board)]}
      />
      {amount(
        "capital",
        "Capital",
        "The money that it starts with and may use. Its performance starts at zero; paper trades stay in the list of trades."
      )}
      {amount(
        "max_order",
        "Largest order",
        "The most that one entry may cost, fee included. A larger entry is rejected, not reduced."
      )}
      {amount(
        "max_daily_loss",
        "Daily loss limit",
        "The loss of one UTC day, realised and open, that halts the entries of all your strategies. It closes nothing."
      )}
      <SwitchField
        label="Keep the stop loss at the exchange too"
        name="protective_stop"
        value={draft.protective_stop}
        onValue={(protective_stop) => set({ protective_stop })}
        errors={errors["protective_stop"]}
        explain="An order at the exchange that follows the stop loss, so that it works while this server is down."
      />
      <div class="actions">
        <button type="button" class="button" onClick={props.onClose}>
          Stay on paper
        </button>
        <button type="submit" class="button primary" disabled={props.busy}>
          {props.busy ? "Asking the exchange…" : "Continue"}
        </button>
      </div>
      <p class="explain">This arms nothing yet: the next step shows what it means.</p>
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
