import { call } from "../../../lib/Call.ts"
import { longDuration } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { useNow } from "../../../parts/Now.ts"
import { When } from "../../../parts/When.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { Sure } from "../../mail/Sure.tsx"
import { Refused } from "../Refusals.ts"

const t = words({
  en: {
    title: "Heartbeats of other hosts",
    none: "No other host reports here. Two hosts that report to each other notice when one of them is gone.",
    alive: "alive",
    late: "missing",
    every: (time: string) => `at least every ${time}`,
    forget: "Stop expecting it",
    sure: "Really stop expecting it?"
  },
  de: {
    title: "Lebenszeichen anderer Hosts",
    none: "Kein anderer Host meldet sich hier. Zwei Hosts, die sich beieinander melden, merken, wenn einer fehlt.",
    alive: "lebt",
    late: "blieb aus",
    every: (time: string) => `mindestens alle ${time}`,
    forget: "Nicht mehr erwarten",
    sure: "Wirklich nicht mehr erwarten?"
  }
})

/** Other hosts whose heartbeats are expected here. */
export const Heartbeats = () => {
  const list = useLoad(() => call("GET /api/v1/monitoring/heartbeats"), [], { every: 15_000 })
  const doing = useDoing()
  const now = useNow(5_000)
  const forget = (name: string) =>
    void doing
      .run(() => call("DELETE /api/v1/monitoring/heartbeats/:name", { params: { name } }))
      .then((well) => well && list.reload())
  return (
    <section class="card" aria-labelledby="heartbeats">
      <h2 id="heartbeats">{t().title}</h2>
      <Refused problem={doing.problem.value} />
      <Loading of={list}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="soft">{t().none}</p>
          ) : (
            <ul class="rows" aria-labelledby="heartbeats">
              {items.map(({ last_at, name, state, timeout_s }) => (
                <li key={name} class="ops-alert">
                  <div class="ops-line">
                    <Badge tone={state === "alive" ? "success" : "error"}>{t()[state]}</Badge>
                    <strong>{name}</strong>
                    <When at={last_at} now={now} />
                    <span class="soft">{t().every(longDuration(timeout_s * 1000))}</span>
                  </div>
                  {may("system.manage") ? (
                    <div class="page-actions">
                      <Sure sure={t().sure} disabled={doing.busy.value} onSure={() => forget(name)}>
                        {t().forget}
                        <span class="sr">: {name}</span>
                      </Sure>
                    </div>
                  ) : null}
                </li>
              ))}
            </ul>
          )
        }
      </Loading>
    </section>
  )
}
