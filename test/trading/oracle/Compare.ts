// The first difference between the program's answer to a case and the oracle's, in words.
import type { Case } from "./Case.ts"
import { type OracleAnswer, oracle } from "./Engine.ts"
import { program } from "./Program.ts"

const isSame = (ours: unknown, theirs: unknown): boolean => {
  if (typeof theirs === "number")
    return (
      typeof ours === "number" &&
      Math.abs(ours - theirs) <= 1e-9 * Math.max(1e-3, Math.abs(ours), Math.abs(theirs))
    )
  if (Array.isArray(theirs))
    return (
      Array.isArray(ours) &&
      ours.length === theirs.length &&
      theirs.every((each, index) => isSame(ours[index], each))
    )
  if (isFields(theirs))
    return isFields(ours) && Object.keys(theirs).every((key) => isSame(ours[key], theirs[key]))
  return ours === theirs
}
const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const listed = (name: string, ours: ReadonlyArray<object>, theirs: ReadonlyArray<object>) => {
  for (let index = 0; index < Math.max(ours.length, theirs.length); index++) {
    const our: object | undefined = ours[index]
    const their: object | undefined = theirs[index]
    if (our !== undefined && their !== undefined && isSame(our, their)) continue
    return `${name} ${index}: the program has ${shown(our, their)}, the oracle ${shown(their, our)}`
  }
  return undefined
}
/** The fields in which a row differs from another; all of it where there is no other. */
const shown = (row: object | undefined, other: object | undefined): string => {
  if (row === undefined) return "none"
  if (other === undefined || !isFields(other)) return JSON.stringify(row)
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(row).filter(([key, value]) => key in other && !isSame(value, other[key]))
    )
  )
}

export interface Verdict {
  readonly difference: string | undefined
  readonly isFragile: boolean
}

/** Compares the two answers to a case. */
export const compare = (one: Case): Verdict => {
  const theirs = oracle(one)
  return { difference: differenceOf(one, theirs), isFragile: theirs.isFragile }
}

const differenceOf = (one: Case, theirs: OracleAnswer): string | undefined => {
  let ours: ReturnType<typeof program>
  try {
    ours = program(one)
  } catch (cause) {
    return `the program failed: ${String(cause)}`
  }
  return (
    listed("trade", ours.trades, theirs.trades) ??
    listed("alert", ours.ignored, theirs.ignored) ??
    listed("position", ours.open, theirs.open) ??
    (ours.ambiguous_candles === theirs.ambiguous_candles
      ? undefined
      : `the program has ${ours.ambiguous_candles} ambiguous candles, the oracle ${theirs.ambiguous_candles}`)
  )
}
