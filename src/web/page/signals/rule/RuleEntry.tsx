// An entry of a rule in words, above the expressions that say so.
import { AMOUNTS, type Finding, fieldOf } from "./checking.ts"
import type { EntryDraft } from "./draft.ts"

/** Amounts as a reader finds them. */
const NAMES = { sl: "stop loss", tp: "take profit", size: "buy size", part: "part to close" } as const

interface Props {
  readonly entry: EntryDraft
  readonly findings: ReadonlyMap<string, Finding>
}

export const RuleEntry = ({ entry, findings }: Props) => {
  const wordsOf = (name: "when" | (typeof AMOUNTS)[number]) => findings.get(fieldOf(entry.key, name))?.words
  const amounts = AMOUNTS.filter((name) => entry[name] !== "")
  return (
    <div class="rule-words">
      <p>
        <strong>{entry.type.replace("_", " ")}</strong> when {wordsOf("when") ?? entry.when}
        {amounts.map((name) => (
          <span key={name}>
            ; {NAMES[name]}: {wordsOf(name) ?? entry[name]}
          </span>
        ))}
      </p>
      <pre class="rule-text">
        {[entry.when, ...amounts.map((name) => `${NAMES[name]}: ${entry[name]}`)].join("\n")}
      </pre>
    </div>
  )
}
