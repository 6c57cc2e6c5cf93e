import { type ExchangeAccount, isSandbox } from "../accounts.ts"
import type { Answer } from "../wire.ts"
import { Badge } from "./Badge.tsx"

type Trading = Answer<"dashboard", "strategy">["trading"]

interface Props {
  readonly of: Trading
  readonly accounts: ReadonlyArray<ExchangeAccount> | undefined
}

/** How a strategy trades where it is more than paper, and what is wrong with that. */
export const TradingBadges = ({ of, accounts }: Props) =>
  of.mode === "paper" ? null : (
    <>
      <MoneyBadge account={of.account} accounts={accounts} />
      {of.mode === "leaving" ? <Badge tone="warn">leaving</Badge> : null}
      {of.stopped_today ? <Badge tone="warn">stopped today</Badge> : null}
      {of.astray > 0 ? <Badge tone="bad">astray</Badge> : null}
    </>
  )

/** Whose money it is; nothing on paper. */
export const MoneyBadge = ({
  account,
  accounts
}: {
  account: number | null
  accounts: ReadonlyArray<ExchangeAccount> | undefined
}) =>
  account === null ? null : isSandbox(account, accounts) ? (
    <Badge tone="sandbox">SANDBOX</Badge>
  ) : (
    <Badge tone="real">LIVE</Badge>
  )
