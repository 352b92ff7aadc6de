import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { Trouble } from "../../../parts/Trouble.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { Maintenance } from "../alerts/Maintenance.tsx"
import { OperationsPage } from "../OperationsPage.tsx"
import { ComponentsCard } from "./Components.tsx"
import { Incidents } from "./Incidents.tsx"
import { Mails } from "./Mails.tsx"
import { Subscribers } from "./Subscribers.tsx"

const t = words({
  en: {
    now: "Check now",
    checking: "Checking …",
    elsewhere: "The status page does not run behind this address. Manage it with: signalbox status"
  },
  de: {
    now: "Jetzt prüfen",
    checking: "Prüfung läuft …",
    elsewhere: "Die Statusseite läuft nicht hinter dieser Adresse. Verwalten mit: signalbox status"
  }
})

/** Reload interval, and while a requested check runs. Unit: milliseconds. */
const every = 10_000
const soon = 1_000

/** The public status page: components, incidents, maintenance, subscribers and their mails. */
export default () => {
  const requested = useSignal<string | undefined>(undefined)
  const doing = useDoing()
  const list = useLoad(
    () =>
      Promise.all([
        call("GET /api/v1/admin/checks"),
        call("GET /api/v1/admin/components"),
        call("GET /api/v1/response-times", { query: {} })
      ]).then(([{ items: checks }, { items: stored }, { components }]) => ({
        checks,
        stored,
        times: new Map(components.map((one) => [one.id, one]))
      })),
    [requested.value],
    { every: requested.value === undefined ? every : soon }
  )
  const checks = list.value.value?.checks ?? []
  const isChecking =
    requested.value !== undefined &&
    checks.some(({ checked_at, results }) => results.length > 0 && (checked_at ?? "") < requested.value!)
  // The short interval ends with the requested check.
  useEffect(() => {
    if (!isChecking) requested.value = undefined
  }, [isChecking])
  const check = () =>
    void doing.run(async () => {
      requested.value = (await call("POST /api/v1/admin/checks")).requested_at
    })
  return (
    <OperationsPage
      section="status"
      actions={
        may("system.manage") && checks.length > 0 ? (
          <button type="button" class="primary" disabled={isChecking} onClick={check}>
            {isChecking ? t().checking : t().now}
          </button>
        ) : undefined
      }
    >
      <Trouble problem={doing.problem.value} />
      <p class="sr" role="status">
        {isChecking ? t().checking : ""}
      </p>
      {list.problem.value?.status === 404 ? (
        <p class="empty">{t().elsewhere}</p>
      ) : (
        <>
          <ComponentsCard of={list} every={every} />
          <Incidents />
          <Maintenance changed={list.reload} />
          <Subscribers />
          <Mails />
        </>
      )}
    </OperationsPage>
  )
}
