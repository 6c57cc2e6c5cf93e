// The rules of the house as functions over source files, used by house.test.ts.
import { dirname, join } from "node:path"
import { type File, functionBodies, imports, locate, parameterLists, type Source } from "./source.ts"

/** Finds every violation in the sources, as `path:line text`. */
export type Rule = (sources: ReadonlyArray<Source>) => ReadonlyArray<string>

const each =
  (rule: (file: Source) => ReadonlyArray<string>): Rule =>
  (sources) =>
    sources.flatMap(rule)

/** `ours`: the folders and files of src that a folder may import; `packages`: the packages that it may import. */
export interface Row {
  readonly ours: string
  readonly packages: string
}

/** The folder of src that a path is in, or the file at the top of src. */
const place = (path: string) => path.split("/")[1] ?? ""

const packageOf = (specifier: string) =>
  /^(bun|node)(:|$)/.exec(specifier)?.[1] ?? /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier

export const importsFollow = (table: Record<string, Row>, runtime: RegExp): Rule =>
  each((file) => {
    const row = table[place(file.path)]
    if (row === undefined) return [`${file.path}:1 is in no folder of the floor plan`]
    return imports(file).flatMap(({ line, specifier, names }) =>
      refused(row, runtime, file.path, specifier, names).map(
        (what) => `${file.path}:${line} ${place(file.path)} may not import ${what}`
      )
    )
  })

const refused = (
  row: Row,
  runtime: RegExp,
  path: string,
  specifier: string,
  names: ReadonlyArray<string>
) => {
  if (specifier.startsWith(".")) {
    const target = join(dirname(path), specifier)
    const allowed = target.startsWith("src/")
      ? row.ours.split(" ").includes(place(target))
      : row.packages === "*"
    return allowed ? [] : [target]
  }
  if (row.packages === "*" || row.packages.split(" ").includes(packageOf(specifier))) return []
  if (row.packages !== "effect-data" || packageOf(specifier) !== "effect") return [specifier]
  const modules = specifier === "effect" ? names : [specifier.slice("effect/".length)]
  return modules.filter((name) => runtime.test(name)).map((name) => `effect/${name}`)
}

export const noCycles: Rule = (sources) => {
  const files = new Map(sources.map((file) => [file.path, file]))
  const done = new Set<string>()
  const visit = (path: string, trail: ReadonlyArray<string>): ReadonlyArray<string> => {
    const file = files.get(path)
    if (file === undefined || done.has(path)) return []
    const found = imports(file).flatMap(({ line, specifier }) => {
      if (!specifier.startsWith(".")) return []
      const target = join(dirname(path), specifier)
      const from = [...trail, path].indexOf(target)
      if (from < 0) return visit(target, [...trail, path])
      return [`${path}:${line} closes the cycle ${[...trail, path, target].slice(from).join(" > ")}`]
    })
    done.add(path)
    return found
  }
  return sources.flatMap(({ path }) => visit(path, []))
}

export const importsNameTheFile: Rule = each((file) =>
  imports(file).flatMap(({ line, specifier }) =>
    !specifier.startsWith(".") || /\.\w+$/.test(specifier)
      ? []
      : [`${file.path}:${line} import "${specifier}.ts"`]
  )
)

export const noLongerThan = (lines: number): Rule =>
  each(({ path, text }) => {
    const count = text.trimEnd().split("\n").length
    return count > lines ? [`${path}:${count} is longer than ${lines} lines`] : []
  })

/** A folder holds at most so many files itself; more belong into folders of their own. */
export const noFolderOver =
  (files: number): Rule =>
  (sources) => {
    const counts = new Map<string, number>()
    for (const { path } of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
    return [...counts]
      .filter(([, count]) => count > files)
      .map(([folder, count]) => `${folder}:1 holds ${count} files; at most ${files} are found at a glance`)
  }

/** Functions, methods and their types take at most so many parameters, but for what lies under `except`. */
export const noMoreParametersThan = (most: number, except: ReadonlyArray<string>): Rule =>
  each(({ code, path }) =>
    except.some((under) => path.startsWith(under))
      ? []
      : parameterLists(code)
          .filter(({ count }) => count > most)
          .map(({ at, count }) => `${path}:${locate(code, at)} takes ${count} parameters; ${most} at most`)
  )

/** A function with all that is inside it has at most so many lines, but for what lies under `except`. */
export const noFunctionOver = (lines: number, except: ReadonlyArray<string>): Rule =>
  each(({ code, path }) =>
    except.some((under) => path.startsWith(under))
      ? []
      : functionBodies(code)
          .filter(({ from, to }) => to - from >= lines)
          .map(({ from, to }) => `${path}:${from} is a function of ${to - from + 1} lines; ${lines} at most`)
  )

export interface Ban {
  readonly pattern: RegExp
  /** Files that are exempt. */
  readonly except: RegExp
  readonly say: string
}

export interface Exception {
  readonly under: string
  readonly call: string
  readonly why: string
}

export const nothingBanned = (bans: ReadonlyArray<Ban>, exceptions: ReadonlyArray<Exception>): Rule =>
  each(({ path, code }) =>
    bans
      .filter(({ except }) => !except.test(path))
      .flatMap(({ pattern, say }) =>
        [...code.matchAll(pattern)]
          .filter(([call]) => !exceptions.some((it) => path.startsWith(it.under) && it.call === call))
          .map((hit) => `${path}:${locate(code, hit.index)} ${hit[0]}: ${say}`)
      )
  )

export const nothingSilenced: Rule = each(({ path, text }) =>
  [...text.matchAll(/@ts-(ignore|nocheck|expect-error)/g)].map(
    (hit) => `${path}:${locate(text, hit.index)} ${hit[0]}: if types fight you, the model is wrong`
  )
)

const RE_EXPORT = /\b(import|export)\b[^"'`;()=]*\bfrom\s*["'][^"']*["']|\bexport\s*(type\s*)?\{[^}]*\}|;/g

export const noBarrelsBut = (doors: RegExp): Rule =>
  each(({ path, bare }) => {
    const barrel = bare.replace(RE_EXPORT, "").trim() === "" && /\bexport\b/.test(bare)
    return barrel && !doors.test(path) ? [`${path}:1 only re-exports: import from the file itself`] : []
  })

export const topLevelHolds = (names: RegExp, paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(paths.map((path) => path.split("/")[0] ?? ""))]
    .filter((name) => !names.test(name))
    .map((name) => `${name}:1 has no place at the top of the repo`)

export const machinePaths = ({ path, text }: File): ReadonlyArray<string> =>
  [...text.matchAll(/(?<![\w.-])\/(?:work|home|root)\//g)].map(
    (hit) => `${path}:${locate(text, hit.index)} names a path of somebody's machine`
  )
