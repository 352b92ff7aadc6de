import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { useFilters } from "../../../parts/Address.ts"
import { Loading } from "../../../parts/Loading.tsx"
import { Pager, useTrail } from "../../../parts/Pager.tsx"
import { useFilterable } from "../../../parts/Filterable.ts"
import { FilterSelect } from "../../../parts/FilterSelect.tsx"
import { told } from "../Refusals.ts"
import { Snapshots } from "./Snapshots.tsx"
import { backupTypes, type BackupType, backupWord } from "./Words.ts"

const t = words({
  en: {
    title: "In the repository",
    type: "Contents",
    none: "The repository is empty. The first backup fills it.",
    noneSo: "No backup matches the filters."
  },
  de: {
    title: "Im Repository",
    type: "Inhalt",
    none: "Das Repository ist leer. Das erste Backup füllt es.",
    noneSo: "Kein Backup passt zu den Filtern."
  }
})

/** Backups per page. */
const pageSize = 20

/** Backups that the repository really has. */
export const Repository = ({ turn }: { readonly turn: number }) => {
  const filters = useFilters<string>({ type: "" })
  const { type = "" } = filters.value
  const trail = useTrail([type])
  const before = trail.value.at(-1)
  const list = useLoad(
    () =>
      call("GET /api/v1/backups", {
        query: { limit: pageSize, before, type: type === "" ? undefined : (type as BackupType) }
      }),
    [type, before, turn],
    { live: ["backup.completed"] }
  )
  const filterable = useFilterable(list, type !== "" || before !== undefined)
  return (
    <section class="card" aria-labelledby="repository">
      <div class="card-head">
        <h2 id="repository">{t().title}</h2>
        {filterable ? (
          <FilterSelect
            name="type"
            label={t().type}
            value={type}
            set={(value) => filters.set("type", value)}
            options={backupTypes.map((one) => [one, backupWord(one)] as const)}
          />
        ) : null}
      </div>
      {list.problem.value?.code === "not_configured" ? (
        <p class="empty">{told(list.problem.value)}</p>
      ) : (
        <Loading of={list}>
          {({ items, next_before }) => (
            <>
              {items.length === 0 ? (
                <p class="empty">{type === "" ? t().none : t().noneSo}</p>
              ) : (
                <Snapshots label={t().title} of={items} />
              )}
              <Pager trail={trail} next={next_before} />
            </>
          )}
        </Loading>
      )}
    </section>
  )
}
