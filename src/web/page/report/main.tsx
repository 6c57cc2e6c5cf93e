// The entry of reports: reads the data in the document and draws the page that it names. Nothing is requested. The data
// was written by the version of the program that this script is of, so that it is not checked again.
import { render } from "preact"
import { DATA_ID } from "../../ReportDocument.ts"
import { inUtc } from "../parts/reader/time.ts"
import { useStore } from "../store.ts"
import { Backtest } from "./Backtest.tsx"
import { Frame } from "./Frame.tsx"
import type { Report } from "./report.ts"
import { Sweep } from "./Sweep.tsx"
import { Walk } from "./Walk.tsx"

const Page = ({ report }: { report: Report }) => {
  switch (report.page) {
    case "backtest":
      return <Backtest data={report.data} />
    case "sweep":
      return <Sweep data={report.data} />
    case "walk":
      return <Walk data={report.data} />
  }
}

const Whole = ({ report }: { report: Report }) => {
  // Every time on the page changes with the zone.
  useStore(inUtc)
  return (
    <Frame report={report}>
      <Page report={report} />
    </Frame>
  )
}

const start = () => {
  const place = document.getElementById("page")
  if (place === null) return
  const report: Report = JSON.parse(document.getElementById(DATA_ID)?.textContent ?? "")
  render(<Whole report={report} />, place)
}
start()
