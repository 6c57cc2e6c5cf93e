// An entry of a rule in words, above the expressions that say so.
import { AMOUNTS, type Finding, fieldOf, stepOf } from "./checking.ts"
import { type EntryDraft, stepsOf } from "./draft.ts"

/** Amounts as a reader finds them. */
const NAMES = { sl: "stop loss", tp: "take profit", size: "buy size", part: "part to close" } as const

interface Props {
  readonly entry: EntryDraft
  readonly findings: ReadonlyMap<string, Finding>
}

export const RuleEntry = ({ entry, findings }: Props) => {
  const wordsOf = (name: "when" | (typeof AMOUNTS)[number]) => findings.get(fieldOf(entry.key, name))?.words
  const amounts = AMOUNTS.filter((name) => entry[name] !== "")
  const steps = stepsOf(entry.steps)
  return (
    <div class="rule-words">
      <p>
        <strong>{entry.type.replace("_", " ")}</strong> when {wordsOf("when") ?? entry.when}
        {amounts.map((name) => (
          <span key={name}>
            ; {NAMES[name]}: {wordsOf(name) ?? entry[name]}
          </span>
        ))}
        {steps.map(({ percent, price }, index) => (
          <span key={stepOf(entry.key, index)}>
            ; takes {percent} % at {findings.get(stepOf(entry.key, index))?.words ?? price}
          </span>
        ))}
        {entry.reverse === "yes" ? "; closes the other side first" : ""}
      </p>
      <pre class="rule-text">
        {[
          entry.when,
          ...amounts.map((name) => `${NAMES[name]}: ${entry[name]}`),
          ...linesOf(entry.steps)
        ].join("\n")}
      </pre>
    </div>
  )
}

const linesOf = (text: string): ReadonlyArray<string> => (text === "" ? [] : text.split("\n"))
