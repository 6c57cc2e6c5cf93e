// The templates of strategies: what each does, in words and on a sample chart.
import { statementOf } from "../../../../domain/requests/StrategyStatement.ts"
import { TEMPLATE_KEYS, TEMPLATES, type TemplateKey } from "../../../../domain/requests/StrategyTemplates.ts"
import { PageHead } from "../../parts/PageHead.tsx"
import { href } from "../../routes.ts"
import { SampleChart } from "./SampleChart.tsx"

/** `signal` is the signal that the new strategy is to follow. */
export const Gallery = ({ signal }: { signal: number | undefined }) => (
  <>
    <PageHead
      title="Templates"
      lead="Ways to trade, each on real prices of the past. A template sets how it buys and sells; pairs, signal and every number are yours to choose."
    >
      <a class="button" href={href("strategies", ["new"], { signal })}>
        Start without a template
      </a>
    </PageHead>
    <div class="gallery">
      {TEMPLATE_KEYS.map((key) => (
        <Card key={key} template={key} signal={signal} />
      ))}
    </div>
    <p class="explain">
      A sample shows what a template does, not what it earns: other prices and other alerts give other
      results. Try yours on the page <a href={href("backtest")}>Back-test</a> first.
    </p>
  </>
)

const Card = ({ signal, template }: { template: TemplateKey; signal: number | undefined }) => {
  const { about, settings, title } = TEMPLATES[template]
  return (
    <section class="panel template" aria-label={title}>
      <h2>{title}</h2>
      <p>{about}</p>
      <SampleChart template={template} />
      <ul class="template-settings">
        {statementOf(settings).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <a
        class="button primary"
        href={href("strategies", ["new"], { template, signal })}
        aria-label={`Use this template: ${title}`}
      >
        Use this template
      </a>
    </section>
  )
}
