import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import type { Answer } from "../../lib/Endpoints.ts"
import { words } from "../../lib/Language.ts"
import { CustomerName } from "../../parts/CustomerName.tsx"
import { may } from "../../lib/Me.ts"
import { Badge } from "../../parts/Badge.tsx"
import { useNow } from "../../parts/Now.ts"
import { When } from "../../parts/When.tsx"
import { providerName, type Types } from "../domains/Providers.ts"
import { told } from "../domains/Refusals.ts"
import type { Provider } from "../domains/Shapes.ts"
import { useDoing } from "../../lib/Doing.ts"
import { offerUndo } from "../../lib/Undo.ts"
import { undoWords } from "../../lib/UndoWords.ts"
import { Sure } from "../mail/Sure.tsx"

const t = words({
  en: {
    customer: "Customer:",
    standard: "default",
    bare: "no credentials",
    test: "Try",
    testing: "Trying …",
    works: (zones: number) => `It works, with access to ${zones} ${zones === 1 ? "zone" : "zones"}.`,
    tested: "tried",
    failed: "does not work",
    zones: "Zones",
    noZones: "It has access to no zone.",
    make: "Make default",
    change: "Change",
    remove: "Delete",
    sure: "Really delete?",
    of: (what: string, name: string) => `${what}: ${name}`
  },
  de: {
    customer: "Kunde:",
    standard: "Standard",
    bare: "ohne Zugangsdaten",
    test: "Prüfen",
    testing: "Wird geprüft …",
    works: (zones: number) => `Funktioniert, mit Zugriff auf ${zones} ${zones === 1 ? "Zone" : "Zonen"}.`,
    tested: "geprüft",
    failed: "funktioniert nicht",
    zones: "Zonen",
    noZones: "Kein Zugriff auf eine Zone.",
    make: "Als Standard",
    change: "Ändern",
    remove: "Löschen",
    sure: "Wirklich löschen?",
    of: (what: string, name: string) => `${what}: ${name}`
  }
})

interface Props {
  readonly account: Provider
  readonly types: Types
  /** Id of the customer's default account; undefined when none is known. */
  readonly former: number | undefined
  readonly edit: () => void
  readonly changed: () => void
}

/** One account at a DNS provider, with its actions. */
export const Account = ({ account, changed, edit, former, types }: Props) => {
  const doing = useDoing()
  const now = useNow(30_000)
  const said = useSignal<Answer<"POST /api/v1/dns-providers/:id/test"> | undefined>(undefined)
  const zones = useSignal<Answer<"GET /api/v1/dns-providers/:id/zones">["items"] | undefined>(undefined)
  const params = { id: account.id }
  const type = types.find((one) => one.type === account.type)
  const run = (work: () => Promise<unknown>) => void doing.run(work).then((done) => done && changed())
  const test = () =>
    run(async () => {
      said.value = await call("POST /api/v1/dns-providers/:id/test", { params })
    })
  const list = () =>
    void doing.run(async () => {
      zones.value = (await call("GET /api/v1/dns-providers/:id/zones", { params })).items
    })
  const standard = (id: number) =>
    call("PUT /api/v1/dns-providers/:id", { params: { id }, payload: { is_default: true } })
  const makeDefault = () =>
    run(async () => {
      await standard(account.id)
      if (former !== undefined)
        offerUndo({ done: () => undoWords().standard(account.name), undo: () => standard(former) })
    })
  const button = (what: string, act: () => void) => (
    <button
      type="button"
      class="small"
      aria-label={t().of(what, account.name)}
      disabled={doing.busy.value}
      onClick={act}
    >
      {what}
    </button>
  )
  return (
    <>
      <div class="plan-line">
        <strong>{account.name}</strong> <span>{providerName(types, account.type)}</span>{" "}
        <span class="soft">
          {t().customer} <CustomerName id={account.customer_id} />
        </span>
        {account.is_default ? <Badge tone="info">{t().standard}</Badge> : null}
        {type?.has_adapter === true && !account.has_credentials ? <Badge tone="warning">{t().bare}</Badge> : null}
        {account.tested_at === null ? null : (
          <span>
            <Badge tone={account.test_problem === null ? "success" : "error"}>
              {account.test_problem === null ? t().tested : t().failed}
            </Badge>{" "}
            <When at={account.tested_at} now={now} />
          </span>
        )}
      </div>
      <div class="page-actions">
        {type?.has_adapter === true && account.has_credentials ? (
          <>
            {may("dns.manage") ? button(doing.busy.value ? t().testing : t().test, test) : null}
            {button(t().zones, list)}
          </>
        ) : null}
        {may("dns.manage") ? (
          <>
            {account.is_default ? null : button(t().make, makeDefault)}
            {button(t().change, edit)}
            <Sure
              sure={t().sure}
              disabled={doing.busy.value}
              onSure={() => run(() => call("DELETE /api/v1/dns-providers/:id", { params }))}
            >
              {t().remove}
              <span class="sr">: {account.name}</span>
            </Sure>
          </>
        ) : null}
      </div>
      <div role="status">
        {said.value === undefined ? null : (
          <p>{said.value.ok ? t().works(said.value.zones ?? 0) : (said.value.problem ?? t().failed)}</p>
        )}
      </div>
      {doing.problem.value === undefined ? null : (
        <div class="trouble" role="alert">
          <p>{told(doing.problem.value)}</p>
        </div>
      )}
      {zones.value === undefined ? null : zones.value.length === 0 ? (
        <p>{t().noZones}</p>
      ) : (
        <ul>
          {zones.value.map(({ domains, id, name }) => (
            <li key={id}>
              <code>{name}</code>{" "}
              {domains.map((domain) => (
                <a key={domain.id} href={`/console/domains/${domain.id}`}>
                  {domain.name}
                </a>
              ))}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
