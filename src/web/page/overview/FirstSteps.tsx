// The steps from a signal to the first trade, shown until there is something to see.
import { GuidePage } from "../parts/GuideLink.tsx"
import { Panel } from "../parts/PageHead.tsx"
import { href } from "../routes.ts"
import type { Glance } from "./Glance.ts"

export const FirstSteps = ({ glance: { alerts_today, signals, strategies } }: { glance: Glance }) => {
  const steps = [
    {
      done: signals.total > 0,
      title: "Create a signal",
      text: "A named source of buy and sell alerts. Its page has the address and the messages to paste into your charting platform.",
      link: href("signals", ["new"]),
      action: "Create a signal"
    },
    {
      done: strategies.total > 0,
      title: "Create a strategy that follows it",
      text: "It says how much to buy, when to sell, and how to protect positions. It trades on paper, at real prices.",
      link: href("strategies", ["new"]),
      action: "Create a strategy"
    },
    {
      done: alerts_today.received > 0,
      title: "Send an alert",
      text: "A test alert from the signal’s page shows what every strategy would do, without doing it. A real one makes the first trade: with a webhook address the page has a command that sends one.",
      link: href("signals"),
      action: "Go to the signals"
    }
  ]
  const next = steps.find(({ done }) => !done)
  return (
    <Panel title="First steps" actions={<GuidePage page="first-steps">Step by step</GuidePage>}>
      <ol class="steps">
        {steps.map((step) => (
          <li key={step.title} class={step.done ? "done" : ""}>
            <div>
              <h3>
                {step.title}
                {step.done ? <span class="hidden-words"> (done)</span> : null}
              </h3>
              <p class="quiet">{step.text}</p>
              {step === next ? (
                <a class="button primary" href={step.link}>
                  {step.action}
                </a>
              ) : null}
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
