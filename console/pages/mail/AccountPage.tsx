import { useLocation, useRoute } from "preact-iso"
import type { ComponentChildren } from "preact"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Empty } from "../../parts/Empty.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { Page } from "../../parts/Page.tsx"
import { AccountChoice } from "./AccountChoice.tsx"
import { placeOf } from "./Place.ts"
import "./mail.css"

const t = words({
  en: { none: "You have no mailbox yet. Each mailbox has its own list.", add: "Add an account" },
  de: { none: "Sie haben noch kein Postfach. Jedes Postfach hat seine eigene Liste.", add: "Konto hinzufügen" }
})

interface Props {
  readonly title: string
  /** Path of the page: `/console/contacts`. */
  readonly path: string
  /** What the page shows for the account; undefined for the default account. */
  readonly children: (account: string | undefined) => ComponentChildren
}

/** Page with what belongs to one mail account of the user. The address names the account. */
export const AccountPage = ({ children, path, title }: Props) => {
  const { query } = useRoute()
  const { route } = useLocation()
  const { account } = placeOf(undefined, query)
  const accounts = useLoad(() => call("GET /api/v1/mail/webmail/accounts", { query: { limit: 200 } }), [], {
    live: ["mail.account.*"]
  })
  return (
    <Page title={title}>
      <Loading of={accounts}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty text={t().none}>
              <a class="button" href="/console/mailboxes">
                {t().add}
              </a>
            </Empty>
          ) : (
            <>
              <div class="account-choice">
                <AccountChoice
                  account={account}
                  accounts={items}
                  choose={(chosen) => route(`${path}?account=${chosen}`)}
                />
              </div>
              {children(account)}
            </>
          )
        }
      </Loading>
    </Page>
  )
}
