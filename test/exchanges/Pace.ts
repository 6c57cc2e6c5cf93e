import type { Line } from "./Protocol.ts"

/** Counts what each line says; the function tells whether this one is one too many within the last `ms`. */
export const pace = (most: number, ms: number) => {
  const said = new WeakMap<Line, ReadonlyArray<number>>()
  return (line: Line, now: number): boolean => {
    const recent = (said.get(line) ?? []).filter((at) => at > now - ms)
    said.set(line, [...recent, now])
    return recent.length >= most
  }
}
