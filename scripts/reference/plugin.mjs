// Names every module as it is imported: `signalbox/domain/Order`, and not by its file.
import { readFileSync } from "node:fs"
import { Converter, ReflectionKind } from "typedoc"

/** @param {import("typedoc").Application} app */
export function load(app) {
  const names = new Map(JSON.parse(readFileSync(new URL("../../dist/reference.work/doors.json", import.meta.url), "utf8")))
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
      module.name = names.get(module.name) ?? module.name
    }
  })
}
