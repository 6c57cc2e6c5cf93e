// Badges that show whether a strategy trades with real money, on a test network, or has a problem. Paper has none.
import { type ExchangeAccount, isSandbox } from "../accounts.ts"
import type { Answer } from "../wire.ts"
import { Badge } from "./Badge.tsx"

type Trading = Answer<"dashboard", "strategy">["trading"]

interface Props {
  readonly of: Trading
  readonly accounts: ReadonlyArray<ExchangeAccount> | undefined
}

export const TradingBadges = ({ of, accounts }: Props) =>
  of.mode === "paper" ? null : (
    <>
      <MoneyBadge account={of.account} accounts={accounts} />
      {of.mode === "leaving" ? <Badge tone="warn">disarming</Badge> : null}
      {of.stopped_today ? <Badge tone="warn">stopped today</Badge> : null}
      {of.astray > 0 ? <Badge tone="bad">not at exchange</Badge> : null}
    </>
  )

/** The badge of an account; none on paper. */
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
