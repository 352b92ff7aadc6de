import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import type { Answer } from "../../../lib/Endpoints.ts"
import { shortMoment } from "../../../lib/Format.ts"
import { authorTitle } from "../../../parts/Author.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { Loading } from "../../../parts/Loading.tsx"
import { Pager, useTrail } from "../../../parts/Pager.tsx"
import { RowTable } from "../../../parts/RowTable.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { undoable } from "../../../lib/Undo.ts"
import { undoWords } from "../../../lib/UndoWords.ts"
import { Refused } from "../Refusals.ts"
import { secondsLeft } from "../Seconds.ts"
import { ExemptionForm } from "./BanForm.tsx"

const t = words({
  en: {
    title: "Exemptions",
    intro: "Addresses that no rule bans for a while.",
    add: "Exempt an address",
    none: "No exemption. Add one for an address that must not be banned, such as an office.",
    address: "Address",
    until: "Ends",
    reason: "Reason",
    by: "Added by",
    end: "End now",
    one: (address: string) => `The exemption of ${address}`
  },
  de: {
    title: "Ausnahmen",
    intro: "Adressen, die eine Zeit lang keine Regel sperrt.",
    add: "Adresse ausnehmen",
    none: "Keine Ausnahme. Fügen Sie eine für eine Adresse hinzu, die nie gesperrt werden soll, etwa ein Büro.",
    address: "Adresse",
    until: "Endet",
    reason: "Grund",
    by: "Von",
    end: "Beenden",
    one: (address: string) => `Die Ausnahme von ${address}`
  }
})

type Exemption = Answer<"GET /api/v1/security/exemptions">["items"][number]

/** Exemptions per page. */
const pageSize = 25

/** Active exemptions; adds and ends them. */
export const Exemptions = ({ changed, turn }: { readonly turn: number; readonly changed: () => void }) => {
  const trail = useTrail([])
  const before = trail.value.at(-1)
  const list = useLoad(
    () => call("GET /api/v1/security/exemptions", { query: { limit: pageSize, before } }),
    [before, turn],
    { every: 60_000 }
  )
  const adding = useSignal(false)
  const doing = useDoing()
  const manages = may("security.manage")
  const end = ({ address, id, reason, until }: Exemption) =>
    void doing
      .run(() =>
        undoable(
          () => call("DELETE /api/v1/security/exemptions/:id", { params: { id } }),
          () => undoWords().ended(t().one(address)),
          () =>
            call("POST /api/v1/security/exemptions", {
              payload: { address, duration_s: secondsLeft(until), reason: reason ?? "–" }
            }).then(changed)
        )
      )
      .then((done) => done && changed())
  return (
    <section class="card" aria-labelledby="exemptions">
      <div class="card-head">
        <h2 id="exemptions">{t().title}</h2>
        {manages && !adding.value ? (
          <button type="button" onClick={() => (adding.value = true)}>
            {t().add}
          </button>
        ) : null}
      </div>
      <p class="soft">{t().intro}</p>
      <Refused problem={doing.problem.value} />
      {adding.value ? (
        <ExemptionForm
          shut={() => (adding.value = false)}
          saved={() => {
            adding.value = false
            changed()
          }}
        />
      ) : null}
      <Loading of={list}>
        {({ items, next_before }) => (
          <>
            {items.length === 0 ? (
              <p class="empty">{t().none}</p>
            ) : (
              <RowTable
                labelledBy="exemptions"
                rows={items}
                keyOf={({ id }) => id}
                columns={[
                  { title: t().address, show: ({ address }) => <code>{address}</code> },
                  { title: t().until, show: ({ until }) => <time dateTime={until}>{shortMoment(until)}</time> },
                  { title: t().reason, show: ({ reason }) => reason ?? "" },
                  { title: t().by, show: ({ created_by }) => authorTitle(created_by) }
                ]}
                actions={
                  manages
                    ? (one) => (
                        <button type="button" disabled={doing.busy.value} onClick={() => end(one)}>
                          {t().end}
                          <span class="sr">: {one.address}</span>
                        </button>
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
