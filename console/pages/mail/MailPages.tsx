import { number } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { listHref, type Place } from "./Place.ts"

const t = words({
  en: {
    pages: "Pages",
    newer: "Newer",
    older: "Older",
    range: (from: string, to: string, of: string) => `${from}–${to} of ${of}`
  },
  de: {
    pages: "Seiten",
    newer: "Neuere",
    older: "Ältere",
    range: (from: string, to: string, of: string) => `${from}–${to} von ${of}`
  }
})

/** Messages or conversations per page. */
export const perPage = 50

interface Props {
  /** Entries on this page. */
  readonly count: number
  readonly of: { readonly page: number; readonly pages: number; readonly per_page: number; readonly total: number }
  readonly place: Place
}

/** Which entries are shown, and links to newer and older ones. */
export const MailPages = ({ count, of: { page, pages, per_page, total }, place }: Props) => (
  <div class="mail-pages" role="group" aria-label={t().pages}>
    <span>
      {t().range(
        number((page - 1) * per_page + Math.min(1, count)),
        number((page - 1) * per_page + count),
        number(total)
      )}
    </span>
    {page > 1 ? (
      <a class="button" href={listHref({ ...place, page: page - 1 })}>
        {t().newer}
      </a>
    ) : null}
    {page < pages ? (
      <a class="button" href={listHref({ ...place, page: page + 1 })}>
        {t().older}
      </a>
    ) : null}
  </div>
)
