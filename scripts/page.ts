// Writes the bundled dashboard to the given file, which scripts/build.ts embeds.
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { pack } from "../src/web/Archive.ts"
import { bundle } from "../src/web/bundle.ts"

const [file = ""] = process.argv.slice(2)
const most = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
const archive = pack(await bundle(), {
  br: (body) => brotliCompressSync(body, most),
  gzip: (body) => gzipSync(body, { level: 9 })
})
await Bun.write(file, archive)
