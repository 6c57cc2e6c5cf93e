// What is wrong with a rule, and where.

/**
 * An error of a rule: its field, as `on[0].when`, and within an expression the column, counted from 1. `expected` is the
 * part of the text that quotes nothing of the rule.
 */
export interface RuleError {
  readonly field: string
  readonly column?: number
  readonly text: string
  readonly expected: string
}

/** An error of a field that is no expression. */
export const errorAt = (field: string, text: string): RuleError => ({ field, text, expected: text })

/** The error as a sentence, without what the rule itself says. */
export const inWords = ({ column, expected, field }: RuleError): string => {
  // The names of params are the sender's own.
  const place = field.startsWith("params.") ? "params: a name" : field
  return `${place}${column === undefined ? "" : `: column ${column}:`} ${expected}`.trim()
}
