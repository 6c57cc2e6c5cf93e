import * as Option from "effect/Option"

/** The fields of a request as they came: texts of a form, or the values of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>

/** Whether a value is an object with fields: neither null nor an array. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The fields of a form; none where its percent signs do not make UTF-8 text. Never throws. */
export const read = (text: string): Option.Option<Fields> => {
  const fields = collect(new URLSearchParams(text))
  const broken = text.includes("%") && Object.values(fields).some((value) => String(value).includes("\uFFFD"))
  return broken && !/\uFFFD|%EF%BF%BD/i.test(text) ? Option.none() : Option.some(fields)
}

/** The entries of a form as fields. A name that comes again with another value holds a list, which no field takes. */
export const collect = (entries: Iterable<readonly [string, unknown]>): Fields => {
  const fields: Record<string, unknown> = Object.create(null)
  // Lists are added to in place: copied with each entry they would cost the square of their length.
  const lists = new Map<string, Array<unknown>>()
  for (const [name, value] of entries) {
    const list = lists.get(name)
    if (list !== undefined) list.push(value)
    else if (!(name in fields)) fields[name] = value
    else if (fields[name] !== value) {
      const begun = [fields[name], value]
      lists.set(name, begun)
      fields[name] = begun
    }
  }
  return fields
}
