import { call } from "../../lib/Call.ts"
import type { Answer } from "../../lib/Endpoints.ts"
import { useFirstFocus } from "../../lib/FirstFocus.ts"
import { words } from "../../lib/Language.ts"
import { useDoing } from "../../lib/Doing.ts"
import { Refused } from "../people/Refusals.ts"
import { shared } from "../people/Words.ts"
import { errorsOf } from "../telephony/Refusals.ts"

export type Tenant = Answer<"GET /api/v1/tenants/:id">

const t = words({
  en: { add: "Add a tenant", rename: (name: string) => `Rename ${name}`, create: "Add" },
  de: { add: "Mandanten anlegen", rename: (name: string) => `${name} umbenennen`, create: "Anlegen" }
})

/** Form for the name of a tenant. `tenant`: undefined to create one. */
export const TenantForm = ({
  saved,
  shut,
  tenant
}: {
  readonly tenant: Tenant | undefined
  readonly saved: (tenant: Tenant) => void
  readonly shut: () => void
}) => {
  const doing = useDoing()
  const input = useFirstFocus<HTMLInputElement>()
  const problem = doing.problem.value
  const error = errorsOf(problem).get("name")
  const submit = (event: Event) => {
    event.preventDefault()
    const payload = { name: input.current!.value.trim() }
    let answer: Tenant | undefined
    void doing
      .run(async () => {
        answer =
          tenant === undefined
            ? await call("POST /api/v1/tenants", { payload })
            : await call("PATCH /api/v1/tenants/:id", { params: { id: tenant.id }, payload })
      })
      .then((done) => done && saved(answer!))
  }
  return (
    <form class="stack card" aria-labelledby="tenant-form" onSubmit={submit} autocomplete="off">
      <h2 id="tenant-form">{tenant === undefined ? t().add : t().rename(tenant.name)}</h2>
      <label>
        {shared().name}
        <input
          ref={input}
          name="tenant_name"
          required
          maxLength={200}
          defaultValue={tenant?.name ?? ""}
          aria-invalid={error !== undefined}
          aria-describedby="tenant-name-error"
        />
        <small class="field-error" id="tenant-name-error">
          {error ?? ""}
        </small>
      </label>
      <Refused problem={problem} shown={["name"]} />
      <div class="page-actions">
        <button type="submit" class="primary" disabled={doing.busy.value}>
          {tenant === undefined ? t().create : shared().save}
        </button>
        <button type="button" onClick={shut}>
          {shared().cancel}
        </button>
      </div>
    </form>
  )
}
