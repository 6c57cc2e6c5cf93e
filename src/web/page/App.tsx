// The whole page: the sign-in, or the layout with the page that the URL names. A page survives the end of its
// session, and is shown again after signing in.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { Layout } from "./layout/Layout.tsx"
import { follow, liveness } from "./live.ts"
import { Problem } from "./Problem.ts"
import { open, ready } from "./pages.ts"
import { inUtc } from "./parts/reader/time.ts"
import { Failed, Loading } from "./parts/States.tsx"
import { useRoute } from "./router.ts"
import type { Route } from "./routes.ts"
import { SignIn } from "./SignIn.tsx"
import { type Session, session } from "./session.ts"
import { resume } from "./signing.ts"
import { useStore } from "./store.ts"
import "./theme.ts"

export const App = () => {
  const state = useStore(session)
  // Every time on the page changes with the zone.
  useStore(inUtc)
  useEffect(() => (state.state === "in" ? follow(resume, state.session.position) : undefined), [state.state])
  const route = useRoute()
  const known = useRef<Session>()
  if (state.state === "asking") return <Loading what="Asking the server" />
  if (state.state === "failed")
    return <Failed problem={new Problem(0, "unreachable", state.message)} retry={resume} />
  if (state.state === "in") known.current = state.session
  // Keep the page when its session expires, so that unsaved input survives; drop it when the user signs out.
  else if (!state.expired) known.current = undefined
  const mine = known.current
  return (
    <>
      {state.state === "out" ? <SignIn {...state} /> : null}
      {mine === undefined ? null : (
        <div key={mine.account} hidden={state.state === "out"}>
          <Layout session={mine} shown={route?.page} at={[route?.page, ...(route?.rest ?? [])].join("/")}>
            {route === undefined ? <Nowhere /> : <Shown route={route} />}
          </Layout>
        </div>
      )}
    </>
  )
}

/** The page of a route, loaded when it is first opened. */
const Shown = ({ route }: { route: Route }) => {
  const [, draw] = useState({})
  const [failed, setFailed] = useState(false)
  const Page = ready(route.page)
  const isLive = useStore(liveness) === "live"
  // After a failed load, try again as soon as the server is back.
  useLayoutEffect(() => {
    setFailed(false)
    if (Page !== undefined) return
    open(route.page).then(
      () => draw({}),
      () => setFailed(true)
    )
  }, [route.page, isLive])
  if (Page !== undefined)
    // The key makes another record another page: no input carries over.
    return <Page key={`${route.page}/${route.rest.join("/")}`} rest={route.rest} query={route.query} />
  return failed ? <Failed problem={GONE} retry={() => location.reload()} /> : <Loading />
}

const GONE = new Problem(
  0,
  "unreachable",
  "This page could not be loaded: the server is unreachable or has a new version. Reload the page."
)

const Nowhere = () => (
  <div class="state empty">
    <h1>This page does not exist</h1>
    <p>
      The address may be mistyped. <a href="#/">Go to the overview</a>.
    </p>
  </div>
)
