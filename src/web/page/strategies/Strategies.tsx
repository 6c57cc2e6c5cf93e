import { PageHead } from "../parts/PageHead.tsx"
import { Empty } from "../parts/States.tsx"

export const Strategies = () => (
  <>
    <PageHead title="Strategies" />
    <Empty title="This page is not built yet" />
  </>
)
