import { authorTitle } from "../../../parts/Author.ts"
import { words } from "../../../lib/Language.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { useNow } from "../../../parts/Now.ts"
import { When } from "../../../parts/When.tsx"
import { type Restart, restartTones, serviceWords } from "./Words.ts"

const t = words({
  en: {
    title: "Restarts",
    none: "No restart was requested.",
    watchdog: "by the watchdog",
    by: (who: string) => `by ${who}`
  },
  de: {
    title: "Neustarts",
    none: "Kein Neustart wurde angefordert.",
    watchdog: "vom Watchdog",
    by: (who: string) => `von ${who}`
  }
})

/** Restarts that people or the watchdog asked for, newest first. */
export const Restarts = ({ of }: { readonly of: ReadonlyArray<Restart> }) => {
  const now = useNow(5_000)
  return (
    <section class="card" aria-labelledby="restarts">
      <h2 id="restarts">{t().title}</h2>
      {of.length === 0 ? (
        <p class="soft">{t().none}</p>
      ) : (
        <ul class="rows" aria-labelledby="restarts">
          {of.map((one) => (
            <li key={one.restart_id}>
              <div class="ops-line">
                <Badge tone={restartTones[one.state]}>{serviceWords()[one.state]}</Badge>
                <When at={one.finished_at ?? one.requested_at} now={now} />
                <span class="soft">
                  {one.requested_by === "watchdog" ? t().watchdog : t().by(authorTitle(one.requested_by))}
                  {one.reason === null ? "" : `: ${one.reason}`}
                </span>
              </div>
              {one.problem === null ? null : <p class="field-error">{one.problem}</p>}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
