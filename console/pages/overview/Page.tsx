import { words } from "../../lib/Language.ts"
import { Page } from "../../parts/Page.tsx"

const t = words({ en: { title: "Overview" }, de: { title: "Überblick" } })

export default () => <Page title={t().title}>{null}</Page>
