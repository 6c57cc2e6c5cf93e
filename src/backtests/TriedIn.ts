// A what-if in a child process: sends what was gathered, keeps the try once its result is known, and hears the answer.
import * as Effect from "effect/Effect"
import type { FillModel } from "../domain/fills/FillModel.ts"
import * as GatheredMessage from "../services/compare/GatheredMessage.ts"
import { NotCompared } from "../services/compare/Gathering.ts"
import type { factsOf } from "../services/feeds/MarketFacts.ts"
import { WhatIfTries } from "../services/records/WhatIfTries.ts"
import { counted } from "../services/whatIf/Counting.ts"
import * as Trying from "../services/whatIf/Trying.ts"
import type * as Child from "./Child.ts"
import * as Job from "./Job.ts"
import { childEnded, chunksOf, payloadOf, sendMarkets } from "./Payloads.ts"

/** What the child needs, and where its result is kept. */
export interface TriedJob {
  readonly database: string
  readonly facts: ReturnType<typeof factsOf>
  readonly tried: Trying.Tried
  readonly paperFills: FillModel | undefined
  readonly lacksOwn: boolean
  readonly tries: typeof WhatIfTries.Service
}

/** Has the child try what was gathered; the view as JSON text. */
export const triedIn = Effect.fnUntraced(
  function* (child: Child.Child, { database, facts, lacksOwn, paperFills, tried, tries }: TriedJob) {
    const { gathered, notices, settings } = tried
    for (const some of chunksOf(Trying.candlePlaces(tried))) yield* sendMarkets(child, facts, some)
    for (const part of GatheredMessage.partsOf(gathered)) yield* child.send("Rows", Job.bytesOf(part))
    const terms = GatheredMessage.termsOf(gathered, paperFills)
    const all = lacksOwn ? [...notices, Trying.LACKS_OWN] : notices
    yield* child.send("WhatIf", toTry.write({ database, terms, settings, notices: all }))
    const outcome = yield* payloadOf(yield* child.hear, "Tried", outcomes.read)
    const known = yield* Effect.provideService(counted(tried, outcome), WhatIfTries, tries)
    yield* child.send("Tries", toTries.write(known))
    return yield* payloadOf(yield* child.hear, "Done", Job.textOf)
  },
  Effect.catchTags({
    BacktestUnreadable: ({ message }) => new NotCompared({ message }),
    // The request's violations were found before.
    Violations: () => childEnded
  })
)

const toTry = Job.json(Job.WhatIf)
const toTries = Job.json(Job.Tries)
const outcomes = Job.json(Job.Outcome)
