import { useSignal } from "@preact/signals"
import { words } from "../../lib/Language.ts"
import { isProvider, may, type Permission } from "../../lib/Me.ts"
import { useDoing } from "../../lib/Doing.ts"
import { Sure } from "../mail/Sure.tsx"
import { told } from "./Refusals.ts"

const t = words({
  en: {
    title: (name: string) => `Show that ${name} is yours`,
    name: "Name",
    content: "Content",
    copy: "Copy the content",
    copied: "Copied.",
    failed: "This browser does not let us copy.",
    look: "Check now",
    looking: "The domain's name servers are asked in a moment. This page changes by itself.",
    often: "They are also asked every minute in the first hour, and less often later.",
    assert: "Accept without proof"
  },
  de: {
    title: (name: string) => `Nachweis, dass ${name} Ihnen gehört`,
    name: "Name",
    content: "Inhalt",
    copy: "Inhalt kopieren",
    copied: "Kopiert.",
    failed: "Dieser Browser erlaubt das Kopieren nicht.",
    look: "Jetzt prüfen",
    looking: "Die Nameserver der Domain werden gleich gefragt. Diese Seite ändert sich von selbst.",
    often: "Sie werden auch von selbst gefragt: in der ersten Stunde jede Minute, später seltener.",
    assert: "Ohne Nachweis annehmen"
  }
})

interface Props {
  /** The claimed name. */
  readonly name: string
  readonly challenge: { readonly name: string; readonly content: string }
  /** What to do, and what does not work until then. */
  readonly what: string
  /** Question before the provider accepts the name without proof. */
  readonly sure: string
  /** Permission to change the ownership. */
  readonly manage: Permission
  /** Has the name servers asked soon. */
  readonly check: () => Promise<unknown>
  readonly assert: () => Promise<unknown>
  readonly changed: () => void
}

/** The TXT record that proves the ownership of a domain, and a button that has it looked for. */
export const OwnershipProof = ({ assert, challenge, changed, check, manage, name, sure, what }: Props) => {
  const doing = useDoing()
  const said = useSignal<"copied" | "failed" | "looking" | undefined>(undefined)
  const title = `proof-${name}`
  const look = () => void doing.run(check).then((done) => done && (said.value = "looking"))
  const accept = () => void doing.run(assert).then((done) => done && changed())
  const copy = () =>
    void navigator.clipboard.writeText(challenge.content).then(
      () => (said.value = "copied"),
      () => (said.value = "failed")
    )
  return (
    <section class="card" aria-labelledby={title}>
      <h2 id={title}>{t().title(name)}</h2>
      <p>{what}</p>
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
        {may(manage) ? (
          <button type="button" class="primary" disabled={doing.busy.value} onClick={look}>
            {t().look}
          </button>
        ) : null}
        {may(manage) && isProvider() ? (
          <Sure sure={sure} disabled={doing.busy.value} onSure={accept}>
            {t().assert}
          </Sure>
        ) : null}
      </div>
      <p role="status">{said.value === undefined ? "" : t()[said.value]}</p>
      <p class="soft">{t().often}</p>
    </section>
  )
}
