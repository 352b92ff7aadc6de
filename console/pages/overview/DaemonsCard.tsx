import { request } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Problem } from "../../lib/Problem.ts"
import { Badge, type Tone } from "../../parts/Badge.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { Card } from "./Card.tsx"

/** Poll interval, because no event reports changes. Unit: milliseconds. */
const every = 10_000

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
    list: "Zustand jedes Daemons"
  }
})

interface Health {
  readonly status: string
  readonly daemons: Readonly<Record<string, { readonly status: string }>>
}

/** Health of the fleet. When a daemon is down, the answer is a 503 with the same body. */
const ask = (): Promise<Health> =>
  request("/health").then(
    (response) => response.json() as Promise<Health>,
    (error: unknown) => {
      if (error instanceof Problem && typeof error.fields["daemons"] === "object")
        return error.fields as unknown as Health
      throw error
    }
  )

const word = (status: string): string => (t() as Readonly<Record<string, string>>)[status] ?? status

export const DaemonsCard = () => {
  const health = useLoad(ask, [], { every })
  return (
    <Card title={t().title} more={{ href: "/console/daemons", text: t().more }}>
      <Loading of={health}>
        {({ daemons }) => (
          <ul class="plain-rows" aria-label={t().list}>
            {Object.entries(daemons).map(([name, { status }]) => (
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
}
