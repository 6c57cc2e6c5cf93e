// A report: one HTML file with everything in it, which opens from disk and requests nothing. The template holds script,
// style and security policy; a report is the template with a title and its data filled in. Pure, also in a browser.
import { escaped } from "./guide/Escape.ts"

/** What a report shows. */
export interface ReportPage {
  /** Which page of src/web/page/report draws it, like `backtest`. */
  readonly page: string
  /** The window's title, and the page's heading. */
  readonly title: string
  /** When it was made, in seconds since the epoch, and by which version. */
  readonly made_at: number
  readonly version: string
  /** The command line that made it; undefined for one that the dashboard saved. */
  readonly command?: string | undefined
  /** The page's own data, which has to survive JSON. */
  readonly data: unknown
}

/** The element that holds the report as JSON. */
export const DATA_ID = "report.data"

const PLACES = { title: "%TITLE%", data: "%DATA%" }

/** The parts of a template, made by src/web/bundle.ts. A digest is a source of a content security policy. */
export interface Parts {
  readonly script: string
  readonly scriptDigest: string
  readonly style: string
  readonly styleDigest: string
  /** The icon as a data URL. */
  readonly icon: string
}

/** The template. Its policy permits this very script and style, and no request to anywhere. */
export const templateOf = ({
  icon,
  script,
  scriptDigest,
  style,
  styleDigest
}: Parts): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'; script-src '${scriptDigest}'; style-src '${styleDigest}'; img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${PLACES.title}</title>
<link rel="icon" type="image/svg+xml" href="${icon}">
<style>${style}</style>
</head>
<body>
<div id="page"></div>
<noscript>This report draws its figures and charts with a script of its own: open it in a browser with JavaScript.</noscript>
<script type="application/json" id="${DATA_ID}">${PLACES.data}</script>
<script type="module">${script}</script>
</body>
</html>
`

/** The report as HTML. No name within it can end the element that holds it. */
export const documentOf = (template: string, report: ReportPage): string => {
  const parts = new Map([
    [PLACES.title, escaped(report.title)],
    [PLACES.data, inScript(JSON.stringify(report))]
  ])
  // One pass over the template alone: a title that looks like a place is not filled in.
  return template.replace(/%TITLE%|%DATA%/g, (place) => parts.get(place) ?? "")
}

/** JSON that is safe within a script element and in JavaScript: the escapes mean the same characters. */
const inScript = (json: string): string =>
  json.replace(/[<>&\u2028\u2029]/g, (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, "0")}`)
