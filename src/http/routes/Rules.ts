// The routes of rules: checking expressions for an editor, and the chart of a signal's rule.
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Api } from "../../api/Api.ts"
import type { RuleCheckView } from "../../api/rules/Rules.ts"
import { Caller } from "../../api/shared/Security.ts"
import * as RuleCheckRequest from "../../domain/requests/RuleCheckRequest.ts"
import * as RuleCharts from "../../services/feeds/RuleCharts.ts"
import { Venues } from "../../services/feeds/Venues.ts"
import * as RuleCheck from "../../services/internal/RuleCheck.ts"
import { refuse } from "../Problems.ts"
import * as DashboardQuery from "../request/DashboardQuery.ts"
import { jsonOnly } from "../request/RecordBody.ts"
import * as Answers from "../views/Answers.ts"
import { ruleChartView } from "../views/RuleCharts.ts"

/** The handlers. */
export const layer = HttpApiBuilder.group(Api, "rules", (handlers) =>
  Effect.gen(function* () {
    const chartOf = yield* RuleCharts.make
    const venues = yield* Venues
    return handlers
      .handleRaw("check", ({ request }) =>
        refuse(
          Effect.gen(function* () {
            const { fields } = yield* jsonOnly(request)
            const found = RuleCheck.check(yield* RuleCheckRequest.parse(fields))
            return Answers.json(JSON.stringify(viewOf(found)), 200)
          })
        )
      )
      .handleRaw("chart", ({ path, urlParams }) =>
        refuse(
          Effect.gen(function* () {
            const { account } = yield* Caller
            const drawn = yield* chartOf(account, path.id, DashboardQuery.ruleChart(urlParams, venues))
            return Answers.json(JSON.stringify(ruleChartView(drawn)), 200)
          })
        )
      )
  })
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
