// The templates as buttons above the form of a new strategy.
import { TEMPLATE_KEYS, TEMPLATES, type TemplateKey } from "../../../../domain/requests/StrategyTemplates.ts"

interface Props {
  /** The template that the form was filled with last. */
  readonly chosen: TemplateKey | undefined
  readonly onChoose: (key: TemplateKey) => void
  /** The address of the gallery. */
  readonly gallery: string
}

export const TemplateChoice = ({ chosen, gallery, onChoose }: Props) => (
  <fieldset class="panel form-group">
    <legend>
      <h2>Start from a template</h2>
    </legend>
    <p class="lead">
      Sets how it buys and sells; change anything below. <a href={gallery}>See each on a sample chart</a>
    </p>
    <div class="examples">
      {TEMPLATE_KEYS.map((key) => (
        <button
          key={key}
          type="button"
          class="example"
          aria-pressed={chosen === key}
          onClick={() => onChoose(key)}
        >
          <span class="strong">{TEMPLATES[key].title}</span>
          <span class="explain">{TEMPLATES[key].about}</span>
        </button>
      ))}
    </div>
  </fieldset>
)
