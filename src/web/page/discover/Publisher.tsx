// Who publishes: the chosen display name, and the number that tells two publishers of one name apart. The number stands in
// a badge, which no name can imitate.
import { Badge } from "../parts/Badge.tsx"
import { Foreign } from "./Foreign.tsx"
import type { Line } from "./record.ts"

export const Publisher = ({ of: { name, number } }: { of: Line["publisher"] }) => (
  <span class="publisher" title="Anybody can choose any name; the number belongs to one publisher for ever">
    <Foreign text={name} most={40} /> <Badge>publisher {number}</Badge>
  </span>
)
