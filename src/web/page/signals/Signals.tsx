import { PageHead } from "../parts/PageHead.tsx"
import { Empty } from "../parts/States.tsx"

export const Signals = () => (
  <>
    <PageHead title="Signals" />
    <Empty title="This page is not built yet" />
  </>
)
