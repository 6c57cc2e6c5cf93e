// What the trades of a record made, on paper and with real money, which are never added together.
import { Badge } from "../parts/Badge.tsx"
import { counted } from "../parts/format.ts"
import { Percent } from "../parts/Value.tsx"
import type { Line } from "./record.ts"

type Both = Line["record"]["overall"]

export const Standings = ({ of: { paper, real } }: { of: Both }) =>
  paper === null && real === null ? (
    <span class="quiet">no trade yet</span>
  ) : (
    <>
      <Made of={real} on="real money" />
      <Made of={paper} on="on paper" />
    </>
  )

const Made = ({ of, on }: { of: Both["paper"]; on: string }) =>
  of === null ? null : (
    <span class="standing">
      <Percent value={of.return_pct} sign />
      <span class="under">
        {counted(of.trades, "trade")}, {on}
      </span>
    </span>
  )

export const ModeBadge = ({ mode }: { mode: "paper" | "real" }) =>
  mode === "real" ? <Badge tone="real">real money</Badge> : <Badge>paper</Badge>
