import { Page } from "../../parts/Page.tsx"
import { List } from "../telephony/List.tsx"
import { mailDomains, mailDomainWords } from "./Kinds.tsx"

/** Mail domains: list, create, delete. Each has a page with its mailboxes, aliases, DNS records and keys. */
export default () => (
  <Page title={mailDomainWords().domains}>
    <List of={mailDomains} />
  </Page>
)
