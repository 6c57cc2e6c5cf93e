import * as Schema from "effect/Schema"

/** One broken rule: the request field it is about, and what its sender must change. */
export interface Violation {
  readonly field: string
  readonly text: string
}

/** One broken rule: the request's field, and what it must be. */
export const violation = (field: string, text: string): Violation => ({ field, text })

/** All rules that one request breaks, by request field. Nothing of the request is in the texts. */
export class Violations extends Schema.TaggedError<Violations>()("Violations", {
  errors: Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) })
}) {
  static of(violations: ReadonlyArray<Violation>): Violations {
    const texts = new Map<string, ReadonlySet<string>>()
    for (const { field, text } of violations) texts.set(field, new Set([...(texts.get(field) ?? []), text]))
    return new Violations({ errors: Object.fromEntries([...texts].map(([field, set]) => [field, [...set]])) })
  }

  override get message() {
    const fields = Object.keys(this.errors)
    const [first = ""] = fields
    const text = `${first} ${this.errors[first]?.[0] ?? "is not valid"}`
    return fields.length > 1 ? `${text} (and ${fields.length - 1} more)`.slice(0, 200) : text.slice(0, 200)
  }
}
