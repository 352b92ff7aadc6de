import { words } from "../../lib/Language.ts"
import type { Loaded } from "../../lib/Load.ts"
import { Badge, type Tone } from "../../parts/Badge.tsx"
import { Loading } from "../../parts/Loading.tsx"
import type { Fleet } from "../daemons/Fleet.ts"
import { Card } from "./Card.tsx"

const tones: Readonly<Record<string, Tone>> = { ok: "success", degraded: "warning", down: "error" }

const t = words({
  en: {
    title: "Daemons",
    ok: "ok",
    degraded: "degraded",
    down: "down",
    more: "All daemons",
    list: "State of each daemon"
  },
  de: {
    title: "Daemons",
    ok: "in Ordnung",
    degraded: "eingeschränkt",
    down: "ausgefallen",
    more: "Alle Daemons",
    list: "Zustand der Daemons"
  }
})

const word = (status: string): string => (t() as Readonly<Record<string, string>>)[status] ?? status

/** States of all daemons. `fleet`: asked by the page, which also shows the reasons. */
export const DaemonsCard = ({ fleet }: { readonly fleet: Loaded<Fleet | undefined> }) => (
  <Card title={t().title} more={{ href: "/console/daemons", text: t().more }}>
    <Loading of={fleet}>
      {(found) => (
        <ul class="plain-rows" aria-label={t().list}>
          {(found?.daemons ?? []).map(({ name, status }) => (
            <li key={name}>
              <a class="row-link" href={`/console/daemons?open=${encodeURIComponent(name)}`}>
                <span>{name}</span>
                <Badge tone={tones[status] ?? "quiet"}>{word(status)}</Badge>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Loading>
  </Card>
)
