import type { Suite } from "./lib/Stage.ts"

const suite: Suite = async () => {}
export default suite
