// One alert in full: as it was received, as it was understood, and each strategy's outcome. Bodies are shown as text,
// whatever they hold.

import type { ComponentChildren } from "preact"
import { Badge } from "../parts/Badge.tsx"
import { Reason } from "../parts/GuideLink.tsx"
import { Price, Sentence, Time } from "../parts/Value.tsx"
import { href } from "../routes.ts"
import type { Incoming } from "./Incoming.ts"
import { RuleOrigin } from "./RuleOrigin.tsx"

export const DOORS = {
  charting: "the charting webhook",
  alert: "the alert operation",
  rule: "the signal's own rule"
} as const

export const Details = ({ of }: { of: Incoming }) => (
  <div class="details columns">
    <section aria-label="As received">
      <h2 class="minor">As received</h2>
      {of.rule === undefined ? <Body text={of.body} /> : <RuleOrigin rule={of.rule} values={of.values} />}
      <p class="explain">
        {of.door === null ? "Alert" : `By ${DOORS[of.door]}, alert`} {of.id}
        {of.repeats === 0 ? "" : `, sent ${of.repeats + 1} times and acted on once`}. Secrets are hidden.
      </p>
      {of.warnings.map((warning) => (
        <p key={warning} class="notice warn">
          {warning}
        </p>
      ))}
    </section>
    <section aria-label="Understood as">
      <h2 class="minor">Understood as</h2>
      <dl class="understood">
        <Line name="type">{of.type}</Line>
        <Line name="coin">{of.coin}</Line>
        <Line name="quote_currency">{of.quote_currency}</Line>
        <Line name="tp">{of.tp === null ? "none" : <Price value={of.tp} />}</Line>
        <Line name="sl">{of.sl === null ? "none" : <Price value={of.sl} />}</Line>
      </dl>
    </section>
    <section aria-label="What strategies did">
      <h2 class="minor">What strategies did</h2>
      {of.outcomes.length === 0 ? (
        <p class="quiet">No strategy follows this signal, or none has decided yet.</p>
      ) : (
        <ul class="made">
          {of.outcomes.map((it) => (
            <li key={it.strategy_id}>
              <p>
                <Badge tone={it.outcome === "acted" ? "good" : "plain"}>
                  {it.outcome === "acted" ? "acted" : "ignored"}
                </Badge>{" "}
                {it.strategy_name === null ? (
                  <span class="quiet">a deleted strategy ({it.strategy_id})</span>
                ) : (
                  <a href={href("strategy", [it.strategy_id])}>{it.strategy_name}</a>
                )}
              </p>
              <p>
                <Sentence text={it.text} />{" "}
                <span class="quiet">
                  (<Reason reason={it.reason} />)
                </span>
              </p>
              <p class="quiet">
                <Time at={it.at} />
                {it.outcome === "acted" && it.strategy_name !== null ? (
                  <>
                    {": "}
                    <a href={href("strategy", [it.strategy_id], { tab: "orders", alert: of.id, at: it.at })}>
                      its order, price and trade
                    </a>
                  </>
                ) : null}
              </p>
            </li>
          ))}
          {of.has_more_outcomes ? (
            <li class="quiet">and more: see /v1/alerts/{of.id}, or the strategies themselves</li>
          ) : null}
        </ul>
      )}
    </section>
  </div>
)

/** The body of the request, as text. */
export const Body = ({ text }: { text: string | null }) =>
  text === null ? (
    <p class="quiet">The body was not stored.</p>
  ) : text === "" ? (
    <p class="quiet">The body was empty: the alert was in the URL.</p>
  ) : (
    <pre class="sent">{text}</pre>
  )

const Line = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt class="mono quiet">{name}</dt>
    <dd>{children}</dd>
  </div>
)
