import { PageHead } from "../parts/PageHead.tsx"
import { Empty } from "../parts/States.tsx"

export const Backtest = () => (
  <>
    <PageHead title="Back-test" />
    <Empty title="This page is not built yet" />
  </>
)
