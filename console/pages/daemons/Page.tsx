import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { useLoad } from "../../lib/Load.ts"
import { Loading } from "../../parts/Loading.tsx"
import { useNow } from "../../parts/Now.ts"
import { Page } from "../../parts/Page.tsx"
import { Daemon } from "./Daemon.tsx"
import { askFleet } from "./Fleet.ts"
import { daemonWords as t } from "./Words.ts"
import "./daemons.css"

/** Poll interval. Unit: milliseconds. Reason: shows a restart while it happens, and a report costs only one query. */
const every = 3_000

/** Tree of daemons with their components and actors, live. Unhealthy daemons come first and are expanded. */
export default () => {
  const fleet = useLoad(askFleet, [], { every })
  const now = useNow(1_000)
  // A link of the overview names the daemon to show.
  const asked = new URLSearchParams(location.search).get("open")
  const opened = useSignal<Readonly<Record<string, boolean>>>(asked === null ? {} : { [asked]: true })
  const all = fleet.value.value ?? []
  useEffect(() => {
    // A daemon that recovers stays expanded, because somebody may be reading it. A daemon that the user closed stays
    // closed.
    const ill = all.filter(({ name, status }) => status !== "ok" && opened.value[name] === undefined)
    if (ill.length > 0) opened.value = { ...opened.value, ...Object.fromEntries(ill.map(({ name }) => [name, true])) }
  }, [fleet.value.value])
  const set = (open: boolean) => (opened.value = Object.fromEntries(all.map(({ name }) => [name, open])))
  return (
    <Page
      title={t().title}
      actions={
        <>
          <button type="button" onClick={() => set(true)}>
            {t().unfold}
          </button>
          <button type="button" onClick={() => set(false)}>
            {t().fold}
          </button>
        </>
      }
    >
      <Loading of={fleet}>
        {(daemons) => {
          const ill = daemons.filter(({ status }) => status !== "ok").length
          return (
            <>
              <p role="status" class="fleet-state">
                {ill === 0 ? t().well : t().ill(ill, daemons.length)}
              </p>
              <ul class="tree">
                {daemons.map((daemon) => (
                  <Daemon
                    key={daemon.name}
                    daemon={daemon}
                    now={now}
                    open={opened.value[daemon.name] ?? false}
                    toggle={(open) => (opened.value = { ...opened.value, [daemon.name]: open })}
                  />
                ))}
              </ul>
            </>
          )
        }}
      </Loading>
    </Page>
  )
}
