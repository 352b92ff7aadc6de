import { useRoute } from "preact-iso"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Empty } from "../../parts/Empty.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { Page } from "../../parts/Page.tsx"
import { FolderMenu } from "./FolderMenu.tsx"
import { Folders } from "./Folders.tsx"
import { titleOfNamed } from "./FolderNames.ts"
import { ListView } from "./ListView.tsx"
import { MessageView } from "./MessageView.tsx"
import { composeHref, type Place, placeOf } from "./Place.ts"
import { type Account, changes, mailEvents } from "./Shapes.ts"
import "./mail.css"

const t = words({
  en: {
    title: "Mail",
    none: "You have no mailbox yet",
    about:
      "Add an account of any mail server, or ask an administrator for a mailbox here. Its folders and mails are then " +
      "shown on this page.",
    add: "Add an account",
    write: "New mail"
  },
  de: {
    title: "Mail",
    none: "Sie haben noch kein Postfach",
    about:
      "Fügen Sie das Konto eines beliebigen Mailservers hinzu, oder bitten Sie Ihre Administration um ein Postfach. " +
      "Seine Ordner und Mails stehen dann auf dieser Seite.",
    add: "Konto hinzufügen",
    write: "Neue Mail"
  }
})

/** Mail page; shows a hint and loads nothing more when the user has no mailbox. */
export default () => {
  const { params, query } = useRoute()
  const place = placeOf(params["folder"], query)
  const uid = /^[1-9]\d{0,9}$/.test(params["uid"] ?? "") ? Number(params["uid"]) : undefined
  const accounts = useLoad(() => call("GET /api/v1/mail/webmail/accounts", { query: { limit: 200 } }), [], {
    live: ["mail.account.*"]
  })
  const known = accounts.value.value?.items
  if (known === undefined)
    return (
      <Page title={t().title}>
        <Loading of={accounts}>{() => null}</Loading>
      </Page>
    )
  if (known.length > 0) return <Mail accounts={known} place={place} uid={uid} />
  return (
    <Page title={t().title}>
      <Empty title={t().none} text={t().about}>
        <a class="button primary" href="/console/mailboxes">
          {t().add}
        </a>
      </Empty>
    </Page>
  )
}

/** Folders next to a message list or a message. */
const Mail = ({
  accounts,
  place,
  uid
}: {
  readonly accounts: ReadonlyArray<Account>
  readonly place: Place
  readonly uid: number | undefined
}) => {
  const folders = useLoad(
    () => call("GET /api/v1/mail/webmail/folders", { query: { account: place.account } }),
    [place.account, changes.value],
    { live: mailEvents }
  )
  const known = folders.value.value?.items ?? []
  const write = (
    <a class="button write" href={composeHref(place.account)}>
      {t().write}
    </a>
  )
  return (
    <div class="mail">
      <Folders accounts={accounts} folders={folders} place={place} />
      <div class="mail-main">
        {uid === undefined ? (
          <Page
            title={titleOfNamed(place.folder, known)}
            actions={
              <>
                {write}
                <FolderMenu account={place.account} folder={known.find(({ name }) => name === place.folder)} />
              </>
            }
          >
            <ListView key={JSON.stringify(place)} folders={known} place={place} />
          </Page>
        ) : (
          <MessageView key={`${place.account} ${place.folder} ${uid}`} folders={known} place={place} uid={uid} />
        )}
      </div>
    </div>
  )
}
