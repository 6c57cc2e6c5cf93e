// The source of prices, as `--prices` names it: `live` (streaming from the exchanges), `none`, or `replay:PATH`.
import * as Option from "effect/Option"

/** The source of prices. */
export type PriceSource =
  | { readonly _tag: "Live" }
  | { readonly _tag: "None" }
  | { readonly _tag: "Replay"; readonly path: string }

/** Parses the option; none if the text is unknown. */
export const parse = (text: string): Option.Option<PriceSource> => {
  if (text === "live") return Option.some({ _tag: "Live" })
  if (text === "none") return Option.some({ _tag: "None" })
  return text.startsWith("replay:") && text.length > 7
    ? Option.some({ _tag: "Replay", path: text.slice(7) })
    : Option.none()
}
