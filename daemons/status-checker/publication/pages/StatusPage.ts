/** The status page as one document without script. Pure. */
import { h } from "preact"
import type { Snapshot } from "../../status/Model.ts"
import { componentList } from "./ComponentList.ts"
import { icon, iconSheet, letters, tabIcon } from "./Icons.ts"
import { incident, maintenance } from "./IncidentParts.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { html, type PageBrand, pageHeaders } from "./Page.ts"
import { pastIncidents } from "./PastIncidents.ts"
import { checkAges, unknownReason } from "./PageStatus.ts"
import { subscribeForm } from "./SubscribeForm.ts"
import * as Times from "./Times.ts"
import { words } from "./Words.ts"

/** Headers of the page, also for the lane. */
export const statusPageHeaders: Readonly<Record<string, string>> = pageHeaders

export interface StatusPageOptions {
  /** Whether mail is configured. Default: true. */
  readonly subscribable?: boolean
  readonly brand?: PageBrand
}

export const statusPage = (
  snapshot: Snapshot,
  language: LanguageCode,
  { brand, subscribable = true }: StatusPageOptions = {}
): string => {
  const t = words(language)
  const { blind, checkedAt, stale } = checkAges(snapshot)
  const state = snapshot.status
  const reason = unknownReason(snapshot)
  const said =
    snapshot.components.length === 0 && state === "unknown"
      ? t.nothingWatched
      : reason === "checking"
        ? t.checkingAll
        : reason === "partly"
          ? t.measuredWell
          : t.banner[state]
  const open = snapshot.incidents.filter(({ status }) => status !== "resolved")
  return html(
    {
      language,
      title: `${said} – ${t.site}`,
      listed: true,
      brand,
      icon: tabIcon(state),
      description: `${t.site}: ${said}. ${t.subscribeText}`
    },
    iconSheet(),
    h(
      "div",
      { class: `banner ${letters[state]}` },
      icon(state),
      h(
        "div",
        null,
        h("h1", null, said),
        h(
          "p",
          null,
          ...(checkedAt === null
            ? [snapshot.components.length === 0 ? null : t.neverChecked]
            : [`${t.lastChecked}: `, Times.moment(checkedAt, language)])
        ),
        stale === 0
          ? null
          : h("p", null, blind ? (checkedAt === null ? null : t.allStale) : t.someStale({ count: stale }))
      ),
      subscribable ? h("a", { class: "button", href: "#subscribe" }, t.subscribeShort) : null
    ),
    open.length === 0
      ? null
      : h(
          "section",
          { "aria-labelledby": "open" },
          h("h2", { id: "open" }, t.openIncidents),
          ...open.map((one) => incident(one, snapshot.components, { language, heading: "h3" }))
        ),
    snapshot.maintenance.length === 0
      ? null
      : h(
          "section",
          { "aria-labelledby": "maintenance" },
          h("h2", { id: "maintenance" }, t.maintenance),
          ...snapshot.maintenance.map((one) => maintenance(one, snapshot, language))
        ),
    componentList(snapshot, language),
    pastIncidents(snapshot, language),
    subscribable
      ? h(
          "section",
          { class: "card", id: "subscribe", "aria-labelledby": "subscribe-title" },
          h("h2", { id: "subscribe-title" }, t.subscribe),
          h("p", null, t.subscribeText),
          subscribeForm({ language, components: snapshot.components.map(({ component }) => component) })
        )
      : null
  )
}
