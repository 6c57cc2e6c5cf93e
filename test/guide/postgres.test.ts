// The guide's compose file is one: what it names it declares, and what the image of Signalbox keeps outlives a container.
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { Schema } from "effect"
import { blocks } from "../lib/pages.ts"

const written = (page: string, language: string): ReadonlyArray<string> =>
  blocks(readFileSync(resolve(import.meta.dir, `../../src/guide/${page}.md`), "utf8"), language)

const Names = Schema.Array(Schema.String)
const Declared = Schema.Record({ key: Schema.String, value: Schema.Unknown })
const Compose = Schema.Struct({
  services: Schema.Record({
    key: Schema.String,
    value: Schema.Struct({ volumes: Names, secrets: Names })
  }),
  volumes: Declared,
  secrets: Declared
})

test("the compose file declares what it names, and keeps every folder that the image of Signalbox writes", () => {
  const [text = ""] = written("postgres", "yaml")
  const { secrets, services, volumes } = Schema.decodeUnknownSync(Compose)(Bun.YAML.parse(text))
  const all = Object.values(services)
  const named = all.flatMap((service) => service.volumes.map((volume) => volume.split(":")[0]))
  expect(named.sort()).toEqual(Object.keys(volumes).sort())
  expect(all.flatMap((service) => service.secrets).sort()).toEqual(Object.keys(secrets).sort())
  const [, folders = ""] = /^VOLUME (.*)$/m.exec(written("running", "dockerfile").join("\n")) ?? []
  const kept = services["signalbox"]?.volumes.map((volume) => volume.split(":")[1])
  expect(kept).toEqual(folders.split(" "))
})
