import { sleep } from "./clock.ts"
import { make } from "./requests.ts"
import { signedOut } from "./session.ts"

/** The operations of this server: `call("signals", "list")`, `call("signals", "get", { path: { id } })`. */
export const { call, paged, send } = make({
  routes: __ROUTES__,
  fetch: (url, init) => fetch(url, init),
  sleep,
  signedOut
})
