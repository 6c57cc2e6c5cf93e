// What an editor offers at a place of an expression: prices, parameters, functions with their inputs, and the outputs of
// the function before a point.
import { FUNCTION_NAMES, FUNCTIONS, functionOf } from "./Functions.ts"
import { KEYWORDS } from "./Names.ts"
import { PRICES } from "./Prices.ts"
import { MAX_CHARACTERS, NAMESPACES } from "./Syntax.ts"

/** One offer. `insert` replaces the text from `from` up to the place; `detail` is its form, `about` what it does. */
export interface Completion {
  readonly label: string
  readonly insert: string
  readonly from: number
  readonly detail: string
  readonly about: string
}

/** The offers at a place (characters before it) of a text that may be unfinished. */
export const complete = (
  text: string,
  place: number,
  params: ReadonlyMap<string, number>
): ReadonlyArray<Completion> => {
  const before = text.slice(0, Math.min(place, MAX_CHARACTERS))
  const word = /[A-Za-z_][A-Za-z0-9_]*$/.exec(before)?.[0] ?? ""
  const from = before.length - word.length
  const owner = before[from - 1] === "." ? ownerOf(before.slice(0, from - 1)) : undefined
  const offers = before[from - 1] !== "." || (owner !== undefined && NAMESPACES.has(owner))
  const all = offers ? [...prices(), ...paramOffers(params), ...functions(), ...keywords()] : outputsOf(owner)
  return all
    .filter(({ label }) => label.toLowerCase().startsWith(word.toLowerCase()))
    .map((offer) => ({ ...offer, from }))
}

type Offer = Omit<Completion, "from">

const prices = (): ReadonlyArray<Offer> =>
  Object.entries(PRICES).map(([name, about]) => ({ label: name, insert: name, detail: name, about }))

const paramOffers = (params: ReadonlyMap<string, number>): ReadonlyArray<Offer> =>
  [...params].map(([name, value]) => ({
    label: name,
    insert: name,
    detail: `${name} = ${value}`,
    about: "A parameter of this rule."
  }))

const functions = (): ReadonlyArray<Offer> =>
  FUNCTION_NAMES.map((name) => {
    const { about, outputs = [], parameters, rest } = FUNCTIONS[name]
    const inputs = parameters.map((it) =>
      it.fallback === undefined ? it.name : `${it.name} = ${it.fallback}`
    )
    const dots = rest === true ? ", ..." : ""
    const gives = outputs.length === 0 ? "" : ` .${outputs.join(" .")}`
    const insert = parameters.length === 0 ? name : `${name}(`
    return { label: name, insert, detail: `${name}(${inputs.join(", ")}${dots})${gives}`, about }
  })

const keywords = (): ReadonlyArray<Offer> =>
  KEYWORDS.filter((word) => !NAMESPACES.has(word)).map((word) => ({
    label: word,
    insert: word,
    detail: word,
    about: "A word of the language."
  }))

const outputsOf = (owner: string | undefined): ReadonlyArray<Offer> => {
  const found = owner === undefined ? undefined : functionOf(owner)
  if (found === undefined) return []
  const { outputs = [] } = FUNCTIONS[found]
  return outputs.map((name) => ({ label: name, insert: name, detail: `${found}(...).${name}`, about: "" }))
}

/** The function or prefix that ends a text: `macd` of `1 + macd(close, 12, (26), 9)`. */
const ownerOf = (text: string): string | undefined => {
  let end = text.trimEnd().length
  if (text[end - 1] === ")") {
    let open = 0
    do {
      end--
      if (text[end] === ")") open++
      if (text[end] === "(") open--
    } while (open > 0 && end > 0)
  }
  return /[A-Za-z_][A-Za-z0-9_]*\s*$/.exec(text.slice(0, end))?.[0].trim()
}
