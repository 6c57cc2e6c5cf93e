// The entry of the guide's pages, which are complete without it: it adds the search, the colours and the copy buttons.
import { type ComponentChild, render } from "preact"
import { CopyButton } from "../parts/CopyButton.tsx"
import { ThemeButton } from "../parts/ThemeButton.tsx"
import { Toasts } from "../parts/Toast.tsx"
import { Search } from "./Search.tsx"

const into = (id: string, make: (place: HTMLElement) => ComponentChild) => {
  const place = document.getElementById(`guide.${id}`)
  if (place !== null) render(make(place), place)
}

/** Windows with room beside the page: there its headings are open. */
const WIDE = matchMedia("(min-width: 78rem)")

const arrange = () => {
  for (const headings of document.querySelectorAll("details")) headings.open = WIDE.matches
}

const start = () => {
  into("search", (place) => <Search index={place.dataset["index"] ?? ""} />)
  into("theme", () => <ThemeButton />)
  into("toasts", () => <Toasts />)
  for (const block of document.querySelectorAll(".code")) {
    const place = block.appendChild(document.createElement("div"))
    place.className = "copy"
    render(<CopyButton text={block.querySelector("pre")?.textContent ?? ""} />, place)
  }
  arrange()
  WIDE.addEventListener("change", arrange)
}
start()
