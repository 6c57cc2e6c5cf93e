// The result of a test alert: what each strategy would do.

import { detailsText } from "../../../domain/alert/InstructionText.ts"
import { Badge, type Tone } from "../parts/Badge.tsx"
import { Reason } from "../parts/GuideLink.tsx"
import { Notice } from "../parts/Toast.tsx"
import { Price, Sentence } from "../parts/Value.tsx"
import { href } from "../routes.ts"
import type { Answer } from "../wire.ts"

/** The response to a test alert. */
export type Verdict = Extract<Answer<"alert", "alert">, { readonly test: true }>

/** Parses a test's response; undefined if the server took it for a real alert. */
export const verdictOf = (text: string): Verdict | undefined => {
  const answer: Answer<"alert", "alert"> = JSON.parse(text)
  return "test" in answer ? answer : undefined
}

const WOULD: Readonly<Record<Verdict["outcomes"][number]["outcome"], readonly [string, Tone]>> = {
  acted: ["would act", "good"],
  ignored: ["would ignore it", "plain"],
  waits: ["would wait", "warn"]
}

export const Tested = ({ verdict: { alert, outcomes }, signal }: { verdict: Verdict; signal: number }) => (
  <section class="tested" aria-label="What would happen">
    <h3>What would happen</h3>
    <p>
      Understood as{" "}
      <span class="strong">
        {alert.type.replace("_", " ")} {alert.coin}/{alert.quote_currency}
      </span>
      {alert.tp === null ? null : (
        <>
          , take profit <Price value={alert.tp} />
        </>
      )}
      {alert.sl === null ? null : (
        <>
          , stop loss <Price value={alert.sl} />
        </>
      )}
      {detailsText(alert).map((text) => `; it ${text}`)}. Nothing was stored, ordered or changed.
    </p>
    {alert.signal_id === signal ? null : (
      <Notice tone="warn">The message names signal {alert.signal_id}, not this one.</Notice>
    )}
    {alert.warnings.map((warning) => (
      <Notice key={warning} tone="warn">
        {warning}
      </Notice>
    ))}
    {outcomes.length === 0 ? (
      <Notice>
        No strategy of yours follows this signal, so nothing would happen.{" "}
        <a href={href("strategies", ["new"])}>Create a strategy</a> that follows it.
      </Notice>
    ) : (
      <ul class="verdicts">
        {outcomes.map(({ name, outcome, reason, steps, strategy_id, text }) => (
          <li key={strategy_id}>
            <p class="badges">
              <Badge tone={WOULD[outcome][1]}>{WOULD[outcome][0]}</Badge>
              <a href={href("strategy", [strategy_id])}>{name}</a>
            </p>
            <p>
              <Sentence text={text} />
              {reason === null ? null : (
                <span class="quiet">
                  {" "}
                  (<Reason reason={reason} />)
                </span>
              )}
            </p>
            {steps.length === 0 ? null : (
              <ul class="bullets">
                {steps.map((step) => (
                  <li key={step}>{step}</li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    )}
  </section>
)
