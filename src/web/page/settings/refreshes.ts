// What the page says of refreshes of markets. Pure.
import type { Answer } from "../wire.ts"

export type Refreshes = Answer<"operator", "refreshes">
export type Refresh = Refreshes["data"][number]

/** Whether a refresh waits or runs. */
export const isBusy = (refreshes: Refreshes | undefined): boolean =>
  refreshes?.data.some(({ stage }) => stage === "waiting" || stage === "running") === true

/** Whether an exchange may be asked at a time (seconds since the epoch). */
export const mayAsk = (refresh: Refresh | undefined, now: number): boolean =>
  refresh === undefined ||
  (refresh.stage !== "waiting" && refresh.stage !== "running" && now >= (refresh.not_before ?? 0))

/** Which exchanges are being asked, and which wait, as a sentence; nothing where none does. */
export const progressText = (all: ReadonlyArray<Refresh>): string => {
  const named = (stage: Refresh["stage"]) =>
    all
      .filter((it) => it.stage === stage)
      .map(({ exchange }) => exchange)
      .join(", ")
  const [running, waiting] = [named("running"), named("waiting")]
  const parts = [
    ...(running === "" ? [] : [`Asking ${running}`]),
    ...(waiting === "" ? [] : [`${running === "" ? "Waiting" : "waiting"}: ${waiting}`])
  ]
  return parts.length === 0 ? "" : `${parts.join("; ")}. It takes up to a minute; you may leave this page.`
}

/** A reason why refreshes failed, the exchanges that it is true of, and when the last of them failed. */
export interface Failure {
  readonly exchanges: ReadonlyArray<string>
  readonly reason: string
  readonly at: number
}

/** The failures, one for each reason: without a network all exchanges have the same. */
export const failuresOf = (all: ReadonlyArray<Refresh>): ReadonlyArray<Failure> => {
  const found = new Map<string, Failure>()
  for (const { at, exchange, failure, stage } of all) {
    if (stage !== "failed") continue
    const reason = (failure ?? "the reason is not known").replace(`${exchange} is not refreshed: `, "")
    const before = found.get(reason)
    found.set(reason, {
      reason,
      exchanges: [...(before?.exchanges ?? []), exchange],
      at: Math.max(at, before?.at ?? 0)
    })
  }
  return [...found.values()]
}
