// The frame around a report: its title, when and how it was made, the colours, and the footer.
import type { ComponentChildren } from "preact"
import type { ReportPage } from "../../ReportDocument.ts"
import { HasGuide } from "../parts/GuideLink.tsx"
import { Panel } from "../parts/PageHead.tsx"
import { Foot } from "../parts/reader/Foot.tsx"
import { ThemeButton } from "../parts/ThemeButton.tsx"
import { Time } from "../parts/Value.tsx"

export const Frame = ({ report, children }: { report: ReportPage; children: ComponentChildren }) => (
  <HasGuide.Provider value={false}>
    <div class="report">
      <header class="bar">
        <span class="brand">Signalbox</span>
        <ThemeButton />
      </header>
      <main>
        <header class="page-head">
          <div>
            <h1>{report.title}</h1>
            <p class="lead">
              Made on <Time at={report.made_at} /> by Signalbox {report.version}. Past results do not tell
              future ones.
            </p>
          </div>
        </header>
        {children}
        {report.command === undefined ? null : (
          <Panel title="Command">
            <pre>{report.command}</pre>
          </Panel>
        )}
      </main>
      <Foot version={report.version}>
        <span>This file is whole: it opens without a server and requests nothing.</span>
      </Foot>
    </div>
  </HasGuide.Provider>
)
