// How TypeDoc is to read our declarations.
import { readFileSync } from "node:fs"
import { Converter, ReflectionKind } from "typedoc"

/** @param {import("typedoc").Application} app */
export function load(app) {
  showNames(app.converter)
  const names = new Map(
    JSON.parse(readFileSync(new URL("../../dist/reference.work/doors.json", import.meta.url), "utf8"))
  )
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    // A module is called as it is imported.
    for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
      module.name = names.get(module.name) ?? module.name
    }
    project.getReflectionsByKind(ReflectionKind.Class).forEach((made) => tidy(project, made))
  })
  const last = -1_000
  const forget = ({ project }) => {
    for (const member of project.getReflectionsByKind(ReflectionKind.ClassMember)) {
      delete member.inheritedFrom
      delete member.overwrites
      for (const signature of member.signatures ?? []) delete signature.inheritedFrom
    }
  }
  app.converter.on(Converter.EVENT_RESOLVE_END, forget, last)
}

/** A type is shown as it was written, not as what it comes to: `Order`, and not its eighteen fields. */
const showNames = (converter) => {
  const convert = converter.convertType.bind(converter)
  converter.convertType = (context, type, node) => {
    if (type === undefined || node?.parent === undefined || !isOurs(node)) return convert(context, type, node)
    // What was written stands for something else where a type was filled in.
    const written = context.checker.getTypeAtLocation(node)
    return context.checker.isTypeAssignableTo(written, type) ? convert(context, node) : convert(context, type, node)
  }
}

const isOurs = (node) => node.getSourceFile().fileName.includes("/dist/api/types/")

/** What a class is made from has a name of the compiler's; and nobody constructs a service. */
const tidy = (project, made) => {
  const children = made.children ?? []
  const base = made.extendedTypes?.some((type) => /_base\b/.test(type.toString())) === true
  if (base) delete made.extendedTypes
  const isService = !base && children.some(({ name }) => /^layer/.test(name))
  for (const child of children) {
    const isNoise = child.name === "_tag" || (isService && child.kindOf(ReflectionKind.Constructor))
    if (isNoise) project.removeReflection(child)
  }
}
