/** Page of one incident, with a permanent address. Pure. */
import { h } from "preact"
import type { HttpServerResponse } from "effect/http"
import type { Incident, Snapshot } from "../../status/Model.ts"
import { iconSheet } from "./Icons.ts"
import { incident, incidentAddress } from "./IncidentParts.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { answer } from "./Page.ts"
import { titleOf } from "./Localised.ts"
import { words } from "./Words.ts"

export const incidentPage = (
  one: Incident,
  components: Snapshot["components"],
  language: LanguageCode
): HttpServerResponse.HttpServerResponse => {
  const t = words(language)
  return answer(
    {
      language,
      title: `${titleOf(one, language)} – ${t.site}`,
      listed: true,
      address: (other) => incidentAddress(one, other)
    },
    iconSheet(),
    incident(one, components, { language, heading: "h1" }),
    h("p", null, h("a", { href: `/?lang=${language}` }, t.toStatus))
  )
}

/** 404 as a page. */
export const notFoundPage = (language: LanguageCode): HttpServerResponse.HttpServerResponse => {
  const t = words(language)
  return answer(
    { language, title: t.notFound, status: 404 },
    h(
      "section",
      { class: "card slim bad" },
      h("h1", null, t.notFound),
      h("p", null, t.notFoundText),
      h("p", null, h("a", { href: `/?lang=${language}` }, t.toStatus))
    )
  )
}
