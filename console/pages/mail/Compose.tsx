import { useRoute } from "preact-iso"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { me } from "../../lib/Me.ts"
import { Loading } from "../../parts/Loading.tsx"
import { Page } from "../../parts/Page.tsx"
import { beginningOf } from "./Begin.ts"
import { letterOf, letters } from "./Letter.ts"
import { meant } from "./MeantAccount.ts"
import { placeOf } from "./Place.ts"
import { Writing } from "./Writing.tsx"
import "./mail.css"

const t = words({
  en: {
    title: "New mail",
    reply: "Reply",
    forward: "Forward",
    draft: "Draft",
    none: "You have no mailbox to write from.",
    add: "Add an account"
  },
  de: {
    title: "Neue Mail",
    reply: "Antwort",
    forward: "Weiterleitung",
    draft: "Entwurf",
    none: "Sie haben kein Postfach, aus dem Sie schreiben könnten.",
    add: "Konto hinzufügen"
  }
})

/** Page for writing a mail. The URL selects its initial content. */
export default () => {
  const { query } = useRoute()
  const account = placeOf(undefined, query).account
  const key = `${me.value?.id} ${JSON.stringify(query)}`
  const begun = useLoad(async () => {
    const { items } = await call("GET /api/v1/mail/webmail/accounts", { query: { limit: 200 } })
    const from = items.find(({ id }) => String(id) === account) ?? meant(items)
    if (from === undefined) return { items, from, letter: undefined }
    const letter = letters.get(key) ?? letterOf(await beginningOf(query, account, from.address))
    letters.set(key, letter)
    return { items, from, letter }
  }, [key])
  const title =
    "draft" in query
      ? t().draft
      : "forward" in query
        ? t().forward
        : "reply" in query || "all" in query
          ? t().reply
          : t().title
  return (
    <div class="compose">
      <Page title={title}>
        <Loading of={begun}>
          {({ from, letter }) =>
            from === undefined || letter === undefined ? (
              <>
                <p class="empty">{t().none}</p>
                <p>
                  <a class="button" href="/console/mailboxes">
                    {t().add}
                  </a>
                </p>
              </>
            ) : (
              <Writing
                key={key}
                account={account}
                done={() => letters.delete(key)}
                from={from}
                letter={letter}
                query={query}
              />
            )
          }
        </Loading>
      </Page>
    </div>
  )
}
