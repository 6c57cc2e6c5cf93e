// The `CandlePages` port over ccxt: pages of candles from the seven exchanges, at half the rate that an exchange allows,
// since prices and orders are requested too.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Ccxt } from "../../ccxt/Ccxt.ts"
import { descriptors } from "../../ccxt/descriptors.ts"
import { failureOf } from "../../ccxt/Failure.ts"
import type { Pauses } from "../../ccxt/Pauses.ts"
import { isKnownExchange, type KnownExchange } from "../../domain/Market.ts"
import { CandlePages, PageFailed } from "../../services/feeds/CandlePages.ts"
import * as PageRequest from "./PageRequest.ts"

/** The part of ccxt used here. */
export type PageClient = Pick<
  Ccxt,
  "timeout" | "number" | "markets" | "loadMarkets" | "fetchOHLCV" | "last_response_headers" | "close"
>

export interface Options {
  /** Creates the ccxt of an exchange. */
  readonly open: (exchange: KnownExchange) => Promise<PageClient>
  readonly pauses: Pauses
}

/** The time limits of one request, and of all that a page takes (ms). */
const REQUEST_MS = 20_000
const PAGE_MS = 60_000
/** The share of an exchange's rate that downloads take. */
const SHARE = 0.5

/** Pages of the seven exchanges. An exchange is opened with its first page, and closed with the scope. */
export const layer = ({ open, pauses }: Options): Layer.Layer<CandlePages> =>
  Layer.scoped(
    CandlePages,
    Effect.gen(function* () {
      const clients = new Map<KnownExchange, PageClient>()
      const gate = yield* Effect.makeSemaphore(1)
      let next = 0
      yield* Effect.addFinalizer(() =>
        Effect.forEach(clients.values(), (ccxt) => Effect.ignore(Effect.tryPromise(() => ccxt.close())))
      )

      const clientOf = Effect.fnUntraced(function* (exchange: KnownExchange) {
        const known = clients.get(exchange)
        if (known !== undefined) return known
        const ccxt = yield* Effect.promise(() => open(exchange))
        ccxt.timeout = REQUEST_MS
        // The digits of volumes are kept.
        ccxt.number = String
        clients.set(exchange, ccxt)
        return ccxt
      })

      /** Waits for the next request's turn; fails while the exchange wants a pause. */
      const turn = Effect.fnUntraced(function* (exchange: KnownExchange) {
        const now = yield* Clock.currentTimeMillis
        const pauseMs = pauses.until(exchange) - now
        if (pauseMs > 0) return yield* new PageFailed({ reason: LIMITED, pauseMs, kind: "limit" })
        if (next > now) yield* Effect.sleep(next - now)
        next = Math.max(now, next) + 1000 / (descriptors[exchange].rate.perSecond * SHARE)
      })

      const page = Effect.fn("CandlePages.page")(function* (
        exchange: KnownExchange,
        query: PageRequest.PageQuery
      ) {
        yield* turn(exchange)
        const ccxt = yield* clientOf(exchange)
        const rows = yield* Effect.tryPromise({
          try: () => PageRequest.send(ccxt, exchange, query),
          catch: (cause) => failedOf(exchange, cause, ccxt.last_response_headers)
        }).pipe(Effect.timeoutFail({ duration: PAGE_MS, onTimeout: () => passing("it does not answer") }))
        return yield* rows
      })
      /** Tells all requests of this process about a limit. */
      const pauseAll = (exchange: KnownExchange, { kind, pauseMs }: PageFailed) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          if (kind === "limit") pauses.pause(exchange, now + pauseMs)
        })

      return {
        limits: PageRequest.limitsOf,
        page: (series, from, until) => {
          const { exchange } = series
          return isKnownExchange(exchange)
            ? gate.withPermits(1)(
                Effect.tapError(page(exchange, { series, from, until }), (failed) =>
                  pauseAll(exchange, failed)
                )
              )
            : Effect.fail(lasting(`${exchange} is none of the exchanges with candles`))
        }
      }
    })
  )

const LIMITED = "it limits our requests"
const lasting = (reason: string) => new PageFailed({ reason, pauseMs: 0, kind: "lasting" })
const passing = (reason: string) => new PageFailed({ reason, pauseMs: 0, kind: "passing" })

const failedOf = (exchange: KnownExchange, cause: unknown, headers: unknown): PageFailed => {
  const { isLimit, pauseMs, reason } = failureOf(exchange, cause, headers)
  return new PageFailed({ reason, pauseMs, kind: isLimit ? "limit" : "passing" })
}
