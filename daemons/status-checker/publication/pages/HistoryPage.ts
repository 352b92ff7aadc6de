/** Paged list of all incidents, newest first. Pure. */
import { h } from "preact"
import type { HttpServerResponse } from "effect/http"
import type { Snapshot } from "../../status/Model.ts"
import { iconSheet } from "./Icons.ts"
import { incident } from "./IncidentParts.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { answer } from "./Page.ts"
import { words } from "./Words.ts"

/** Incidents per page. */
export const perPage = 20

/** `page` starts at 1; pages beyond the last show the last one. */
export const historyPage = (
  { components, incidents }: Snapshot,
  language: LanguageCode,
  page: number
): HttpServerResponse.HttpServerResponse => {
  const t = words(language)
  const pages = Math.max(1, Math.ceil(incidents.length / perPage))
  const here = Math.min(Math.max(1, page), pages)
  const address = (to: number, one: LanguageCode = language) => `/history?page=${to}&lang=${one}`
  const shown = incidents.slice((here - 1) * perPage, here * perPage)
  return answer(
    { language, title: `${t.allIncidents} – ${t.site}`, listed: true, address: (one) => address(here, one) },
    iconSheet(),
    h("h1", null, t.allIncidents),
    shown.length === 0
      ? h("p", { class: "quiet" }, t.noIncidents)
      : h(
          "div",
          { class: "list" },
          ...shown.map((one) => incident(one, components, { language, heading: "h2", folded: true }))
        ),
    pages === 1
      ? null
      : h(
          "nav",
          { class: "pager", "aria-label": t.pages },
          here > 1 ? h("a", { rel: "prev", href: address(here - 1) }, t.newer) : null,
          h("span", null, t.pageOf({ page: here, pages })),
          here < pages ? h("a", { rel: "next", href: address(here + 1) }, t.older) : null
        ),
    h("p", null, h("a", { href: `/?lang=${language}` }, t.toStatus))
  )
}
