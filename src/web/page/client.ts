// The page's typed client: `call("records", "signals")`, `call("records", "signal", { path: { id } })`.
import { sleep } from "./clock.ts"
import { make } from "./requests.ts"
import { signedOut } from "./session.ts"

export const { call, paged, send } = make({
  routes: __ROUTES__,
  fetch: (url, init) => fetch(url, init),
  sleep,
  signedOut
})
