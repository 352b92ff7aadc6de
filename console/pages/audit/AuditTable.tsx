import type { Answer } from "../../lib/Endpoints.ts"
import { words } from "../../lib/Language.ts"
import { At } from "../../parts/When.tsx"
import { actionTitle } from "./ActionWords.ts"
import { detailTitle, detailValue } from "./DetailWords.ts"
import { objectTitle } from "./ObjectWords.ts"
import "./audit.css"

export type Entry = Answer<"GET /api/v1/audit">["items"][number]

const t = words({
  en: {
    at: "Time",
    actor: "Who",
    action: "What",
    object: "On what",
    address: "From",
    detail: "Details",
    user: (id: string) => `User ${id}`,
    service: (id: string) => `Service token ${id}`,
    edge: (id: string) => `User ${id} of edge-auth`,
    operator: "Command line",
    system: "Signalbox",
    nobody: "Nobody signed in",
    only: (what: string) => `Only entries of ${what}`
  },
  de: {
    at: "Zeit",
    actor: "Wer",
    action: "Was",
    object: "Woran",
    address: "Von",
    detail: "Einzelheiten",
    user: (id: string) => `Benutzer ${id}`,
    service: (id: string) => `Dienst-Token ${id}`,
    edge: (id: string) => `Benutzer ${id} von edge-auth`,
    operator: "Kommandozeile",
    system: "Signalbox",
    nobody: "Niemand angemeldet",
    only: (what: string) => `Nur Einträge von ${what}`
  }
})

/** Name of an actor in words. `names`: names of users by id. */
export const actorTitle = (actor: string, names: ReadonlyMap<string, string>): string => {
  const [kind, id = ""] = actor.split(":", 2)
  switch (kind) {
    case "user":
      return names.get(id) ?? t().user(id)
    case "service":
      return t().service(id)
    case "edge":
      return t().edge(id)
    case "operator":
    case "system":
    case "nobody":
      return t()[kind]
    default:
      return actor
  }
}

/** Longest value in a row. Unit: characters. Reason: a longer one is in its tooltip. */
const longestValue = 80

/** Longest id in a row. Unit: characters. Reason: UUIDs are longer, and their start is enough to tell them apart. */
const longestId = 20

/** Characters shown of a longer id. */
const shortId = 8

const idText = (id: string): string => (id.length > longestId ? `${id.slice(0, shortId)}…` : id)

/** Details of an entry, one line for each; tooltips have their codes. Values are text, whatever they contain. */
const Details = ({ of }: { readonly of: Entry["detail"] }) => (
  <ul class="audit-detail">
    {Object.entries(of).map(([name, value]) => {
      const text = detailValue(name, value)
      const isLong = text.length > longestValue
      return (
        <li key={name} {...(isLong ? { title: text } : {})}>
          <span class="soft" title={name}>
            {detailTitle(name)}:
          </span>{" "}
          {isLong ? `${text.slice(0, longestValue)} …` : text}
        </li>
      )
    })}
  </ul>
)

/** Entries of the audit log. Actor, action and object are links that filter by them; tooltips have the codes. */
export const AuditTable = ({
  entries,
  href,
  labelledBy,
  names
}: {
  readonly entries: ReadonlyArray<Entry>
  /** Address of this page with other filters. */
  readonly href: (filters: Readonly<Record<string, string>>) => string
  readonly names: ReadonlyMap<string, string>
  readonly labelledBy: string
}) => (
  <div class="scroll" tabIndex={0} role="region" aria-labelledby={labelledBy}>
    <table class="audit">
      <thead>
        <tr>
          <th scope="col">{t().at}</th>
          <th scope="col">{t().actor}</th>
          <th scope="col">{t().action}</th>
          <th scope="col">{t().object}</th>
          <th scope="col">{t().address}</th>
          <th scope="col">{t().detail}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ action, actor, address, at, detail, entity_id, entity_type, id }) => {
          const who = actorTitle(actor, names)
          const what = `${objectTitle(entity_type)} ${entity_id}`
          return (
            <tr key={id}>
              <td>
                <At at={at} />
              </td>
              <td>
                <a href={href({ actor })} title={t().only(who)}>
                  {who}
                </a>
              </td>
              <td>
                <a href={href({ action })} title={t().only(action)}>
                  {actionTitle(action)}
                </a>
              </td>
              <td>
                <a href={href({ entity_type, entity_id })} title={t().only(what)}>
                  {objectTitle(entity_type)} {idText(entity_id)}
                </a>
              </td>
              <td>{address ?? "–"}</td>
              <td>
                <Details of={detail} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  </div>
)
