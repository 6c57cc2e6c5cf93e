import { render } from "preact"
import { App } from "./App.tsx"
import { open } from "./pages.ts"
import { parse } from "./routes.ts"
import { resume } from "./signing.ts"

// Who is signed in and the page that the address names are asked for at once, and not one after the other.
resume()
const route = parse(location.hash)
if (route !== undefined) open(route.page).catch(() => undefined)

const place = document.getElementById("page")
if (place !== null) render(<App />, place)
