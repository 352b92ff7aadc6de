import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Loading } from "../../parts/Loading.tsx"
import { MailPages, perPage } from "./MailPages.tsx"
import type { Place } from "./Place.ts"
import { changes, mailEvents } from "./Shapes.ts"
import { Threads } from "./Threads.tsx"

const t = words({ en: { none: "No mail here." }, de: { none: "Hier ist keine Mail." } })

/** Conversations of a folder, page by page. */
export const ThreadList = ({ place }: { readonly place: Place }) => {
  const { account, folder, page } = place
  const list = useLoad(
    () =>
      call("GET /api/v1/mail/webmail/threads/:folder", {
        params: { folder },
        query: { account, page, per_page: perPage }
      }),
    [changes.value],
    { live: mailEvents }
  )
  return (
    <Loading of={list}>
      {({ items, ...of }) =>
        items.length === 0 && of.page === 1 ? (
          <p class="empty">{t().none}</p>
        ) : (
          <>
            <Threads items={items} place={place} />
            <MailPages count={items.length} of={of} place={place} />
          </>
        )
      }
    </Loading>
  )
}
