// What the settings mean together, in sentences that follow what is typed.
import { type Stated, statementOf } from "../../../domain/requests/StrategyStatement.ts"
import { Panel } from "../parts/PageHead.tsx"

export const Statement = ({ of }: { of: Stated }) => (
  <Panel title="In words">
    <p class="statement">{statementOf(of).join(" ")}</p>
  </Panel>
)
