// The examples in doc comments: taken out, each a file of its own, so that the compiler reads them.

export interface Example {
  readonly file: string
  /** Where its first line stands in the file. */
  readonly line: number
  readonly code: string
}

/** Every block marked `ts` in the doc comments of a source, or on a page. */
export const examples = (file: string, text: string): ReadonlyArray<Example> =>
  file.endsWith(".md") ? onPage(file, text) : inComments(file, text)

const onPage = (file: string, text: string): ReadonlyArray<Example> =>
  [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(({ 1: code = "", index }) => ({
    file,
    line: text.slice(0, index).split("\n").length + 1,
    code
  }))

const inComments = (file: string, text: string): ReadonlyArray<Example> =>
  [...text.matchAll(/^[ \t]*\/\*\*[\s\S]*?\*\//gm)].flatMap((comment) =>
    [...comment[0].matchAll(/^[ \t]*\* ?```ts\n([\s\S]*?)^[ \t]*\* ?```/gm)].map((block) => ({
      file,
      line: text.slice(0, comment.index + block.index).split("\n").length + 1,
      code: (block[1] ?? "").replace(/^[ \t]*\* ?/gm, "")
    }))
  )

/** As a file to compile, in which every line has the number that it has in the source. */
export const padded = ({ code, line }: Example): string => `${"\n".repeat(line - 1)}${code}`

/** The name of that file, and back. */
export const nameOf = ({ file, line }: Example): string => `${file.replaceAll("/", "~")}~${line}.ts`
export const sourceOf = (name: string): string => name.replace(/~\d+\.ts$/, "").replaceAll("~", "/")
