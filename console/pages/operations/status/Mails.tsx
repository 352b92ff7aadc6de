import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { number } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { Badge, type Tone } from "../../../parts/Badge.tsx"
import { Empty } from "../../../parts/Empty.tsx"
import { FilterSelect } from "../../../parts/FilterSelect.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { Pager, useTrail } from "../../../parts/Pager.tsx"
import { RowTable } from "../../../parts/RowTable.tsx"
import { At } from "../../../parts/When.tsx"

const t = words({
  en: {
    title: "Mails to subscribers",
    none: "No mail waits",
    about:
      "Mails about incidents and confirmations of subscriptions that are not delivered yet, or never will be. Mails " +
      "are sent again for some hours.",
    noneSo: "No mail in this state.",
    show: "State",
    address: "Address",
    kind: "About",
    confirm: "subscription",
    notice: "incident",
    state: "State",
    pending: "waits",
    attempting: "is being sent",
    delivered: "delivered",
    failed: "given up",
    attempts: "Attempts",
    error: "Last error",
    next: "Next attempt",
    created: "Since"
  },
  de: {
    title: "Mails an Abonnenten",
    none: "Keine Mail wartet",
    about:
      "Mails über Störungen und Bestätigungen von Abonnements, die noch nicht zugestellt sind oder es nie werden. Der " +
      "Versand wird einige Stunden lang wiederholt.",
    noneSo: "Keine Mail in diesem Zustand.",
    show: "Zustand",
    address: "Adresse",
    kind: "Worüber",
    confirm: "Abonnement",
    notice: "Störung",
    state: "Zustand",
    pending: "wartet",
    attempting: "wird gesendet",
    delivered: "zugestellt",
    failed: "aufgegeben",
    attempts: "Versuche",
    error: "Letzter Fehler",
    next: "Nächster Versuch",
    created: "Seit"
  }
})

const states = ["pending", "attempting", "delivered", "failed"] as const
type State = (typeof states)[number]

const tones: Readonly<Record<State, Tone>> = {
  pending: "quiet",
  attempting: "info",
  delivered: "success",
  failed: "error"
}

/** Mails per page. */
const pageSize = 50

/** Mails of the status page that are not delivered, with the reason. */
export const Mails = () => {
  const state = useSignal<string>("")
  const trail = useTrail([state.value])
  const before = trail.value.at(-1)
  const list = useLoad(
    () =>
      call("GET /api/v1/admin/mails", {
        query: { limit: pageSize, before, ...(state.value === "" ? {} : { state: state.value as State }) }
      }),
    [before, state.value]
  )
  const isEmpty = list.value.value?.items.length === 0 && state.value === "" && before === undefined
  return (
    <section class="card" aria-labelledby="status-mails">
      <div class="card-head">
        <h2 id="status-mails">{t().title}</h2>
        {isEmpty ? null : (
          <FilterSelect
            label={t().show}
            name="mail_state"
            options={states.map((one) => [one, t()[one]] as const)}
            value={state.value}
            set={(value) => (state.value = value)}
          />
        )}
      </div>
      <Loading of={list}>
        {({ items, next_before }) => (
          <>
            {items.length === 0 ? (
              state.value === "" ? (
                <Empty title={t().none} text={t().about} />
              ) : (
                <Empty text={t().noneSo} />
              )
            ) : (
              <RowTable
                labelledBy="status-mails"
                rows={items}
                keyOf={({ id }) => id}
                columns={[
                  { title: t().address, show: ({ email }) => email },
                  { title: t().kind, show: ({ kind }) => t()[kind] },
                  { title: t().state, show: ({ state }) => <Badge tone={tones[state]}>{t()[state]}</Badge> },
                  { title: t().attempts, show: ({ attempts }) => number(attempts) },
                  { title: t().error, show: ({ last_error }) => last_error ?? "–" },
                  { title: t().next, show: ({ next_at, state }) => (state === "pending" ? <At at={next_at} /> : "–") },
                  { title: t().created, show: ({ created_at }) => <At at={created_at} /> }
                ]}
              />
            )}
            <Pager trail={trail} next={next_before} />
          </>
        )}
      </Loading>
    </section>
  )
}
