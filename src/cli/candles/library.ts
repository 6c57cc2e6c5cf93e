// Stored candles for the dashboard while the server runs: the list, one download at a time with its progress, and removal.

import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberHandle from "effect/FiberHandle"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import type { CandleSeries } from "../../domain/candles/CandleSeries.ts"
import type { DownloadRequest } from "../../services/feeds/CandleDownload.ts"
import {
  type CandleLibrary,
  CandlesBusy,
  CandlesUnavailable,
  type DownloadResult,
  type DownloadState,
  type StoredSeries
} from "../../services/feeds/CandleLibrary.ts"
import { seriesKey } from "../../services/feeds/CandleStore.ts"
import type { Heard } from "../../services/feeds/PageRetry.ts"

/** A list may be this old: anybody may ask for it, and it reads every stored candle. */
const FRESH_MS = 30_000

/** The work itself; it fails with a reason. */
export interface Work {
  readonly list: Effect.Effect<ReadonlyArray<StoredSeries>, string>
  readonly download: (request: DownloadRequest, heard: Heard) => Effect.Effect<DownloadResult, string>
  readonly remove: (series: CandleSeries) => Effect.Effect<number, string>
}

/** Others than the operator read this. */
const UNREADABLE = "the stored candles cannot be read at the moment; the server's log says why"
const warned = (reason: string) => Effect.logWarning(`stored candles: ${reason}`)
const unavailable = (reason: string) => new CandlesUnavailable({ reason })

/** A library whose download ends with the scope. */
export const make = Effect.fnUntraced(function* (work: Work) {
  const running = yield* FiberHandle.make()
  const { forget, list } = yield* shared(
    Effect.mapError(Effect.tapError(work.list, warned), () => unavailable(UNREADABLE))
  )
  let state: DownloadState | undefined
  const put = (change: Partial<DownloadState>) => {
    if (state !== undefined) state = { ...state, ...change }
  }
  const heard: Heard = (news) =>
    put(
      news._tag === "Progress"
        ? { done: news.done, total: news.total, waiting: undefined }
        : { waiting: `${news.reason}; trying again in ${Math.ceil(news.ms / 1000)} s` }
    )
  const ended = Effect.fnUntraced(function* (exit: Exit.Exit<DownloadResult, string>) {
    put({ ...endOf(exit), ended: yield* Clock.currentTimeMillis, waiting: undefined })
    if (state?.failure !== undefined) yield* warned(state.failure)
    yield* forget
  })
  const begin: typeof CandleLibrary.Service.begin = (request) =>
    Effect.flatMap(Effect.clock, (clock) => {
      if (state?.stage === "running") return new CandlesBusy()
      state = { ...NEW, request, began: clock.unsafeCurrentTimeMillis() }
      // A download that is cancelled before it began ends as well.
      const whole = Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(Effect.exit(restore(work.download(request, heard))), ended)
      )
      return Effect.asVoid(FiberHandle.run(running, whole))
    })
  const remove: typeof CandleLibrary.Service.remove = (series) =>
    Effect.suspend((): ReturnType<typeof CandleLibrary.Service.remove> => {
      const isFetched = state?.stage === "running" && seriesKey(state.request.series) === seriesKey(series)
      if (isFetched) return new CandlesBusy()
      return Effect.zipLeft(Effect.mapError(work.remove(series), unavailable), forget)
    })
  const library: typeof CandleLibrary.Service = {
    isOn: true,
    list,
    state: Effect.sync(() => state),
    begin,
    cancel: FiberHandle.clear(running),
    remove
  }
  return library
})

/** A list for all who ask within half a minute. Who asks first may go away: the others still get it. */
const shared = Effect.fnUntraced(function* <A, E>(list: Effect.Effect<A, E>) {
  const scope = yield* Effect.scope
  let last: { readonly at: number; readonly answer: Deferred.Deferred<A, E> } | undefined
  const forget = Effect.sync(() => {
    last = undefined
  })
  const ask = Effect.flatMap(Effect.clock, (clock) => {
    const at = clock.unsafeCurrentTimeMillis()
    if (last !== undefined && at - last.at < FRESH_MS) return Deferred.await(last.answer)
    const answer = Deferred.unsafeMake<A, E>(FiberId.none)
    last = { at, answer }
    const work = Effect.intoDeferred(
      Effect.tapErrorCause(list, () => forget),
      answer
    )
    return Effect.zipRight(Effect.forkIn(work, scope), Deferred.await(answer))
  })
  return { list: ask, forget }
})

const NEW = {
  stage: "running",
  ended: undefined,
  done: 0,
  total: 0,
  waiting: undefined,
  failure: undefined,
  result: undefined
} as const

const endOf = (exit: Exit.Exit<DownloadResult, string>): Partial<DownloadState> => {
  if (Exit.isSuccess(exit)) return { stage: "done", result: exit.value }
  if (Cause.isInterruptedOnly(exit.cause)) return { stage: "cancelled" }
  return {
    stage: "failed",
    failure: Option.getOrElse(Cause.failureOption(exit.cause), () => "candles could not be downloaded")
  }
}
