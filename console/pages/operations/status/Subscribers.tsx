import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import type { Answer } from "../../../lib/Endpoints.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx"
import { Empty } from "../../../parts/Empty.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { Pager, useTrail } from "../../../parts/Pager.tsx"
import { RowMenu } from "../../../parts/RowMenu.tsx"
import { RowTable } from "../../../parts/RowTable.tsx"
import { At } from "../../../parts/When.tsx"
import { told } from "../Refusals.ts"

type Subscriber = Answer<"GET /api/v1/admin/subscribers">["items"][number]

const t = words({
  en: {
    title: "Subscribers",
    none: "No subscribers yet",
    about:
      "Visitors subscribe on the status page, and get a mail for each update of an incident. A subscription begins " +
      "when its address is confirmed.",
    address: "Address",
    state: "State",
    confirmed: "confirmed",
    pending: "not yet confirmed",
    language: "Language",
    components: "Components",
    all: "all",
    since: "Since",
    remove: "Remove",
    removeThis: (email: string) => `Remove ${email}`,
    loses:
      "The address and all its mails are deleted, also those that were not sent yet. The person may subscribe again."
  },
  de: {
    title: "Abonnenten",
    none: "Noch keine Abonnenten",
    about:
      "Besucher abonnieren auf der Statusseite und bekommen zu jeder Meldung einer Störung eine Mail. Ein " +
      "Abonnement beginnt mit der Bestätigung der Adresse.",
    address: "Adresse",
    state: "Zustand",
    confirmed: "bestätigt",
    pending: "noch nicht bestätigt",
    language: "Sprache",
    components: "Komponenten",
    all: "alle",
    since: "Seit",
    remove: "Entfernen",
    removeThis: (email: string) => `${email} entfernen`,
    loses:
      "Die Adresse und alle ihre Mails werden gelöscht, auch noch nicht verschickte. Die Person kann wieder abonnieren."
  }
})

/** Subscribers per page. */
const pageSize = 50

/** Subscribers to mails about incidents; removes one. */
export const Subscribers = () => {
  const trail = useTrail([])
  const before = trail.value.at(-1)
  const list = useLoad(() => call("GET /api/v1/admin/subscribers", { query: { limit: pageSize, before } }), [before])
  const removing = useSignal<Subscriber | undefined>(undefined)
  const manages = may("system.manage")
  return (
    <section class="card" aria-labelledby="subscribers">
      <h2 id="subscribers">{t().title}</h2>
      {removing.value === undefined ? null : (
        <ConfirmDialog
          title={t().removeThis(removing.value.email)}
          action={t().remove}
          told={told}
          work={async () => {
            await call("DELETE /api/v1/admin/subscribers/:id", { params: { id: removing.value!.id } })
            list.reload()
          }}
          close={() => (removing.value = undefined)}
        >
          <p>{t().loses}</p>
        </ConfirmDialog>
      )}
      <Loading of={list}>
        {({ items, next_before }) => (
          <>
            {items.length === 0 ? (
              <Empty title={t().none} text={t().about} />
            ) : (
              <RowTable
                labelledBy="subscribers"
                rows={items}
                keyOf={({ id }) => id}
                columns={[
                  { title: t().address, show: ({ email }) => email },
                  {
                    title: t().state,
                    show: ({ status }) => (
                      <Badge tone={status === "confirmed" ? "success" : "quiet"}>{t()[status]}</Badge>
                    )
                  },
                  { title: t().language, show: ({ lang }) => lang },
                  {
                    title: t().components,
                    show: ({ components }) => (components === null ? t().all : components.join(", "))
                  },
                  { title: t().since, show: (one) => <At at={one.confirmed_at ?? one.created_at} /> }
                ]}
                actions={
                  manages
                    ? (one) => (
                        <RowMenu
                          of={one.email}
                          actions={[{ text: t().remove, danger: true, act: () => (removing.value = one) }]}
                        />
                      )
                    : undefined
                }
              />
            )}
            <Pager trail={trail} next={next_before} />
          </>
        )}
      </Loading>
    </section>
  )
}
