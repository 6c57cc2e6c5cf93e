import { Option } from "effect"
import type { Identity } from "../../src/domain/Account.ts"
import type { Instruction } from "../../src/domain/Alert.ts"
import { SignalId } from "../../src/domain/Signal.ts"
import type { AlertDraft, Sameness } from "../../src/services/Journal.ts"

export const instruction = (changes: Partial<Instruction> = {}): Instruction => ({
  signalId: SignalId.make(7),
  coin: "BTC",
  quoteCurrency: "USDT",
  type: "buy",
  tp: Option.none(),
  sl: Option.none(),
  ...changes
})

export const draft = (
  { account, token }: Identity,
  changes: Partial<AlertDraft> & { readonly same?: Partial<Sameness> } = {}
): AlertDraft => {
  const { same, ...rest } = changes
  const whole = { instruction: instruction(), receivedAt: 1_000, warnings: [], account, token, ...rest }
  if (same === undefined) return whole
  return { ...whole, sameness: { key: "key", body: "body", spanMs: 20_000, onOtherBody: "warn", ...same } }
}
