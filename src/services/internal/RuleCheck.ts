// What an editor is told of a rule's expressions: what is wrong and where, or what each says in words and needs.
import * as Either from "effect/Either"
import type { Timeframe } from "../../domain/candles/Timeframe.ts"
import type { RuleCheckRequest } from "../../domain/requests/RuleCheckRequest.ts"
import * as Expression from "../../domain/signalRule/Expression.ts"
import { type Warmup, warmupsOf } from "../../trading/signalRule/Warmups.ts"

/** An expression without errors, in words, with the candles that it needs. */
export interface Understood {
  readonly type: Expression.Type
  readonly words: string
  readonly warmups: ReadonlyArray<Warmup>
}

/** What is known of an expression. */
export type Finding = Either.Either<Understood, Expression.ExpressionError>

/** Findings by expression, and what may stand at the cursor. */
export interface RuleCheck {
  readonly findings: ReadonlyArray<Finding>
  readonly completions: ReadonlyArray<Expression.Completion>
}

/** The most completions of an answer. */
const MAX_COMPLETIONS = 30

/** Checks the expressions of a request. */
export const check = ({ complete, expressions, params = {}, timeframe }: RuleCheckRequest): RuleCheck => {
  const known = new Map(Object.entries(params))
  return {
    findings: expressions.map(({ text, type }) => explain(text, type, { params: known, timeframe })),
    completions:
      complete === undefined
        ? []
        : Expression.complete(complete.text, Math.max(0, complete.place), known).slice(0, MAX_COMPLETIONS)
  }
}

/** One expression. */
export const explain = (
  text: string,
  type: Expression.Type,
  surroundings: Expression.Surroundings & { readonly timeframe: Timeframe }
): Finding =>
  Either.map(Expression.read(text, type, surroundings), (checked) => ({
    type,
    words: Expression.describe(checked),
    warmups: warmupsOf([checked], surroundings.timeframe)
  }))
