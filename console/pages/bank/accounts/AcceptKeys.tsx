import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useDoing } from "../../../lib/Doing.ts"
import { Refused } from "../Refusals.ts"
import type { Account, KeyStatus } from "../Shapes.ts"
import { Hash } from "./Hash.tsx"
import { compared } from "./KeySteps.ts"

const t = words({
  en: {
    authentication: "Authentication (X002)",
    encryption: "Encryption (E002)",
    received: (name: string) => `Received over the network: ${name}`,
    typed: (name: string) => `Hash on the bank's letter: ${name}`,
    same: "equal",
    differs: "differs: do not accept the keys, and ask the bank by telephone",
    accept: "Accept the bank's keys"
  },
  de: {
    authentication: "Authentifikation (X002)",
    encryption: "Verschlüsselung (E002)",
    received: (name: string) => `Über das Netz erhalten: ${name}`,
    typed: (name: string) => `Hashwert im Brief der Bank: ${name}`,
    same: "gleich",
    differs: "weicht ab: Nehmen Sie die Schlüssel nicht an, und fragen Sie die Bank am Telefon",
    accept: "Schlüssel der Bank annehmen"
  }
})

type Offered = NonNullable<KeyStatus["bank_keys"]["offered"]>

const purposes = ["authentication", "encryption"] as const

/** Comparison of the bank's keys with its letter. Only equal hashes can be accepted. */
export const AcceptKeys = ({
  account,
  changed,
  offered
}: {
  readonly account: Account
  readonly offered: Offered
  readonly changed: () => void
}) => {
  const doing = useDoing()
  const typed = useSignal({ authentication: "", encryption: "" })
  const outcome = (purpose: (typeof purposes)[number]) => {
    const { certificate_hash, hash } = offered[purpose]
    return compared(typed.value[purpose], certificate_hash === null ? [hash] : [hash, certificate_hash])
  }
  const submit = (event: Event) => {
    event.preventDefault()
    void doing
      .run(() =>
        call("POST /api/v1/crm/ebics/accounts/:uuid/keys/bank/accept", {
          params: { uuid: account.id },
          payload: typed.value
        })
      )
      .then((done) => done && changed())
  }
  return (
    <form class="stack" onSubmit={submit}>
      {purposes.map((purpose) => {
        const said = outcome(purpose)
        return (
          <fieldset key={purpose} class="inset">
            <legend>{t()[purpose]}</legend>
            <span class="soft">{t().received(offered[purpose].version)}</span>
            <Hash label={t().received(offered[purpose].version)} lines={offered[purpose].hash} />
            <label>
              {t().typed(offered[purpose].version)}
              <textarea
                name={purpose}
                required
                rows={2}
                maxLength={200}
                spellcheck={false}
                autocomplete="off"
                aria-invalid={said === "differs"}
                aria-describedby={`compared-${purpose}`}
                value={typed.value[purpose]}
                onInput={({ currentTarget }) =>
                  (typed.value = { ...typed.value, [purpose]: currentTarget.value.replace(/\s*\n\s*/g, " ") })
                }
              />
            </label>
            <span
              id={`compared-${purpose}`}
              role="status"
              class={said === "differs" ? "field-error" : said === "same" ? "done" : ""}
            >
              {said === undefined ? "" : t()[said]}
            </span>
          </fieldset>
        )
      })}
      <Refused problem={doing.problem.value} />
      <div class="page-actions">
        <button
          type="submit"
          class="primary"
          disabled={doing.busy.value || purposes.some((purpose) => outcome(purpose) !== "same")}
        >
          {t().accept}
        </button>
      </div>
    </form>
  )
}
