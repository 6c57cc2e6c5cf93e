import { render } from "preact"
import { App } from "./App.tsx"

const place = document.getElementById("page")
if (place !== null) render(<App />, place)
