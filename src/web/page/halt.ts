import { call } from "./client.ts"
import { store } from "./store.ts"
import type { Answer } from "./wire.ts"

/** Whether entries are halted, since when and why. */
export type Halt = Answer<"live", "halted">

/** As it was told last; undefined until then. */
export const halt = store<Halt | undefined>(undefined)

export const lookAtHalt = async (signal: AbortSignal): Promise<Halt> => {
  const found = await call("live", "halted", { signal })
  halt.set(found)
  return found
}

/** Halts what the account owns; refusals are thrown. */
export const haltEntries = async (): Promise<void> => halt.set(await call("live", "halt"))

export const resumeEntries = async (): Promise<void> => halt.set(await call("live", "resume"))
