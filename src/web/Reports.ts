// The template of reports: embedded in the built program, or bundled from the sources. It is read when a report is
// made, never before.
import * as Archive from "./Archive.ts"
import * as Assets from "./Assets.ts"
import { documentOf, type ReportPage } from "./ReportDocument.ts"

/** A report as one HTML document, ready to be written to a file. */
export const html = async (report: ReportPage): Promise<string> => documentOf(await template(), report)

const template = async (): Promise<string> => {
  const archive = await Assets.shipped()
  if (archive === undefined) return (await import("./bundle.ts")).reportTemplate()
  const files = await Archive.open(archive)
  const entry = [...files.entries.values()].find(({ path }) => REPORT.test(path))
  if (entry === undefined) throw new Error("this program was built without the template of reports")
  return (await files.read(entry.places.identity)).text()
}

const REPORT = /^\/assets\/report-\w+\.html$/
