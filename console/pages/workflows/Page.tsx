import { call } from "../../lib/Call.ts"
import { number } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Loading } from "../../parts/Loading.tsx"
import { Page } from "../../parts/Page.tsx"
import { type RunState, runStates, StateBadge } from "../../parts/RunBadges.tsx"
import { stepName, workflowName } from "../../parts/StepWords.ts"
import { WebhookSecrets } from "./WebhookSecrets.tsx"
import "./workflows.css"

const t = words({
  en: {
    title: "Workflows",
    begins: "Begins with",
    steps: "Steps",
    lastDay: "Last 24 hours",
    none: "no runs",
    runs: "Its runs"
  },
  de: {
    title: "Workflows",
    begins: "Beginnt mit",
    steps: "Schritte",
    lastDay: "Letzte 24 Stunden",
    none: "keine Läufe",
    runs: "Die Läufe"
  }
})

/** All workflows: their trigger, their steps, and today's results. */
export default () => {
  const registry = useLoad(() => call("GET /api/v1/workflows"), [], { live: ["alarm.finished"], every: 15_000 })
  return (
    <Page title={t().title}>
      <Loading of={registry}>
        {({ items }) => (
          <ul class="workflows">
            {items.map(({ counts, name, pattern, steps, title }) => (
              <li key={name} class="card">
                <h2>
                  <a href={`/console/workflows/${encodeURIComponent(name)}`} title={name}>
                    {workflowName(name)}
                  </a>
                </h2>
                <p>{title}</p>
                <dl class="facts">
                  <dt>{t().begins}</dt>
                  <dd>
                    <code>{pattern}</code>
                  </dd>
                  <dt>{t().steps}</dt>
                  <dd>
                    <ol class="steps">
                      {steps.map((step) => (
                        <li key={step} title={step}>
                          {stepName(step)}
                        </li>
                      ))}
                    </ol>
                  </dd>
                  <dt>{t().lastDay}</dt>
                  <dd class="counts">
                    <Counts counts={counts} />
                  </dd>
                </dl>
              </li>
            ))}
          </ul>
        )}
      </Loading>
      <WebhookSecrets />
    </Page>
  )
}

const Counts = ({ counts }: { readonly counts: Readonly<Record<string, number>> }) => {
  const present = runStates.filter((state: RunState) => (counts[state] ?? 0) > 0)
  return present.length === 0 ? (
    <>{t().none}</>
  ) : (
    <>
      {present.map((state) => (
        <span key={state}>
          <StateBadge state={state} /> {number(counts[state]!)}
        </span>
      ))}
    </>
  )
}
