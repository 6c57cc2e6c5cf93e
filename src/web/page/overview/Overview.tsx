import { PageHead } from "../parts/PageHead.tsx"
import { Empty } from "../parts/States.tsx"

export const Overview = () => (
  <>
    <PageHead title="Overview" />
    <Empty title="This page is not built yet" />
  </>
)
