import { may } from "../../lib/Me.ts"
import { Page } from "../../parts/Page.tsx"
import { Own } from "./Own.tsx"
import { Sessions } from "./Sessions.tsx"
import { supportWords as t } from "./Words.ts"

/** Support: users request a code, and staff finds requests by their codes. */
export default () => (
  <Page title={t().title}>
    <Own />
    {may("customers.read") ? <Sessions /> : null}
  </Page>
)
