import { PageHead } from "../parts/PageHead.tsx"
import { Empty } from "../parts/States.tsx"

export const Settings = () => (
  <>
    <PageHead title="Settings" />
    <Empty title="This page is not built yet" />
  </>
)
