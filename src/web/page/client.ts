import { sleep } from "./clock.ts"
import { make } from "./requests.ts"
import { signedOut } from "./session.ts"

/** The operations of this server: `call("records", "signals")`, `call("records", "signal", { path: { id } })`. */
export const { call, paged, send } = make({
  routes: __ROUTES__,
  fetch: (url, init) => fetch(url, init),
  sleep,
  signedOut
})
