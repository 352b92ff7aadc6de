import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { moment } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Badge } from "../../parts/Badge.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { Sure } from "../mail/Sure.tsx"
import { Outcome } from "../settings/Outcome.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { At } from "../../parts/When.tsx"

const t = words({
  en: {
    title: "Webhook secrets",
    intro: "Webhooks are signed with these, so that receivers recognise them.",
    none: "None yet: webhooks are not signed.",
    rotate: "New secret",
    overlap: "The old one signs for",
    hours: { 0: "no longer", 24: "24 hours more", 168: "7 days more" },
    shown: "The new secret. It is shown this once: enter it at the receiver.",
    current: "current",
    created: "Created",
    retires: "Signs until",
    remove: "Delete",
    removeThis: (id: number) => `Delete secret ${id}`,
    sure: "This secret then signs nothing more. Receivers that know only this one refuse webhooks."
  },
  de: {
    title: "Geheimnisse für Webhooks",
    intro: "Damit werden Webhooks signiert, sodass Empfänger sie erkennen.",
    none: "Noch kein Geheimnis: Webhooks werden nicht signiert.",
    rotate: "Neues Geheimnis",
    overlap: "Das alte signiert",
    hours: { 0: "nicht mehr", 24: "noch 24 Stunden", 168: "noch 7 Tage" },
    shown: "Das neue Geheimnis. Es wird nur dieses eine Mal gezeigt: beim Empfänger eintragen.",
    current: "aktuell",
    created: "Erstellt",
    retires: "Signiert bis",
    remove: "Löschen",
    removeThis: (id: number) => `Geheimnis ${id} löschen`,
    sure: "Dieses Geheimnis signiert dann nichts mehr. Empfänger, die nur dieses kennen, weisen Webhooks ab."
  }
})

const choices = [0, 24, 168] as const

/** The secrets that sign the tenant's webhooks: show a new one once, rotate, delete. */
export const WebhookSecrets = () => {
  const list = useLoad(() => call("GET /api/v1/comm/webhook-secrets"))
  const doing = useDoing()
  const overlap = useSignal<(typeof choices)[number]>(24)
  const made = useSignal<string | undefined>(undefined)
  const rotate = async () => {
    await doing.run(async () => {
      const { secret } = await call("POST /api/v1/comm/webhook-secrets", { payload: { overlap_hours: overlap.value } })
      made.value = secret
    })
    list.reload()
  }
  const remove = async (id: number) => {
    await doing.run(() => call("DELETE /api/v1/comm/webhook-secrets/:id", { params: { id } }))
    list.reload()
  }
  /** Whether there is no former secret, which could go on signing. */
  const isFirst = list.value.value?.items.length === 0
  return (
    <section class="card" aria-labelledby="webhook-secrets">
      <div class="card-head">
        <h2 id="webhook-secrets">{t().title}</h2>
        <button type="button" class="small" disabled={doing.busy.value} onClick={() => void rotate()}>
          {t().rotate}
        </button>
      </div>
      <p class="soft">{t().intro}</p>
      {isFirst ? null : (
        <label>
          {t().overlap}{" "}
          <select
            value={overlap.value}
            onChange={({ currentTarget }) =>
              (overlap.value = choices.find((hours) => String(hours) === currentTarget.value) ?? 24)
            }
          >
            {choices.map((hours) => (
              <option key={hours} value={hours}>
                {t().hours[hours]}
              </option>
            ))}
          </select>
        </label>
      )}
      <Outcome of={doing} />
      {made.value === undefined ? null : (
        <div class="inset" role="status">
          <p>{t().shown}</p>
          <code class="secret">{made.value}</code>
        </div>
      )}
      <Loading of={list}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="empty">{t().none}</p>
          ) : (
            <div class="scroll" tabIndex={0} role="region" aria-labelledby="webhook-secrets">
              <table>
                <thead>
                  <tr>
                    <th scope="col">{t().created}</th>
                    <th scope="col">{t().retires}</th>
                    <td />
                  </tr>
                </thead>
                <tbody>
                  {items.map(({ created_at, id, retires_at }) => (
                    <tr key={id}>
                      <td>
                        <At at={created_at} />
                      </td>
                      <td>{retires_at === null ? <Badge tone="success">{t().current}</Badge> : moment(retires_at)}</td>
                      <td class="number">
                        <Sure
                          sure={t().remove}
                          loses={t().sure}
                          disabled={doing.busy.value}
                          onSure={() => void remove(id)}
                        >
                          {t().removeThis(id)}
                        </Sure>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loading>
    </section>
  )
}
