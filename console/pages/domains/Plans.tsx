import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { may } from "../../lib/Me.ts"
import { Loading } from "../../parts/Loading.tsx"
import { useNow } from "../../parts/Now.ts"
import { When } from "../../parts/When.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { PlanBadge } from "./Badges.tsx"
import { PlanSteps } from "./PlanSteps.tsx"
import { RemovePicker } from "./RemovePicker.tsx"
import { told } from "./Refusals.ts"

const t = words({
  en: {
    title: "The provider's zone",
    intro:
      "What changes in the zone is planned first. A plan applies itself when it changes only what we wrote; " +
      "a plan that changes records of others waits for you.",
    plan: "Plan",
    planning: "The zone is being read …",
    past: "Plans",
    none: "Nothing was planned yet.",
    steps: (done: number, all: number) => `${done} of ${all} changes`,
    open: "Open",
    shut: "Close"
  },
  de: {
    title: "Die Zone beim Anbieter",
    intro:
      "Was sich an der Zone ändert, wird zuerst geplant. Ein Plan wendet sich selbst an, wenn er nur ändert, was wir " +
      "geschrieben haben; einer, der Einträge anderer ändert, wartet auf Sie.",
    plan: "Planen",
    planning: "Die Zone wird gelesen …",
    past: "Pläne",
    none: "Noch wurde nichts geplant.",
    steps: (done: number, all: number) => `${done} von ${all} Änderungen`,
    open: "Öffnen",
    shut: "Schließen"
  }
})

/** Plans of a managed zone: create, read, apply. */
export const Plans = ({ id }: { readonly id: number }) => {
  const open = useSignal<string | undefined>(undefined)
  const remove = useSignal<ReadonlyArray<string>>([])
  const doing = useDoing()
  const now = useNow(30_000)
  const plans = useLoad(() => call("GET /api/v1/domains/:id/plans", { params: { id }, query: { limit: 20 } }), [id], {
    live: ["dns.plan.*", "domain.*"]
  })
  const make = () => {
    let made = ""
    void doing
      .run(async () => {
        made = (
          await call("POST /api/v1/domains/:id/plan", {
            params: { id },
            payload: remove.value.length === 0 ? {} : { remove: remove.value }
          })
        ).id
      })
      .then((done) => {
        if (!done) return
        open.value = made
        remove.value = []
        plans.reload()
      })
  }
  return (
    <section class="card" aria-labelledby="plans">
      <div class="card-head">
        <h2 id="plans">{t().title}</h2>
        {may("dns.manage") ? (
          <button type="button" class="primary" disabled={doing.busy.value} onClick={make}>
            {doing.busy.value ? t().planning : t().plan}
          </button>
        ) : null}
      </div>
      <p class="soft">{t().intro}</p>
      {may("dns.manage") ? (
        <RemovePicker domainId={id} chosen={remove.value} choose={(ids) => (remove.value = ids)} />
      ) : null}
      {doing.problem.value === undefined ? null : (
        <div class="trouble" role="alert">
          <p>{told(doing.problem.value)}</p>
        </div>
      )}
      <Loading of={plans}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="empty">{t().none}</p>
          ) : (
            <ul class="rows" aria-label={t().past}>
              {items.map((plan) => (
                <li key={plan.id}>
                  <div class="plan-line">
                    <PlanBadge of={plan.state} /> <When at={plan.created_at} now={now} />{" "}
                    <span lang="en">{plan.reason}</span>{" "}
                    <span class="soft">{t().steps(plan.steps_done, plan.steps_total)}</span>
                    <button
                      type="button"
                      class="small"
                      aria-expanded={open.value === plan.id}
                      onClick={() => (open.value = open.value === plan.id ? undefined : plan.id)}
                    >
                      {open.value === plan.id ? t().shut : t().open}
                    </button>
                  </div>
                  {open.value === plan.id ? <PlanSteps domainId={id} planId={plan.id} changed={plans.reload} /> : null}
                </li>
              ))}
            </ul>
          )
        }
      </Loading>
    </section>
  )
}
