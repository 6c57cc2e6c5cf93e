// Fills nearer to life as one text, such as `slippage=0.05%,latency=500ms`: on the command line and in settings.
import * as Either from "effect/Either"
import { type FillModel, type FillModelDocument, ofDocument } from "./FillModel.ts"
import {
  isLatency,
  isPercent,
  isTicks,
  LATENCY_WORDS,
  PERCENT_WORDS,
  plain,
  TICKS_WORDS
} from "./FillWords.ts"

/** The form of the text, for error messages and help. */
export const FORM =
  "slippage=0.05% or slippage=2ticks, spread=0.02% or spread=recorded, latency=500ms, limits=through, funding=on, separated by commas"

/** Reads a text such as `slippage=0.05%,latency=500ms`: the model, none if it is all off, or what is wrong with it. */
export const ofText = (text: string): Either.Either<FillModel | undefined, string> => {
  let document: FillModelDocument = {}
  const named = new Set<string>()
  for (const part of text.split(",")) {
    if (part.trim() === "") continue
    const [name = "", value = "", ...rest] = part.split("=").map((word) => word.trim().toLowerCase())
    const found = rest.length > 0 ? undefined : readPart(name, value)
    if (found === undefined) return Either.left(`takes ${FORM}`)
    if (typeof found === "string") return Either.left(`${name} ${found}`)
    if (named.has(name)) return Either.left(`names ${name} twice`)
    named.add(name)
    document = { ...document, ...found }
  }
  return Either.mapLeft(ofDocument(document), ({ text }) => text)
}

const readPart = (name: string, value: string): FillModelDocument | string | undefined => {
  switch (name) {
    case "slippage":
      return value.endsWith("%")
        ? numbered(value, "%", { is: isPercent, words: PERCENT_WORDS }, (slippage_percent) => ({
            slippage_percent
          }))
        : numbered(value, "tick", { is: isTicks, words: TICKS_WORDS }, (slippage_ticks) => ({
            slippage_ticks
          }))
    case "spread":
      if (value === "recorded") return { spread: value }
      return numbered(value, "%", { is: isPercent, words: PERCENT_WORDS }, (spread_percent) => ({
        spread_percent
      }))
    case "latency":
      return numbered(value, "ms", { is: isLatency, words: LATENCY_WORDS }, (latency_ms) => ({ latency_ms }))
    case "limits":
      return value === "through" || value === "touched" ? { limits: value } : undefined
    case "funding":
      return value === "on" || value === "off" ? { funding: value === "on" } : undefined
    default:
      return undefined
  }
}

/** A number with its unit; ticks may be singular or plural. */
const numbered = (
  value: string,
  unit: "%" | "ms" | "tick",
  bound: { readonly is: (value: number) => boolean; readonly words: string },
  made: (value: number) => FillModelDocument
): FillModelDocument | string | undefined => {
  const found = NUMBER.exec(value)
  const written = found?.[2]?.replace(/^ticks$/, "tick")
  if (found === null || written !== unit) return undefined
  const number = Number(found[1])
  return bound.is(number) ? made(number) : bound.words
}

const NUMBER = /^(\d+(?:\.\d+)?)\s*(%|ms|ticks?)$/

/** The text that `ofText` reads. */
export const textOf = (model: FillModel): string => {
  const { funding, latencyMs, limits, slippagePercent, slippageTicks, spread, spreadPercent } = model
  return [
    slippagePercent === undefined ? "" : `slippage=${plain(slippagePercent)}%`,
    slippageTicks === undefined ? "" : `slippage=${slippageTicks}ticks`,
    spreadPercent === undefined ? "" : `spread=${plain(spreadPercent)}%`,
    spread === undefined ? "" : `spread=${spread}`,
    latencyMs === undefined ? "" : `latency=${latencyMs}ms`,
    limits === undefined ? "" : `limits=${limits}`,
    funding === undefined ? "" : "funding=on"
  ]
    .filter((part) => part !== "")
    .join(",")
}
