// Planted bugs in rules at work, which the seeded world of rules must find.
import type { Edit } from "../plants.ts"

/** Planted bugs by name. */
export const rulePlants: Readonly<Record<string, ReadonlyArray<Edit>>> = {
  "a candle that counts as looked at before its alert is stored": [
    {
      file: "services/rules/RuleDesk.ts",
      from: "      raise(looked.flatMap((one) => instructed(one.alerts, one))),\n      advance(cohorts)",
      to: "      advance(cohorts),\n      raise(looked.flatMap((one) => instructed(one.alerts, one)))"
    }
  ],
  "an alert of a rule without an identity": [
    {
      file: "services/rules/RuleAlertDraft.ts",
      from: '    sameness: { key, body: key, spanMs: REMEMBERED_MS, onOtherBody: "warn" },\n',
      to: ""
    }
  ],
  "an identity without the candle": [
    { file: "services/rules/RuleAlertDraft.ts", from: "by, String(at)))", to: "by))" }
  ],
  "an identity without the entry": [
    { file: "services/rules/RuleAlertDraft.ts", from: "marketKey(market), by, ", to: "marketKey(market), " }
  ],
  "an identity without the market": [
    { file: "services/rules/RuleAlertDraft.ts", from: "marketKey(market), by, ", to: "by, " }
  ],
  "an identity that is forgotten before the candle may be": [
    { file: "services/rules/RuleAlertDraft.ts", from: "MAX_CATCH_UP_MS + 86_400_000", to: "60_000" }
  ],
  "the edge of a condition lost with a restart": [
    {
      file: "services/rules/Cohort.ts",
      from: "const stretch = Math.max(...spans)",
      to: "const stretch = 0 * Math.max(...spans)"
    }
  ],
  "a correction taken for one more candle": [
    {
      file: "services/rules/Cohort.ts",
      from: "    this.#undo()\n    this.#undo = undefined",
      to: "    this.#undo = undefined"
    }
  ],
  "missed candles that raise nothing": [
    {
      file: "services/rules/Loading.ts",
      from: "yield* raiseAll(cohort, cohort.push(barAt(bars, row), true, now))",
      to: "cohort.push(barAt(bars, row), true, now)"
    }
  ],
  "a gap before a candle that nobody fills": [
    {
      file: "services/rules/RuleBook.ts",
      from: "      else if (cohort.known < news.from) looked.lacking.push(cohort)\n",
      to: ""
    }
  ],
  "a time of a schedule that counts as looked at before its alert is stored": [
    {
      file: "services/rules/Scheduling.ts",
      from: "    for (let from = 0; from < raised.length; from += ALERTS_AT_A_TIME) {\n",
      to: "    yield* lookedUpTo([{ rule, place: SCHEDULE, lookedAt: now }])\n    for (let from = 0; from < raised.length; from += ALERTS_AT_A_TIME) {\n"
    }
  ],
  "a wait that ends before its alert is raised": [
    {
      file: "services/rules/Witnessing.ts",
      from: "    const tag = yield* store({ ...draftFrom(alert, token), witness })\n    if (yield* witnesses.end(alert, now))",
      to: "    const isEnded = yield* witnesses.end(alert, now)\n    const tag = yield* store({ ...draftFrom(alert, token), witness })\n    if (isEnded)"
    }
  ]
}
