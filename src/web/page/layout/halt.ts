// The halt of entries as the page knows it, shared by the banner and the button.
import { call } from "../client.ts"
import { store } from "../shared.ts"
import type { Answer } from "../wire.ts"

/** Whether entries are halted, since when and why. */
export type Halt = Answer<"live", "halted">

/** The last known state; undefined before the first response. */
export const halt = store<Halt | undefined>(undefined)

export const lookAtHalt = async (signal: AbortSignal): Promise<Halt> => {
  const found = await call("live", "halted", { signal })
  halt.set(found)
  return found
}

/** Halts the entries of the account's strategies; throws a rejection. */
export const haltEntries = async (): Promise<void> => halt.set(await call("live", "halt"))

export const resumeEntries = async (): Promise<void> => halt.set(await call("live", "resume"))
