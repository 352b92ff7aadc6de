import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Loading } from "../../parts/Loading.tsx"
import { Page } from "../../parts/Page.tsx"
import { Pager, useTrail } from "../../parts/Pager.tsx"
import { RunChart } from "../../parts/RunChart.tsx"
import { RunTable } from "../../parts/RunTable.tsx"

const t = words({
  en: { title: (name: string) => `Workflow ${name}`, back: "All workflows", list: "Runs" },
  de: { title: (name: string) => `Workflow ${name}`, back: "Alle Workflows", list: "Läufe" }
})

/** Runs of one workflow, newest first. */
export default ({ name }: { readonly name: string }) => {
  const trail = useTrail([name])
  const before = trail.value.at(-1)
  const runs = useLoad(
    () => call("GET /api/v1/workflows/runs", { query: { limit: 50, before, workflow: name } }),
    [name, before],
    { live: ["alarm.*"], every: 10_000 }
  )
  return (
    <Page
      title={t().title(name)}
      actions={
        <a class="button" href="/console/workflows">
          {t().back}
        </a>
      }
    >
      <RunChart workflow={name} />
      <section class="card" aria-labelledby="runs">
        <div class="card-head">
          <h2 id="runs">{t().list}</h2>
        </div>
        <Loading of={runs}>
          {({ items, next_before }) => (
            <>
              <RunTable runs={items} alarms={name === "alarm"} />
              <Pager next={next_before} trail={trail} />
            </>
          )}
        </Loading>
      </section>
    </Page>
  )
}
