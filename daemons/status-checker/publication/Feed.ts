/**
 * Atom feed of incidents. Sources: RFC 4287; RFC 4151 for the ids, which never change.
 *
 * The library feed 6.0.0 writes neither `xml:lang` nor the links to other languages, and needs a second XML writer.
 * It has 420 lines, this file 90.
 */
import type { Incident, Snapshot } from "../status/Model.ts"
import { shippedTexts } from "#core/words/ShippedTexts.ts"
import { type LanguageCode, offeredLanguages } from "#core/words/TextMemory.ts"
import { statusWords } from "./StatusWords.ts"
import { type Element, element, write } from "#core/html/Xml.ts"

export const feedType = "application/atom+xml; charset=utf-8"

/** Maximum number of entries, newest first. Reason: readers keep old entries themselves. */
const maxEntries = 50

/** Year in the tag URIs of the ids. Source: RFC 4151 §2.1, a date on which the owner held the host name. */
const since = "2026"

const words = shippedTexts("status-checker.feed", {
  en: { title: "Status", components: "Components" },
  de: { title: "Status", components: "Betroffen" }
})

export const feed = (snapshot: Snapshot, language: LanguageCode, base: string): string => {
  const host = new URL(base).hostname
  const idOf = (path: string) => `tag:${host},${since}:status-page/${path}`
  const entries = snapshot.incidents.slice(0, maxEntries)
  const link = (rel: string, type: string, href: string, more: Readonly<Record<string, string>> = {}) =>
    element("link", { rel, type, href, ...more })
  const own = (path: string, one: LanguageCode = language) => `${base}${path}?lang=${one}`
  const others = offeredLanguages().filter(({ code }) => code !== language)
  return write(
    element(
      "feed",
      { "xml:lang": language },
      element("id", {}, idOf(`feed/${language}`)),
      element("title", {}, `${words(language).title}: ${host}`),
      element("subtitle", {}, statusWords(language)[snapshot.status]),
      // Without incidents the current day, so that the feed does not change at every request.
      element("updated", {}, entries.map(updatedOf).reduce(later, `${snapshot.at.slice(0, 10)}T00:00:00.000Z`)),
      element("author", {}, element("name", {}, host)),
      link("self", "application/atom+xml", own("/feed.atom")),
      link("alternate", "text/html", own("/"), { hreflang: language }),
      ...others.map(({ code }) =>
        link("alternate", "application/atom+xml", own("/feed.atom", code), { hreflang: code })
      ),
      ...entries.map((one) => entry(one, snapshot, language, idOf, own("/")))
    ),
    "http://www.w3.org/2005/Atom"
  )
}

const entry = (
  one: Incident,
  snapshot: Snapshot,
  language: LanguageCode,
  idOf: (path: string) => string,
  page: string
): Element => {
  const names = snapshot.components
    .filter(({ component }) => one.components.includes(component.id))
    .map(({ component }) => (language === "de" ? component.name : component.name_en))
  const lines = one.updates
    .toReversed()
    .map(
      ({ message, message_en, status, timestamp }) =>
        `${timestamp} ${statusWords(language)[status]}: ${language === "de" ? message : message_en}`
    )
  return element(
    "entry",
    {},
    element("id", {}, idOf(`incident/${encodeURIComponent(one.id)}`)),
    element("title", { type: "text" }, language === "de" ? one.title : one.title_en),
    element("published", {}, one.created_at),
    element("updated", {}, updatedOf(one)),
    element("link", { rel: "alternate", type: "text/html", href: `${page}#incident-${encodeURIComponent(one.id)}` }),
    element("category", { term: one.status, label: statusWords(language)[one.status] }),
    element("category", { term: one.severity }),
    element(
      "content",
      { type: "text" },
      [...(names.length === 0 ? [] : [`${words(language).components}: ${names.join(", ")}`]), ...lines].join("\n\n")
    )
  )
}

const later = (a: string, b: string): string => (Date.parse(a) >= Date.parse(b) ? a : b)

const updatedOf = (one: Incident): string =>
  [...one.updates.map(({ timestamp }) => timestamp), ...(one.resolved_at === null ? [] : [one.resolved_at])].reduce(
    later,
    one.created_at
  )
