// The page's entry: asks who is signed in, loads the page of the URL at the same time, and renders.
import { render } from "preact"
import { App } from "./App.tsx"
import { open } from "./pages.ts"
import { parse } from "./routes.ts"
import { resume } from "./signing.ts"

resume()
const route = parse(location.hash)
if (route !== undefined) open(route.page).catch(() => undefined)

const place = document.getElementById("page")
if (place !== null) render(<App />, place)
