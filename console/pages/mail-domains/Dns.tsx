import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { may } from "../../lib/Me.ts"
import { Badge } from "../../parts/Badge.tsx"
import { RecordTable } from "../domains/RecordTable.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { Sure } from "../mail/Sure.tsx"
import { told } from "../telephony/Refusals.ts"
import type { MailDomain } from "./Kinds.tsx"
import "../domains/domains.css"

const t = words({
  en: {
    title: "What belongs in DNS",
    caption: "Records for mail",
    waiting: (names: string) => `Further records follow once the operator has set ${names}.`,
    keys: "Keys that sign outgoing mail (DKIM)",
    active: "signs",
    next: "next",
    retired: "retired",
    rotate: "Make a new key",
    activate: (selector: string) => `Sign with ${selector}`,
    sure: "Really? Its record must be in DNS."
  },
  de: {
    title: "Was im DNS stehen soll",
    caption: "Einträge für Mail",
    waiting: (names: string) => `Weitere Einträge folgen, sobald der Betreiber ${names} gesetzt hat.`,
    keys: "Schlüssel, die ausgehende Mail unterschreiben (DKIM)",
    active: "unterschreibt",
    next: "der nächste",
    retired: "abgelöst",
    rotate: "Neuen Schlüssel erzeugen",
    activate: (selector: string) => `Mit ${selector} unterschreiben`,
    sure: "Wirklich? Sein Eintrag muss im DNS stehen."
  }
})

const tones = { active: "success", next: "info", retired: "quiet" } as const

/** DNS records that a mail domain needs, and its DKIM keys. */
export const Dns = ({ changed, domain }: { readonly domain: MailDomain; readonly changed: () => void }) => {
  const doing = useDoing()
  const run = (work: () => Promise<unknown>) => void doing.run(work).then((done) => done && changed())
  const next = domain.dkim_keys.find(({ state }) => state === "next")
  const managed = may("mail.manage") && domain.ownership.state === "proven"
  return (
    <section class="card" aria-labelledby="mail-dns">
      <h2 id="mail-dns">{t().title}</h2>
      {domain.waiting_for === undefined ? null : <p>{t().waiting(domain.waiting_for.join(", "))}</p>}
      <RecordTable
        caption={t().caption}
        items={domain.records.map(({ content, name, priority, status, type }) => ({
          type,
          name,
          content: priority === null ? content : `${priority} ${content}`,
          status,
          found: []
        }))}
      />
      <h3>{t().keys}</h3>
      <ul>
        {domain.dkim_keys.map(({ selector, state }) => (
          <li key={selector}>
            <code>{selector}</code> <Badge tone={tones[state]}>{t()[state]}</Badge>
          </li>
        ))}
      </ul>
      <div role="alert" class={doing.problem.value === undefined ? "" : "trouble"}>
        {doing.problem.value === undefined ? null : <p>{told(doing.problem.value)}</p>}
      </div>
      {!managed ? null : next === undefined ? (
        <button
          type="button"
          disabled={doing.busy.value}
          onClick={() => run(() => call("POST /api/v1/mail/domains/:id/dkim/rotate", { params: { id: domain.id } }))}
        >
          {t().rotate}
        </button>
      ) : (
        <Sure
          sure={t().sure}
          disabled={doing.busy.value}
          onSure={() =>
            run(() =>
              call("POST /api/v1/mail/domains/:id/dkim/:selector/activate", {
                params: { id: domain.id, selector: next.selector }
              })
            )
          }
        >
          {t().activate(next.selector)}
        </Sure>
      )}
    </section>
  )
}
