// The Strategies page's routes: the list, `templates`, `new`, and `12/edit`.
import { templateKey } from "../../../domain/requests/StrategyTemplates.ts"
import type { PageProps } from "../routes.ts"
import { Create, Edit } from "./EditPage.tsx"
import { List } from "./List.tsx"
import { Gallery } from "./templates/Gallery.tsx"

export const Strategies = ({ rest, query }: PageProps) => {
  const [first, second] = rest
  if (first === undefined) return <List query={query} />
  const signal = idOf(query["signal"])
  if (first === "templates") return <Gallery signal={signal} />
  if (first === "new")
    return <Create copyOf={idOf(query["copy"])} signal={signal} template={templateKey(query["template"])} />
  const id = idOf(first)
  return id !== undefined && second === "edit" ? <Edit id={id} /> : <List query={query} />
}

const idOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
