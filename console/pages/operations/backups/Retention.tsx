import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import type { Answer } from "../../../lib/Endpoints.ts"
import { number } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { useDoing } from "../../../lib/Doing.ts"
import { Refused } from "../Refusals.ts"
import { Snapshots } from "./Snapshots.tsx"

const t = words({
  en: {
    title: "Retention",
    show: "What would be deleted now?",
    again: "Look again",
    intro: "After each backup, old ones are deleted. This shows what that would delete, and deletes nothing.",
    keep: (daily: string, weekly: string, monthly: string) =>
      `Kept are daily backups for ${daily}, weekly ones for ${weekly}, monthly ones for ${monthly}.`,
    nothing: "Nothing would be deleted.",
    deleted: (count: number) =>
      count === 1 ? "1 backup would be deleted" : `${number(count)} backups would be deleted`,
    kept: (count: number) => (count === 1 ? "1 backup stays" : `${number(count)} backups stay`),
    why: "Why it stays"
  },
  de: {
    title: "Aufbewahrung",
    show: "Was würde jetzt gelöscht?",
    again: "Noch einmal nachsehen",
    intro: "Nach jedem Backup werden alte gelöscht. Das hier zeigt, welche das wären, und löscht nichts.",
    keep: (daily: string, weekly: string, monthly: string) =>
      `Tägliche Backups bleiben ${daily}, wöchentliche ${weekly}, monatliche ${monthly}.`,
    nothing: "Nichts würde gelöscht.",
    deleted: (count: number) => (count === 1 ? "1 Backup würde gelöscht" : `${number(count)} Backups würden gelöscht`),
    kept: (count: number) => (count === 1 ? "1 Backup bleibt" : `${number(count)} Backups bleiben`),
    why: "Warum es bleibt"
  }
})

/** Preview of what retention would delete, on request because it reads the repository. */
export const Retention = () => {
  const doing = useDoing()
  const plan = useSignal<Answer<"GET /api/v1/backups/retention"> | undefined>(undefined)
  const look = () =>
    void doing.run(async () => {
      plan.value = await call("GET /api/v1/backups/retention")
    })
  const found = plan.value
  return (
    <section class="card" aria-labelledby="retention">
      <div class="card-head">
        <h2 id="retention">{t().title}</h2>
        <button type="button" disabled={doing.busy.value} onClick={look}>
          {found === undefined ? t().show : t().again}
        </button>
      </div>
      <p class="soft">{t().intro}</p>
      <Refused problem={doing.problem.value} />
      <div role="status">
        {found === undefined ? null : (
          <p>
            {t().keep(found.keep.daily, found.keep.weekly, found.keep.monthly)}{" "}
            <strong>{found.removed.length === 0 ? t().nothing : t().deleted(found.removed.length)}</strong>
          </p>
        )}
      </div>
      {found === undefined || found.removed.length === 0 ? null : (
        <Snapshots label={t().deleted(found.removed.length)} of={found.removed} />
      )}
      {found === undefined || found.kept.length === 0 ? null : (
        <details>
          <summary>{t().kept(found.kept.length)}</summary>
          <Snapshots
            label={t().kept(found.kept.length)}
            of={found.kept}
            more={{ title: t().why, show: ({ reasons }) => reasons.join(", ") }}
          />
        </details>
      )}
    </section>
  )
}
