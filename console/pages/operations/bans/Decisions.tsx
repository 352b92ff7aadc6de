import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { offerUndo } from "../../../lib/Undo.ts"
import { useFilterable } from "../../../parts/Filterable.ts"
import { useFilters } from "../../../parts/Address.ts"
import { FilterSelect } from "../../../parts/FilterSelect.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { Pager, useTrail } from "../../../parts/Pager.tsx"
import { Filters } from "../../telephony/Filters.tsx"
import { BanForm } from "./BanForm.tsx"
import { CrowdSecState } from "./CrowdSecState.tsx"
import { DecisionTable } from "./DecisionTable.tsx"
import { LiftDialog } from "./LiftDialog.tsx"
import { banWords, type Decision, sources } from "./Words.ts"

const t = words({
  en: {
    title: "Active bans",
    add: "Ban an address",
    none: "No address is banned. Bans start automatically when somebody guesses passwords or sends spam.",
    noneSo: "No ban matches.",
    address: "Address or range",
    source: "Source",
    rule: "Rule",
    banned: (address: string) => `${address} is banned.`,
    lifted: (address: string) => `The ban of ${address} is lifted.`
  },
  de: {
    title: "Aktive Sperren",
    add: "Adresse sperren",
    none: "Keine Adresse ist gesperrt. Sperren entstehen automatisch, wenn jemand Passwörter rät oder Spam verschickt.",
    noneSo: "Keine Sperre passt dazu.",
    address: "Adresse oder Bereich",
    source: "Quelle",
    rule: "Regel",
    banned: (address: string) => `${address} ist gesperrt.`,
    lifted: (address: string) => `Die Sperre von ${address} ist aufgehoben.`
  }
})

/** Bans per page. */
const pageSize = 25

/** Reload interval. Unit: milliseconds. Reason: CrowdSec's bans come without an event. */
const every = 20_000

/** Active bans of our daemons and of CrowdSec, with filters; bans and lifts. */
export const Decisions = ({ changed, turn }: { readonly turn: number; readonly changed: () => void }) => {
  const filters = useFilters<string>({ address: "", source: "", rule: "" })
  const { address = "", rule = "", source = "" } = filters.value
  const trail = useTrail([address, rule, source])
  const before = trail.value.at(-1)
  const list = useLoad(
    () =>
      call("GET /api/v1/security/decisions", {
        query: {
          limit: pageSize,
          before,
          address,
          rule,
          source: source === "" ? undefined : (source as Decision["source"])
        }
      }),
    [address, rule, source, before, turn],
    { live: ["security.ban.*"], every }
  )
  const adding = useSignal(false)
  const lifting = useSignal<Decision | undefined>(undefined)
  const done = useSignal<(() => string) | undefined>(undefined)
  const manages = may("security.manage")
  const filtered = [address, rule, source].some((one) => one !== "")
  const filterable = useFilterable(list, filtered || before !== undefined)
  const finish = (text: (() => string) | undefined) => {
    adding.value = false
    lifting.value = undefined
    done.value = text
    changed()
  }
  return (
    <section class="card" aria-labelledby="decisions">
      <div class="card-head">
        <h2 id="decisions">{t().title}</h2>
        {manages && !adding.value ? (
          <button type="button" class="primary" onClick={() => (adding.value = true)}>
            {t().add}
          </button>
        ) : null}
      </div>
      {filterable ? (
        <div class="filters">
          <Filters
            of={[
              { name: "address", label: () => t().address },
              { name: "rule", label: () => t().rule }
            ]}
            filters={filters}
          />
          <FilterSelect
            name="source"
            label={t().source}
            value={source}
            set={(value) => filters.set("source", value)}
            options={sources.map((one) => [one, banWords()[one]] as const)}
          />
        </div>
      ) : null}
      <div role="status">{done.value === undefined ? null : <p class="done">{done.value()}</p>}</div>
      {adding.value ? (
        <BanForm saved={(of) => finish(() => t().banned(of))} shut={() => (adding.value = false)} />
      ) : null}
      <Loading of={list}>
        {({ crowdsec, items, next_before }) => (
          <>
            {crowdsec.state === "away" ? <CrowdSecState of={crowdsec} /> : null}
            {items.length === 0 ? (
              <p class="empty">{filtered ? t().noneSo : t().none}</p>
            ) : (
              <DecisionTable
                label={t().title}
                of={items}
                {...(manages ? { lift: (decision: Decision) => void (lifting.value = decision) } : {})}
              />
            )}
            <Pager trail={trail} next={next_before} />
          </>
        )}
      </Loading>
      {lifting.value === undefined ? null : (
        <LiftDialog
          of={lifting.value}
          lifted={(again) => {
            const { address } = lifting.value!
            const text = () => t().lifted(address)
            finish(again === undefined ? text : undefined)
            if (again !== undefined) offerUndo({ done: text, undo: again })
          }}
          shut={() => (lifting.value = undefined)}
        />
      )}
    </section>
  )
}
