// The messages to paste into a charting platform, for strategies and for single alerts.
import { CopyBlock } from "../parts/CopyButton.tsx"
import type { Answer } from "../wire.ts"

type Template = Answer<"records", "template">

export const Messages = ({ template: { alerts, strategy } }: { template: Template }) => (
  <>
    <p class="explain">
      Paste one of these into the message field of your alert. The platform replaces the placeholders in
      double braces.
    </p>
    <h3>For a strategy of the platform</h3>
    <p class="explain">{sentence(strategy.about)}</p>
    <CopyBlock label="All orders of a strategy" text={strategy.message} />
    <h3>For an alert on a price or an indicator</h3>
    {alerts.filter(isSpot).map(block)}
    <details>
      <summary>On the pair’s perpetual: long and short</summary>
      {alerts.filter((it) => !isSpot(it)).map(block)}
    </details>
  </>
)

const isSpot = ({ type }: Template["alerts"][number]) => type === "buy" || type === "sell"

const block = ({ about, message, type }: Template["alerts"][number]) => (
  <CopyBlock key={type} label={`${type.replace("_", " ")}: ${about}`} text={message} />
)

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
