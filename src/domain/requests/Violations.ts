// Violations of a request: the field and what it must be. All violations of one request are reported together, at most
// 100; their texts quote no value of the request.
import * as Schema from "effect/Schema"

/** One violation: the field, and what the sender must change. */
export interface Violation {
  readonly field: string
  readonly text: string
}

/** Makes a violation. */
export const violation = (field: string, text: string): Violation => ({ field, text })

/** The most violations in one answer; the sender learns of the others next time. */
export const MAX_VIOLATIONS = 100

/** The violations of a request by field, at most `MAX_VIOLATIONS`. */
export class Violations extends Schema.TaggedError<Violations>()("Violations", {
  errors: Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) })
}) {
  static of(violations: ReadonlyArray<Violation>): Violations {
    const texts = new Map<string, Set<string>>()
    for (const { field, text } of violations.slice(0, MAX_VIOLATIONS)) {
      const known = texts.get(field)
      if (known === undefined) texts.set(field, new Set([text]))
      else known.add(text)
    }
    return new Violations({ errors: Object.fromEntries([...texts].map(([field, set]) => [field, [...set]])) })
  }

  override get message() {
    const fields = Object.keys(this.errors)
    const [first = ""] = fields
    const text = `${first} ${this.errors[first]?.[0] ?? "is not valid"}`
    return fields.length > 1 ? `${text} (and ${fields.length - 1} more)`.slice(0, 200) : text.slice(0, 200)
  }
}
