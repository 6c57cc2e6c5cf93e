// `sbom`: what the program is made of, as CycloneDX, from the lock file alone: dist/sbom.json. The same every time.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { path, report } from "./command.ts"

export interface Component {
  readonly type: "library"
  readonly "bom-ref": string
  readonly name: string
  readonly version: string
  readonly purl: string
  /** Excluded: only for building or testing, not part of the program. */
  readonly scope: "required" | "excluded"
  readonly hashes: ReadonlyArray<{ readonly alg: string; readonly content: string }>
  readonly licenses?: ReadonlyArray<Licence>
}

type Licence = { readonly license: { readonly id: string } } | { readonly expression: string }

interface Package {
  readonly name: string
  readonly version: string
  readonly integrity: string
  readonly needs: ReadonlyArray<string>
}

/** The runtime is part of the program, though package.json lists it as a tool. */
const RUNTIME = "bun"

export const sbom = (): number => {
  const document = describe(read("bun.lock"), read("package.json"), licenceOf)
  mkdirSync(path("dist"), { recursive: true })
  writeFileSync(path("dist/sbom.json"), `${JSON.stringify(document, null, 2)}\n`)
  const named = document.components.filter(({ licenses }) => licenses !== undefined).length
  report("sbom", `dist/sbom.json, ${document.components.length} packages, ${named} with their licence`)
  return 0
}

const read = (name: string) => readFileSync(path(name), "utf8")

/** The licence that an installed package names; packages for other systems are not installed. */
const licenceOf = (name: string): string | undefined => {
  const file = path(`node_modules/${name}/package.json`)
  if (!existsSync(file)) return undefined
  const { license }: { readonly license?: unknown } = JSON.parse(readFileSync(file, "utf8"))
  return typeof license === "string" ? license : undefined
}

export const describe = (lock: string, manifest: string, licence: (name: string) => string | undefined) => {
  const packages = packagesOf(lock)
  const { dependencies, name, version }: Manifest = JSON.parse(manifest)
  const shipped = reachable(packages, [...Object.keys(dependencies), RUNTIME])
  const refs = new Map(packages.map((one) => [one.name, purlOf(one)]))
  const refsOf = (names: ReadonlyArray<string>) =>
    [...new Set(names.flatMap((it) => refs.get(it) ?? []))].sort()
  const components = packages
    .map((one) => component(one, shipped.has(one.name), licence(one.name)))
    .sort((a, b) => (a.purl < b.purl ? -1 : 1))
  const root = `pkg:npm/${name}@${version}`
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": root,
        name,
        version,
        purl: root,
        licenses: [{ license: { id: "MIT" } }]
      }
    },
    components,
    dependencies: [
      { ref: root, dependsOn: refsOf([...Object.keys(dependencies), RUNTIME]) },
      ...packages.map((one) => ({ ref: purlOf(one), dependsOn: refsOf(one.needs) }))
    ]
  } as const
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
}

/** Every package of the lock file, which is JSON but for its trailing commas. */
export const packagesOf = (lock: string): ReadonlyArray<Package> => {
  const { packages }: { readonly packages: Readonly<Record<string, ReadonlyArray<unknown>>> } = JSON.parse(
    lock.replace(/,(\s*[}\]])/g, "$1")
  )
  const all = Object.values(packages).map((entry) => {
    const id = String(entry[0])
    const at = id.lastIndexOf("@")
    const integrity = entry.find((part) => typeof part === "string" && /^sha\d+-/.test(part))
    return {
      name: id.slice(0, at),
      version: id.slice(at + 1),
      integrity: String(integrity ?? ""),
      needs: needsOf(entry)
    }
  })
  return [...new Map(all.map((one) => [purlOf(one), one])).values()]
}

const needsOf = (entry: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  entry
    .filter((part) => typeof part === "object" && part !== null)
    .flatMap((part) => Object.entries(part))
    .filter(([kind]) => /^(dependencies|peerDependencies|optionalDependencies)$/.test(kind))
    .flatMap(([, names]) => Object.keys(names))

const purlOf = ({ name, version }: Pick<Package, "name" | "version">): string =>
  `pkg:npm/${name.replace("@", "%40")}@${version}`

const reachable = (packages: ReadonlyArray<Package>, roots: ReadonlyArray<string>): ReadonlySet<string> => {
  const found = new Set<string>()
  const queue = [...roots]
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (found.has(name)) continue
    found.add(name)
    queue.push(...packages.filter((one) => one.name === name).flatMap(({ needs }) => needs))
  }
  return found
}

const component = (one: Package, isShipped: boolean, licence: string | undefined): Component => ({
  type: "library",
  "bom-ref": purlOf(one),
  name: one.name,
  version: one.version,
  purl: purlOf(one),
  scope: isShipped ? "required" : "excluded",
  hashes: hashesOf(one.integrity),
  ...(licence === undefined ? {} : { licenses: [licenceAs(licence)] })
})

/** `sha512-…` in Base64, as the format wants it. */
const hashesOf = (integrity: string): Component["hashes"] => {
  const [, bits, digest = ""] = /^sha(\d+)-(.+)$/.exec(integrity) ?? []
  return bits === undefined
    ? []
    : [{ alg: `SHA-${bits}`, content: Buffer.from(digest, "base64").toString("hex") }]
}

const licenceAs = (text: string): Licence =>
  /^[A-Za-z0-9.+-]+$/.test(text) ? { license: { id: text } } : { expression: text }
