// The footer of the dashboard and of reports: the version, the credit for charts, and the reader's zone.
import type { ComponentChildren } from "preact"
import { useStore } from "../../store.ts"
import { HAS_CHOICE, inUtc, OWN, showUtc } from "./time.ts"

export const Foot = ({ children, version }: { children: ComponentChildren; version: string }) => (
  <footer class="foot">
    <span>Signalbox {version}</span>
    <span>
      Charts by{" "}
      <a href="https://www.tradingview.com/" target="_blank" rel="noopener noreferrer">
        TradingView Lightweight Charts™
      </a>
    </span>
    {children}
    {HAS_CHOICE ? <Zone /> : null}
  </footer>
)

/** Which zone the page's times are in, and the change to the other: by mouse, keyboard and touch. */
const Zone = () => {
  const isUtc = useStore(inUtc)
  return (
    <span>
      Times in {isUtc ? "UTC" : OWN.zone}{" "}
      <button type="button" class="link" onClick={() => showUtc(!isUtc)}>
        Show {isUtc ? OWN.zone : "UTC"}
      </button>
    </span>
  )
}
