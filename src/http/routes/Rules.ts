// The route that checks expressions of a rule.
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Api } from "../../api/Api.ts"
import type { RuleCheckView } from "../../api/rules/Rules.ts"
import * as RuleCheckRequest from "../../domain/requests/RuleCheckRequest.ts"
import * as RuleCheck from "../../services/internal/RuleCheck.ts"
import { refuse } from "../Problems.ts"
import { jsonOnly } from "../request/RecordBody.ts"
import * as Answers from "../views/Answers.ts"

/** The handlers. */
export const layer = HttpApiBuilder.group(Api, "rules", (handlers) =>
  handlers.handleRaw("check", ({ request }) =>
    refuse(
      Effect.gen(function* () {
        const { fields } = yield* jsonOnly(request)
        const found = RuleCheck.check(yield* RuleCheckRequest.parse(fields))
        return Answers.json(JSON.stringify(viewOf(found)), 200)
      })
    )
  )
)

const viewOf = ({ completions, findings }: RuleCheck.RuleCheck): RuleCheckView => ({
  expressions: findings.map(
    Either.match({
      onLeft: ({ column, text }) => ({ words: null, warmups: [], error: { column, text } }),
      onRight: ({ warmups, words }) => ({ words, warmups, error: null })
    })
  ),
  completions
})
