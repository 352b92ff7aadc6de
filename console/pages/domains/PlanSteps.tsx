import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { may } from "../../lib/Me.ts"
import { Loading } from "../../parts/Loading.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { Sure } from "../mail/Sure.tsx"
import { StepBadge } from "./Badges.tsx"
import { told } from "./Refusals.ts"
import type { Plan, PlanStep } from "./Shapes.ts"

const t = words({
  en: {
    create: "new",
    replace: "changed",
    remove: "removed",
    apply: "Apply",
    applyAnyway: "Apply all the same",
    sure: "Really write this into the zone?",
    discard: "Drop",
    warnings: "Read this first",
    nothing: "The zone is as it should be: nothing to change.",
    share: (percent: string, sets: number) => `Changes ${percent} of the zone's ${sets} record sets.`,
    caption: "Changes",
    what: "Change",
    from: "Now",
    to: "Then",
    state: "State"
  },
  de: {
    create: "neu",
    replace: "geändert",
    remove: "entfernt",
    apply: "Anwenden",
    applyAnyway: "Trotzdem anwenden",
    sure: "Wirklich in die Zone schreiben?",
    discard: "Verwerfen",
    warnings: "Bitte zuerst lesen",
    nothing: "Die Zone ist, wie sie sein soll: nichts zu ändern.",
    share: (percent: string, sets: number) => `Ändert ${percent} der ${sets} Einträge der Zone.`,
    caption: "Änderungen",
    what: "Änderung",
    from: "Jetzt",
    to: "Dann",
    state: "Stand"
  }
})

/** Poll interval while a plan is applied. Unit: milliseconds. */
const lookEvery = 2_000

/** A plan with its changes and actions. */
export const PlanSteps = ({
  changed,
  domainId,
  planId
}: {
  readonly domainId: number
  readonly planId: string
  readonly changed: () => void
}) => {
  const params = { id: domainId, plan_id: planId }
  const plan = useLoad(() => call("GET /api/v1/domains/:id/plans/:plan_id", { params }), [planId], {
    live: ["dns.plan.*"],
    every: lookEvery
  })
  const doing = useDoing()
  const run = (work: () => Promise<unknown>) =>
    void doing.run(work).then((done) => {
      if (!done) return
      plan.reload()
      changed()
    })
  const apply = ({ state }: Plan) =>
    run(() =>
      call("POST /api/v1/domains/:id/plans/:plan_id/apply", {
        params,
        payload: state === "stopped" ? { force: true } : {}
      })
    )
  return (
    <div class="plan">
      {doing.problem.value === undefined ? null : (
        <div class="trouble" role="alert">
          <p>{told(doing.problem.value)}</p>
        </div>
      )}
      <Loading of={plan}>
        {(found) => (
          <>
            {found.problem === null ? null : (
              <div class="trouble" role="alert">
                <p lang="en">{found.problem}</p>
              </div>
            )}
            {found.warnings.length === 0 ? null : (
              <>
                <h3>{t().warnings}</h3>
                <ul lang="en">
                  {found.warnings.map(({ code, detail, name, type }) => (
                    <li key={`${code} ${type} ${name}`}>{detail}</li>
                  ))}
                </ul>
              </>
            )}
            {found.steps.length === 0 ? (
              <p>{t().nothing}</p>
            ) : (
              <p>{t().share(`${Math.round(found.share * 100)} %`, found.zone_sets)}</p>
            )}
            {found.steps.length === 0 ? null : <Steps of={found.steps} />}
            {may("dns.manage") && (found.state === "planned" || found.state === "stopped") && found.steps.length > 0 ? (
              <div class="page-actions">
                <Sure sure={t().sure} disabled={doing.busy.value} onSure={() => apply(found)}>
                  {found.state === "stopped" ? t().applyAnyway : t().apply}
                </Sure>
                <button
                  type="button"
                  disabled={doing.busy.value}
                  onClick={() => run(() => call("POST /api/v1/domains/:id/plans/:plan_id/discard", { params }))}
                >
                  {t().discard}
                </button>
              </div>
            ) : null}
          </>
        )}
      </Loading>
    </div>
  )
}

const Steps = ({ of }: { readonly of: ReadonlyArray<PlanStep> }) => (
  <div class="scroll" role="region" aria-label={t().caption} tabIndex={0}>
    <table>
      <caption class="sr">{t().caption}</caption>
      <thead>
        <tr>
          <th scope="col">{t().what}</th>
          <th scope="col">{t().from}</th>
          <th scope="col">{t().to}</th>
          <th scope="col">{t().state}</th>
        </tr>
      </thead>
      <tbody>
        {of.map((step) => (
          <tr key={step.position} class={`step ${step.change}`}>
            <th scope="row">
              <code>
                {step.type} {step.name}
              </code>
              <br />
              <small>
                {t()[step.change]}: <span lang="en">{step.reason}</span>
              </small>
            </th>
            <td>
              {step.before === null ? (
                "—"
              ) : (
                <del>
                  <code class="values">{step.before.join("\n")}</code>
                </del>
              )}
            </td>
            <td>
              {step.after === null ? (
                "—"
              ) : (
                <ins>
                  <code class="values">{step.after.join("\n")}</code>
                </ins>
              )}
            </td>
            <td>
              <StepBadge of={step.state} />
              {step.problem === null ? null : (
                <>
                  <br />
                  <small lang="en">{step.problem}</small>
                </>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
