// Writes the tree of an expression as text, with no more brackets than it needs. Reading the text gives the same tree.
import { NAMESPACES, PRECEDENCE, type Syntax, UNARY_PRECEDENCE } from "./Syntax.ts"

/** The expression as text. */
export const print = (tree: Syntax): string => {
  switch (tree._tag) {
    case "Number":
      return String(tree.value)
    case "Boolean":
      return String(tree.value)
    case "Text":
      return `"${tree.value}"`
    case "Name":
      return tree.name
    case "Unary": {
      const operand = within(tree.operand, UNARY_PRECEDENCE)
      return tree.operator === "not" ? `not ${operand}` : `${tree.operator}${operand}`
    }
    case "Binary": {
      const own = PRECEDENCE[tree.operator]
      return `${within(tree.left, own)} ${tree.operator} ${within(tree.right, own + 1)}`
    }
    case "Conditional":
      return `${within(tree.condition, 1)} ? ${print(tree.then)} : ${print(tree.other)}`
    case "Call":
      return `${tree.name}(${tree.inputs.map(print).join(", ")})`
    case "Output":
      return `${within(tree.of, POSTFIX)}.${tree.output}`
    case "History":
      return `${within(tree.of, POSTFIX)}[${print(tree.rows)}]`
  }
}

const POSTFIX = UNARY_PRECEDENCE + 1

/** In brackets, if it binds less tightly than its place demands. */
const within = (tree: Syntax, least: number): string =>
  precedenceOf(tree) < least ? `(${print(tree)})` : print(tree)

const precedenceOf = (tree: Syntax): number => {
  switch (tree._tag) {
    case "Conditional":
      return 0
    case "Binary":
      return PRECEDENCE[tree.operator]
    case "Unary":
    case "Number":
      return UNARY_PRECEDENCE
    case "Name":
      return NAMESPACES.has(tree.name) ? UNARY_PRECEDENCE : POSTFIX + 1
    default:
      return POSTFIX + 1
  }
}
