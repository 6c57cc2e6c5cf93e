// Strings that break pages, for names and descriptions.
import naughty from "../../reliability/corpus/naughty.json" with { type: "json" }

/** Strings of the Big List of Naughty Strings (MIT, in the file) that contain scripts, and some of our own. */
export const PAYLOADS: ReadonlyArray<string> = [
  ...naughty.strings.filter((it) => /script|onerror|onfocus|onload|onmouse|<svg|<img|<iframe/i.test(it)),
  "{{constructor.constructor('alert(1)')()}}",
  "$" + "{alert(1)}",
  "data:text/html,<script>alert(1)</script>",
  "javascript:alert(document.domain)",
  "<style>*{display:none}</style>",
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  "__proto__",
  "‮gnp.exe"
]
