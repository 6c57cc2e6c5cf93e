// The settings that `--set` changes, named and checked as in the grid of a sweep.
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { fields, type Value } from "../../trading/sweep/SweepGrid.ts"
import { parse } from "../../trading/sweep/SweepGridFile.ts"
import { type UsageError, usage } from "../program/usage.ts"

/** The changes as fields of a request. */
export const changesOf = (
  texts: ReadonlyArray<string>
): Effect.Effect<Readonly<Record<string, Value>>, UsageError> => {
  if (texts.length === 0) return usage("--set names a setting and its value: --set stop_loss_percentage=3")
  const grid: Record<string, ReadonlyArray<unknown>> = Object.create(null)
  for (const text of texts) {
    const at = text.indexOf("=")
    const [name, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()]
    if (at <= 0) return usage("--set takes a setting and its value: --set stop_loss_percentage=3")
    if (name in grid) return usage(`--set names ${name} twice`)
    grid[name] = [valueOf(value)]
  }
  return Either.match(parse({ ...grid }), {
    onLeft: (text) => usage(`--set: ${text.replace("[0]", "")}`),
    onRight: (found) => Effect.succeed(fields(found, 0))
  })
}

/** JSON, or a word that stands for itself. An empty value is none. */
const valueOf = (text: string): unknown => {
  if (text === "") return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
