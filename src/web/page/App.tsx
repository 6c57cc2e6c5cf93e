import { useEffect, useState } from "preact/hooks"
import { Layout } from "./Layout.tsx"
import { follow } from "./live.ts"
import { Problem } from "./Problem.ts"
import { type Page, pages } from "./pages.ts"
import { Failed, Loading } from "./parts/States.tsx"
import { useRoute } from "./router.ts"
import type { PageName, Route } from "./routes.ts"
import { SignIn } from "./SignIn.tsx"
import { session } from "./session.ts"
import { resume } from "./signing.ts"
import { useStore } from "./store.ts"
import "./theme.ts"

/** The whole page: signing in, then the layout with the page that the address names. */
export const App = () => {
  const state = useStore(session)
  useEffect(() => {
    resume()
  }, [])
  useEffect(() => (state.state === "in" ? follow(resume) : undefined), [state.state])
  const route = useRoute()
  if (state.state === "asking") return <Loading what="Asking the server" />
  if (state.state === "failed")
    return <Failed problem={new Problem(0, "unreachable", state.message)} retry={resume} />
  if (state.state === "out") return <SignIn expired={state.expired} />
  return (
    <Layout session={state.session} shown={route?.page} at={[route?.page, ...(route?.rest ?? [])].join("/")}>
      {route === undefined ? <Nowhere /> : <Shown route={route} />}
    </Layout>
  )
}

/** The page of a route, fetched first where it is opened for the first time. */
const Shown = ({ route }: { route: Route }) => {
  const [page, setPage] = useState<{ readonly name: PageName; readonly Page: Page }>()
  const [problem, setProblem] = useState<Problem>()
  const fetchPage = () => {
    setProblem(undefined)
    const name = route.page
    pages[name]().then(
      (Page) => setPage({ name, Page }),
      () =>
        setProblem(
          new Problem(
            0,
            "unreachable",
            "This page could not be fetched: the server is away or has a new version. Reload to go on."
          )
        )
    )
  }
  useEffect(fetchPage, [route.page])
  if (problem !== undefined) return <Failed problem={problem} retry={() => location.reload()} />
  if (page === undefined || page.name !== route.page) return <Loading />
  // Another record is another page: nothing that was typed for one stays for the next.
  return <page.Page key={route.rest.join("/")} rest={route.rest} query={route.query} />
}

const Nowhere = () => (
  <div class="state empty">
    <h1>There is no such page</h1>
    <p>
      The address may be mistyped. <a href="#/">Go to the overview</a>.
    </p>
  </div>
)
