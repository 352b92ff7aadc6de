import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { may, me } from "../../lib/Me.ts"
import { useDoing } from "../mail/Doing.ts"
import { Sure } from "../mail/Sure.tsx"
import { told } from "../telephony/Refusals.ts"
import type { MailDomain } from "./Kinds.tsx"

const t = words({
  en: {
    title: "Show that the domain is yours",
    what: "Publish this TXT record in the DNS of the domain. Until it is seen there, the mail server does not know the domain.",
    name: "Name",
    content: "Content",
    copy: "Copy the content",
    copied: "Copied.",
    failed: "This browser does not let us copy.",
    look: "Look now",
    looking: "The domain's name servers are asked in a moment. This page changes by itself.",
    often: "They are also asked every minute in the first hour, and less often later.",
    assert: "Accept without proof",
    sure: "Really accept? The mail server then serves the domain."
  },
  de: {
    title: "Nachweis, dass die Domain Ihnen gehört",
    what: "Veröffentlichen Sie diesen TXT-Eintrag im DNS der Domain. Solange er dort nicht zu sehen ist, kennt der Mailserver die Domain nicht.",
    name: "Name",
    content: "Inhalt",
    copy: "Inhalt kopieren",
    copied: "Kopiert.",
    failed: "Dieser Browser lässt uns nicht kopieren.",
    look: "Jetzt nachsehen",
    looking: "Die Nameserver der Domain werden gleich gefragt. Diese Seite ändert sich von selbst.",
    often: "Sie werden auch ohnedies gefragt: in der ersten Stunde jede Minute, später seltener.",
    assert: "Ohne Nachweis annehmen",
    sure: "Wirklich annehmen? Der Mailserver bedient die Domain dann."
  }
})

/** Tenant of the provider, whose users may accept a domain without proof. Source: DESIGN. */
const provider = 1

interface Props {
  readonly domain: MailDomain
  readonly challenge: NonNullable<MailDomain["ownership"]["challenge"]>
  readonly changed: () => void
}

/** The TXT record that proves the ownership of a domain, and a button that has it looked for. */
export const Proof = ({ challenge, changed, domain }: Props) => {
  const doing = useDoing()
  const said = useSignal<"copied" | "failed" | "looking" | undefined>(undefined)
  const params = { id: domain.id }
  const look = () =>
    void doing
      .run(() => call("POST /api/v1/mail/domains/:id/ownership/check", { params }))
      .then((done) => done && (said.value = "looking"))
  const assert = () =>
    void doing.run(() => call("POST /api/v1/mail/domains/:id/assert", { params })).then((done) => done && changed())
  const copy = () =>
    void navigator.clipboard.writeText(challenge.content).then(
      () => (said.value = "copied"),
      () => (said.value = "failed")
    )
  return (
    <section class="card" aria-labelledby="proof">
      <h2 id="proof">{t().title}</h2>
      <p>{t().what}</p>
      <dl class="facts domain-facts">
        <dt>{t().name}</dt>
        <dd>
          <code class="values">{challenge.name}</code>
        </dd>
        <dt>{t().content}</dt>
        <dd>
          <code class="values">{challenge.content}</code>
        </dd>
      </dl>
      <div role="alert" class={doing.problem.value === undefined ? "" : "trouble"}>
        {doing.problem.value === undefined ? null : <p>{told(doing.problem.value)}</p>}
      </div>
      <div class="page-actions">
        <button type="button" onClick={copy}>
          {t().copy}
        </button>
        {may("mail.manage") ? (
          <button type="button" class="primary" disabled={doing.busy.value} onClick={look}>
            {t().look}
          </button>
        ) : null}
        {may("mail.manage") && me.value?.tenant_id === provider ? (
          <Sure sure={t().sure} disabled={doing.busy.value} onSure={assert}>
            {t().assert}
          </Sure>
        ) : null}
      </div>
      <p role="status">{said.value === undefined ? "" : t()[said.value]}</p>
      <p class="soft">{t().often}</p>
    </section>
  )
}
