// An alert of a rule as the journal takes it, and its identity: the same candle never makes two of one entry, because the
// database decides what is a repeat.

import { instruction } from "../../domain/Alert.ts"
import { textOf } from "../../domain/alert/RuleOrigin.ts"
import { baseOf, type MarketId, marketKey, quoteOf } from "../../domain/Market.ts"
import type { PartValue } from "../../trading/signalRule/RuleAlerts.ts"
import type { RuleInstruction } from "../../trading/signalRule/RuleInstruction.ts"
import { joined } from "../internal/Digest.ts"
import type { AlertDraft } from "../Journal.ts"
import { MAX_CATCH_UP_MS, type WorkingRule } from "./WorkingRule.ts"

/**
 * An alert that a rule raised on a market. `by` is its entry, such as `on[0]` or `schedule[0]`. `at` is the close of the
 * candle, or the time of the schedule (ms); `close` the candle's closing price.
 */
export interface Raised {
  readonly rule: WorkingRule
  readonly market: MarketId
  readonly by: string
  readonly at: number
  readonly close: number | undefined
  readonly values: ReadonlyArray<PartValue>
  readonly instruction: RuleInstruction
}

/** How long an identity is remembered (ms): longer than any candle may be looked at late. */
export const REMEMBERED_MS = MAX_CATCH_UP_MS + 86_400_000

/** The identity of an alert: its rule's version, market, entry and time. */
export const identityOf = (
  { at, by, market, rule: { signal, version } }: Raised,
  digest: (text: string) => string
): string => digest(joined("rule", String(signal), String(version), marketKey(market), by, String(at)))

/** The draft of a raised alert. Its time is the candle's close, however late it is stored. */
export const draftOf = (raised: Raised, digest: (text: string) => string): AlertDraft => {
  const { at, market, rule } = raised
  const key = identityOf(raised, digest)
  return {
    account: rule.account,
    token: rule.token,
    instruction: instruction({
      ...raised.instruction,
      signalId: rule.signal,
      coin: baseOf(market.pair),
      quoteCurrency: quoteOf(market.pair)
    }),
    receivedAt: at,
    warnings: [],
    sameness: { key, body: key, spanMs: REMEMBERED_MS, onOtherBody: "warn" },
    incoming: { door: "rule", body: originText(raised) }
  }
}

const originText = ({ at, by, close, market, rule, values }: Raised): string =>
  textOf({
    version: rule.version,
    by,
    ...market,
    timeframe: rule.rule.timeframe,
    at,
    close: close ?? null,
    values: values.map(({ text, value }) => ({ text, value: value ?? null }))
  })
