/** Renders incidents with their updates, and maintenance. Pure. */
import { h } from "preact"
import type { Component, Incident, Maintenance, Snapshot } from "../../status/Model.ts"
import { icon, stateOf } from "./Icons.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { messageOf, nameOf, titleOf } from "./Localised.ts"
import * as Times from "./Times.ts"
import { words } from "./Words.ts"

/** `h1` when the page shows only this incident. */
type Heading = "h1" | "h2" | "h3" | "h4"

export const incidentAddress = ({ id }: Incident, language: LanguageCode): string =>
  `/incidents/${encodeURIComponent(id)}?lang=${language}`

/** Names of the affected components that are still declared. */
export const affected = (
  ids: ReadonlyArray<string>,
  components: ReadonlyArray<Pick<Component, "id" | "name" | "name_en">>,
  language: LanguageCode
) => {
  const names = components.filter(({ id }) => ids.includes(id)).map((component) => nameOf(component, language))
  return names.length === 0
    ? null
    : h("p", { class: "affects" }, `${words(language).affects}: ${Times.list(names, language)}`)
}

/** Updates, newest first. */
export const timeline = ({ updates }: Incident, language: LanguageCode) =>
  h(
    "ol",
    { class: "timeline" },
    ...updates
      .toReversed()
      .map((update) =>
        h(
          "li",
          { class: update.status },
          h(
            "p",
            { class: "when" },
            h("strong", null, words(language).incident[update.status]),
            " ",
            Times.moment(update.timestamp, language)
          ),
          h("p", { class: "said" }, messageOf(update, language))
        )
      )
  )

/** `folded`: all updates except the last are collapsed. */
export const incident = (
  one: Incident,
  components: Snapshot["components"],
  {
    folded = false,
    heading,
    language
  }: { readonly language: LanguageCode; readonly heading: Heading; readonly folded?: boolean }
) => {
  const t = words(language)
  const title = titleOf(one, language)
  const last = one.updates.at(-1)
  return h(
    "article",
    {
      class: `incident ${one.status === "resolved" ? "over" : one.severity}`,
      id: heading === "h1" ? undefined : `incident-${encodeURIComponent(one.id)}`
    },
    h(heading, null, heading === "h1" ? title : h("a", { href: incidentAddress(one, language) }, title)),
    h(
      "p",
      { class: "facts" },
      h(
        "span",
        { class: "state" },
        icon(one.status === "resolved" ? "operational" : stateOf[one.severity]),
        t.incident[one.status]
      ),
      h("span", null, t.severity[one.severity]),
      one.resolved_at === null
        ? h("span", null, `${t.began}: `, Times.moment(one.created_at, language))
        : h(
            "span",
            null,
            Times.span(one.created_at, one.resolved_at, language),
            ` (${Times.duration(Date.parse(one.resolved_at) - Date.parse(one.created_at), language)})`
          )
    ),
    affected(
      one.components,
      components.map(({ component }) => component),
      language
    ),
    !folded || last === undefined
      ? one.updates.length === 0
        ? null
        : timeline(one, language)
      : [
          h("p", { class: "said" }, messageOf(last, language)),
          one.updates.length === 1
            ? null
            : h(
                "details",
                null,
                h("summary", null, t.timeline, h("span", { class: "unseen" }, `: ${title}`)),
                timeline(one, language)
              )
        ]
  )
}

export const maintenance = (one: Maintenance, snapshot: Snapshot, language: LanguageCode) => {
  const t = words(language)
  const underWay = Date.parse(one.starts_at) <= Date.parse(snapshot.at)
  const message = messageOf(one, language)
  return h(
    "article",
    { class: `incident work${underWay ? " now" : ""}` },
    h("h3", null, titleOf(one, language)),
    h(
      "p",
      { class: "facts" },
      h("span", { class: "state" }, icon("under_maintenance"), underWay ? t.underWay : t.announced),
      Times.span(one.starts_at, one.ends_at, language)
    ),
    affected(
      one.components,
      snapshot.components.map(({ component }) => component),
      language
    ),
    message === "" ? null : h("p", { class: "said" }, message)
  )
}
