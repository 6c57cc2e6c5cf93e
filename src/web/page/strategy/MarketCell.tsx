// The market of a table's row: its pair with the side and further badges, and the exchange below.
import type { ComponentChildren } from "preact"
import { Badge } from "../parts/Badge.tsx"

interface Sided {
  readonly exchange: string
  readonly kind: string
  readonly pair: string
  readonly side: string
  readonly children?: ComponentChildren
}

export const MarketCell = ({ children, exchange, kind, pair, side }: Sided) => (
  <>
    {pair} <Badge tone={side === "long" ? "good" : "bad"}>{side}</Badge>
    {children}
    <span class="under">
      {exchange}
      {kind === "swap" ? ", perpetual" : ""}
    </span>
  </>
)
