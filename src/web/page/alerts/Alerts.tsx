import { PageHead } from "../parts/PageHead.tsx"
import { Empty } from "../parts/States.tsx"

export const Alerts = () => (
  <>
    <PageHead title="Alerts" />
    <Empty title="This page is not built yet" />
  </>
)
