// The difference between two reports, as a review shows it.

/** Removed lines with `-` and added ones with `+`, each below its module. */
export const difference = (before: string, after: string): ReadonlyArray<string> => {
  const old = sections(before)
  const young = sections(after)
  return [...new Set([...old.keys(), ...young.keys()])].flatMap((name) => {
    const gone = less(old.get(name) ?? [], young.get(name) ?? [])
    const come = less(young.get(name) ?? [], old.get(name) ?? [])
    const lines = [...gone.map((line) => `-${line}`), ...come.map((line) => `+${line}`)]
    return lines.length === 0 ? [] : [name, ...lines]
  })
}

const sections = (text: string): ReadonlyMap<string, ReadonlyArray<string>> =>
  new Map(
    text.split(/\n(?=\S)/).flatMap((section) => {
      const [name = "", ...lines] = section.split("\n")
      return name === "" ? [] : [[name, lines.filter((line) => line !== "")]]
    })
  )

/** The lines of one text that the other lacks, as often as they are missing. */
const less = (some: ReadonlyArray<string>, others: ReadonlyArray<string>): ReadonlyArray<string> => {
  const left = new Map<string, number>()
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1)
  return some.filter((line) => {
    const count = left.get(line) ?? 0
    left.set(line, count - 1)
    return count <= 0
  })
}
