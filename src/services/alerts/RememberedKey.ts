// What a journal remembers of an idempotency key.
import type { AlertId } from "../../domain/Alert.ts"

/** The first alert of a key. The key is remembered until `expiresAt` (ms since the epoch). */
export interface Remembered {
  readonly body: string
  readonly alert: AlertId
  readonly expiresAt: number
}
