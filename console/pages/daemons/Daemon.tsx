import { duration } from "../../lib/Format.ts"
import { Badge } from "../../parts/Badge.tsx"
import { Actors } from "./Actors.tsx"
import { figureTexts, withLocalTimes } from "./Figures.ts"
import { byIllness, type DaemonHealth, extras, statusTones } from "./Fleet.ts"
import { daemonWords as t } from "./Words.ts"

/** One daemon of the tree: a line of figures, and its components and actors below. */
export const Daemon = ({
  daemon: { hidden, name, report, status },
  now,
  open,
  toggle
}: {
  readonly daemon: DaemonHealth
  readonly now: number
  readonly open: boolean
  readonly toggle: (open: boolean) => void
}) => {
  const restarts = report?.actors.reduce((all, actor) => all + actor.restarts, 0) ?? 0
  return (
    <li class="card daemon">
      <details open={open} onToggle={({ currentTarget }) => currentTarget.open !== open && toggle(currentTarget.open)}>
        <summary>
          <h2>{name}</h2>
          <Badge tone={statusTones[status]}>{t()[status]}</Badge>
          {report === undefined ? null : (
            <span class="figures">
              {restarts === 0 ? null : <Figure name={t().restarts} value={String(restarts)} />}
              <Figure name={t().loop} value={duration(report.event_loop_delay_ms)} />
              <Figure
                name={t().oldest}
                value={
                  report.oldest_transaction_s === null ? t().unknown : duration(report.oldest_transaction_s * 1000)
                }
              />
            </span>
          )}
        </summary>
        {report === undefined ? (
          <p>{hidden === true ? t().hidden : t().silent}</p>
        ) : (
          <ul class="branches">
            <li>
              <h3 id={`components-${name}`}>{t().components}</h3>
              <ul class="components" aria-labelledby={`components-${name}`}>
                {byIllness(
                  Object.entries(report.components),
                  ([, { status }]) => status,
                  ([part]) => part
                ).map(([part, component]) => (
                  <li key={part}>
                    <strong>{part}</strong> <Badge tone={statusTones[component.status]}>{t()[component.status]}</Badge>
                    {component.detail === undefined ? null : <p>{withLocalTimes(component.detail)}</p>}
                    {extras(component).length === 0 ? null : (
                      <small>{figureTexts(extras(component)).join(" · ")}</small>
                    )}
                  </li>
                ))}
              </ul>
            </li>
            <li>
              <h3>{t().actors}</h3>
              <Actors actors={report.actors} daemon={name} now={now} />
            </li>
          </ul>
        )}
      </details>
    </li>
  )
}

const Figure = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <span>
    <small>{name}</small> {value}
  </span>
)
