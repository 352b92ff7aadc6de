import type { Answer } from "../../lib/Endpoints.ts"
import { words } from "../../lib/Language.ts"
import { RecordBadge } from "./Badges.tsx"

const t = words({
  en: { type: "Type", name: "Name", content: "Content", status: "Now", found: (values: string) => `found: ${values}` },
  de: {
    type: "Typ",
    name: "Name",
    content: "Inhalt",
    status: "Jetzt",
    found: (values: string) => `gefunden: ${values}`
  }
})

type Required = Pick<
  Answer<"GET /api/v1/domains/:id/dns-instructions">["required_records"][number],
  "content" | "found" | "name" | "status" | "type"
>

/** DNS records that a domain needs, and which of them exist. */
export const RecordTable = ({
  caption,
  items
}: {
  readonly caption: string
  readonly items: ReadonlyArray<Required>
}) =>
  items.length === 0 ? null : (
    <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption class="sr">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{t().type}</th>
            <th scope="col">{t().name}</th>
            <th scope="col">{t().content}</th>
            <th scope="col">{t().status}</th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ content, found, name, status, type }) => (
            <tr key={`${type} ${name} ${content}`}>
              <td>{type}</td>
              <td>
                <code>{name}</code>
              </td>
              <td>
                <code class="values">{content}</code>
              </td>
              <td>
                <RecordBadge of={status} />
                {status === "wrong" && found.length > 0 ? (
                  <>
                    <br />
                    <small>{t().found(found.join(", "))}</small>
                  </>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
