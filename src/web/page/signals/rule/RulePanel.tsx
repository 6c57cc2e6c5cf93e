// The rule of a signal in words, on its owner's page.
import { GuidePage } from "../../parts/GuideLink.tsx"
import { Panel } from "../../parts/PageHead.tsx"
import { href } from "../../routes.ts"
import { useChecked } from "./checking.ts"
import { draftOf, type Rule } from "./draft.ts"
import { RuleEntry } from "./RuleEntry.tsx"
import { type RuleStatus, StatusTable } from "./StatusTable.tsx"

interface Props {
  readonly rule: Rule
  readonly signal: number
  readonly status: RuleStatus | undefined
}

export const RulePanel = ({ rule, signal, status }: Props) => {
  const draft = draftOf(rule)
  const { findings } = useChecked(draft, undefined)
  return (
    <Panel title="Rule">
      <p class="badges">
        <span class="quiet">
          Each closed {rule.timeframe} candle of {draft.markets.replaceAll("\n", "; ")}.{" "}
          <GuidePage page="signal-rules">How rules are written</GuidePage>
        </span>
      </p>
      {draft.entries.map((entry) => (
        <RuleEntry key={entry.key} entry={entry} findings={findings} />
      ))}
      {draft.times === "" ? null : <pre class="rule-text">{draft.times}</pre>}
      {draft.params === "" ? null : <p class="quiet">With {draft.params}.</p>}
      {status === undefined ? null : <StatusTable status={status} />}
      <div class="actions">
        <a class="button" href={href("signals", [signal, "edit"])}>
          Edit the rule
        </a>
      </div>
    </Panel>
  )
}
