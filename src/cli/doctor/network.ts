// Checks the network: whether the exchanges that strategies trade on answer, what their clocks say, and whether the
// address for webhooks leads to the server. No request takes longer than `PATIENCE_MS`.
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { KnownExchange } from "../../domain/Market.ts"
import { moment } from "../program/table.ts"
import { type Check, GUIDE, ok, warn } from "./Check.ts"

const PATIENCE_MS = 5_000
/** A difference to an exchange's clock that is told (ms): signed requests are refused for a few seconds. */
const SKEW_MS = 5_000

/** An answer's status and its time (ms), or the code of the error that came instead of one. */
export type Answer =
  | { readonly status: number; readonly date: number; readonly at: number }
  | { readonly code: string }

const CodeOf = Schema.decodeUnknownOption(Schema.Struct({ code: Schema.String }))

/** Requests an address; redirects are answers. */
export const ask = (url: string): Effect.Effect<Answer> =>
  Effect.promise(async (): Promise<Answer> => {
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS)
      const { headers, status } = await fetch(url, { method: "HEAD", redirect: "manual", signal })
      return {
        status,
        date: Date.parse(headers.get("date") ?? ""),
        at: performance.timeOrigin + performance.now()
      }
    } catch (cause) {
      if (cause instanceof DOMException && cause.name === "TimeoutError") return { code: "timeout" }
      const known = CodeOf(cause)
      return { code: known._tag === "Some" ? known.value.code : "" }
    }
  })

/** One check for an exchange that strategies trade on. `proxy` is the proxy in use; empty without one. */
export const exchange = (name: KnownExchange, answer: Answer, proxy: string): Check => {
  if ("code" in answer) {
    const via = proxy === "" ? "" : " through the proxy"
    return warn(
      "network",
      `${name} cannot be reached${via}: ${reasonOf(answer.code)}`,
      adviceOf(answer.code, proxy),
      GUIDE.prices
    )
  }
  const { at, date, status } = answer
  if (status === 451 || status === 403)
    return warn(
      "network",
      `${name} refuses this machine (${status}): most often by its country, or as an address of a data centre`,
      `run the server where ${name} serves you, or trade on another exchange`,
      GUIDE.prices
    )
  if (status === 429 || status === 418 || status >= 500)
    return warn(
      "network",
      `${name} answers with ${status}: it limits this address, or is out of order`,
      `wait some minutes, and look at the exchange's status page`,
      GUIDE.prices
    )
  if (Math.abs(date - at) > SKEW_MS)
    return warn(
      "network",
      `${name} answers, and its clock says ${moment(date / 1000)} UTC, ${Math.round(Math.abs(date - at) / 1000)} seconds ${date > at ? "ahead of" : "behind"} this machine's`,
      `set the clock, best by a time service: timedatectl set-ntp true`,
      GUIDE.prices
    )
  return ok("network", `${name} answers${Number.isNaN(date) ? "" : ", and its clock agrees"}`)
}

const isName = (code: string): boolean => /NOTFOUND|EAI_AGAIN|DNS|ENOTFOUND|resolve/i.test(code)
const isCertificate = (code: string): boolean => /CERT|TLS|SSL|SELF_SIGNED/i.test(code)

const reasonOf = (code: string): string => {
  if (code === "timeout") return `no answer within ${PATIENCE_MS / 1000} seconds`
  if (isName(code)) return "its name is not resolved (DNS)"
  if (isCertificate(code)) return "its certificate is not trusted"
  return code === "ConnectionRefused" || code === "ECONNREFUSED"
    ? "the connection is refused"
    : "there is no connection"
}

const adviceOf = (code: string, proxy: string): string => {
  if (proxy !== "") return "look at HTTPS_PROXY and at the proxy's own log"
  if (isName(code)) return "look at /etc/resolv.conf, and whether this machine has a network"
  if (isCertificate(code)) return "a proxy may stand in between: give its certificate in NODE_EXTRA_CA_CERTS"
  return "look at the network and the firewall; a proxy is given in HTTPS_PROXY"
}

/** Whether the address that charting platforms call leads to a server of ours: `health` and `alerts` are its answers. */
export const webhooks = (base: string, health: Answer): Check => {
  if ("code" in health)
    return warn(
      "webhooks",
      `${base} cannot be reached from here: ${reasonOf(health.code)}`,
      `look at the name, the proxy in front and the firewall`,
      GUIDE.webhooks
    )
  return health.status === 200
    ? ok("webhooks", `${base} leads to the server; a firewall may still refuse others than this machine`)
    : warn(
        "webhooks",
        `${base} answers with ${health.status}, not as the server does`,
        `let the proxy pass all paths to the server`,
        GUIDE.webhooks
      )
}
