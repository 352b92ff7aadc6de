import { useFirstFocus } from "../../lib/FirstFocus.ts"
import { words } from "../../lib/Language.ts"
import type { Sent } from "./Drafts.ts"
import { composeHref, listHref } from "./Place.ts"

const t = words({
  en: {
    sent: "The mail is sent.",
    rejected: "The mail server did not take it for:",
    copy: "Its copy is not in the folder of sent mail yet; that is tried for a day.",
    back: "To the inbox",
    another: "Another mail"
  },
  de: {
    sent: "Die Mail ist gesendet.",
    rejected: "Der Mailserver nahm sie nicht an für:",
    copy: "Ihre Kopie liegt noch nicht bei den gesendeten Mails; das wird einen Tag lang versucht.",
    back: "Zum Posteingang",
    another: "Noch eine Mail"
  }
})

/** Result of sending a mail. */
export const SentNote = ({ account, sent }: { readonly account: string | undefined; readonly sent: Sent }) => {
  const told = useFirstFocus<HTMLDivElement>()
  return (
    <div ref={told} class="card sent" tabIndex={-1} role="status">
      <p>
        <strong>{t().sent}</strong>
      </p>
      {sent.rejected.length === 0 ? null : (
        <>
          <p>{t().rejected}</p>
          <ul>
            {sent.rejected.map(({ address, detail }) => (
              <li key={address}>
                {address}: {detail}
              </li>
            ))}
          </ul>
        </>
      )}
      {sent.sent_copy === false ? <p>{t().copy}</p> : null}
      <p class="page-actions">
        <a class="button" href={listHref({ account, folder: "INBOX" })}>
          {t().back}
        </a>
        <a class="button" href={composeHref(account)}>
          {t().another}
        </a>
      </p>
    </div>
  )
}
