import { PageHead } from "../parts/PageHead.tsx"
import { Empty } from "../parts/States.tsx"

export const Strategy = () => (
  <>
    <PageHead title="Strategy" />
    <Empty title="This page is not built yet" />
  </>
)
