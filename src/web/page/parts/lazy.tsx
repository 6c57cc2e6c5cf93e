// A component that is loaded when it is first shown.
import type { ComponentType } from "preact"
import { useEffect, useState } from "preact/hooks"
import { Problem } from "../Problem.ts"
import { Failed, Loading } from "./States.tsx"

const GONE = new Problem(
  0,
  "unreachable",
  "This part could not be loaded: the server is unreachable or has a new version. Reload the page."
)

export const lazy = <Props extends object>(
  load: () => Promise<ComponentType<Props>>
): ((props: Props) => ReturnType<typeof Loading>) => {
  let known: ComponentType<Props> | undefined
  return (props) => {
    const [, draw] = useState({})
    const [failed, setFailed] = useState(false)
    useEffect(() => {
      if (known !== undefined) return
      load().then(
        (found) => {
          known = found
          draw({})
        },
        () => setFailed(true)
      )
    }, [])
    const Part = known
    if (Part !== undefined) return <Part {...props} />
    return failed ? <Failed problem={GONE} retry={() => location.reload()} /> : <Loading />
  }
}
