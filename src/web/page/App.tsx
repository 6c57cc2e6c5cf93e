import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { Layout } from "./Layout.tsx"
import { follow, liveness } from "./live.ts"
import { Problem } from "./Problem.ts"
import { open, ready } from "./pages.ts"
import { Failed, Loading } from "./parts/States.tsx"
import { useRoute } from "./router.ts"
import type { Route } from "./routes.ts"
import { SignIn } from "./SignIn.tsx"
import { type Session, session } from "./session.ts"
import { resume } from "./signing.ts"
import { useStore } from "./store.ts"
import "./theme.ts"

/** The whole page: signing in, then the layout with the page that the address names. */
export const App = () => {
  const state = useStore(session)
  useEffect(() => (state.state === "in" ? follow(resume) : undefined), [state.state])
  const route = useRoute()
  const known = useRef<Session>()
  if (state.state === "asking") return <Loading what="Asking the server" />
  if (state.state === "failed")
    return <Failed problem={new Problem(0, "unreachable", state.message)} retry={resume} />
  if (state.state === "in") known.current = state.session
  // Whose session ended in the middle of something finds it again as it was; whoever signed out leaves nothing behind.
  else if (!state.expired) known.current = undefined
  const mine = known.current
  return (
    <>
      {state.state === "out" ? <SignIn expired={state.expired} /> : null}
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

/** The page of a route, fetched first where it is opened for the first time. */
const Shown = ({ route }: { route: Route }) => {
  const [, draw] = useState({})
  const [failed, setFailed] = useState(false)
  const Page = ready(route.page)
  const isLive = useStore(liveness) === "live"
  // What could not be fetched is fetched again as soon as the server is back.
  useLayoutEffect(() => {
    setFailed(false)
    if (Page !== undefined) return
    open(route.page).then(
      () => draw({}),
      () => setFailed(true)
    )
  }, [route.page, isLive])
  if (Page !== undefined)
    // Another record is another page: nothing that was typed for one stays for the next.
    return <Page key={`${route.page}/${route.rest.join("/")}`} rest={route.rest} query={route.query} />
  return failed ? <Failed problem={GONE} retry={() => location.reload()} /> : <Loading />
}

const GONE = new Problem(
  0,
  "unreachable",
  "This page could not be fetched: the server is away or has a new version. Reload to go on."
)

const Nowhere = () => (
  <div class="state empty">
    <h1>There is no such page</h1>
    <p>
      The address may be mistyped. <a href="#/">Go to the overview</a>.
    </p>
  </div>
)
