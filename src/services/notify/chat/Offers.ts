// Buttons that stand for something particular, kept in memory: a random name for each, the pairing that may press it,
// and the time at which it ends. Nothing in a button's data can be altered into another offer.
import * as Encoding from "effect/Encoding"
import type { PairingId } from "../../../domain/notify/Chat.ts"
import type { ManualOrder } from "../../../domain/position/ManualOrder.ts"
import type { StrategyId } from "../../../domain/StrategyId.ts"

/** What a button offers: the preview of a close, or the close itself. */
export interface Offer {
  readonly step: "preview" | "close"
  readonly strategy: StrategyId
  readonly order: ManualOrder
}

/** How long each step can be pressed (ms): the price of a close must be that of its preview. */
export const OFFER_MS = { preview: 600_000, close: 60_000 } as const
/** The most offers that are kept; another one drops the oldest. */
const MOST_OFFERS = 200
const NAME_BYTES = 12
/** How a button's data begins if it is an offer. */
export const PREFIX = "offer:"

/** The offers of a bot. Times in ms. */
export interface Offers {
  /** Keeps an offer, and returns the data of its button. */
  readonly make: (pairing: PairingId, offer: Offer, now: number) => string
  /** Returns what a button offers to this pairing; a close is offered once. */
  readonly take: (pairing: PairingId, data: string, now: number) => Offer | undefined
}

/** Makes the offers of a bot. */
export const make = (): Offers => {
  const kept = new Map<
    string,
    { readonly pairing: PairingId; readonly offer: Offer; readonly until: number }
  >()
  return {
    make: (pairing, offer, now) => {
      const [oldest] = kept.keys()
      if (kept.size >= MOST_OFFERS && oldest !== undefined) kept.delete(oldest)
      const data = `${PREFIX}${Encoding.encodeBase64Url(crypto.getRandomValues(new Uint8Array(NAME_BYTES)))}`
      kept.set(data, { pairing, offer, until: now + OFFER_MS[offer.step] })
      return data
    },
    take: (pairing, data, now) => {
      const found = kept.get(data)
      if (found === undefined || found.pairing !== pairing) return undefined
      if (found.offer.step === "close" || now >= found.until) kept.delete(data)
      return now < found.until ? found.offer : undefined
    }
  }
}
