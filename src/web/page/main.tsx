// The page's entry: asks who is signed in, loads the page of the URL at the same time, and renders.
import { render } from "preact"
import { App } from "./App.tsx"
import { codeIn } from "./arrival.ts"
import { open } from "./pages.ts"
import { parse } from "./routes.ts"
import { arrive, resume } from "./signing.ts"

// The code leaves the address and the history at once.
const code = codeIn(location.hash)
if (code !== undefined) history.replaceState(null, "", "#/")
if (code === undefined) resume()
else arrive(code)
const route = parse(location.hash)
if (route !== undefined) open(route.page).catch(() => undefined)

const place = document.getElementById("page")
if (place !== null) render(<App />, place)
