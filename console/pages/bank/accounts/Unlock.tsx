import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { may } from "../../../lib/Me.ts"
import { useDoing } from "../../../lib/Doing.ts"
import { told } from "../Refusals.ts"

const t = words({
  en: {
    locked: "The keys are locked since the last restart. Nothing is fetched until somebody enters their passphrase.",
    passphrase: "Passphrase of the keys",
    unlock: "Unlock",
    wrong: "This is not the passphrase of these keys."
  },
  de: {
    locked:
      "Die Schlüssel sind seit dem letzten Neustart gesperrt. Es wird nichts abgerufen, bis jemand ihr Passwort eingibt.",
    passphrase: "Passwort der Schlüssel",
    unlock: "Entsperren",
    wrong: "Das ist nicht das Passwort dieser Schlüssel."
  }
})

/** Form for the passphrase of the private keys. The server keeps it in memory only. */
export const Unlock = ({ changed, uuid }: { readonly uuid: string; readonly changed: () => void }) => {
  const doing = useDoing()
  const passphrase = useSignal("")
  const problem = doing.problem.value
  const submit = (event: Event) => {
    event.preventDefault()
    void doing
      .run(() =>
        call("POST /api/v1/crm/ebics/accounts/:uuid/keys/unlock", {
          params: { uuid },
          payload: { passphrase: passphrase.value }
        })
      )
      .then((done) => done && changed())
  }
  return (
    <form class="stack inset" onSubmit={submit}>
      <p class="remark">{t().locked}</p>
      {may("ebics.manage") ? (
        <>
          <label>
            {t().passphrase}
            <input
              type="password"
              required
              autocomplete="off"
              value={passphrase.value}
              aria-invalid={problem?.status === 422}
              onInput={({ currentTarget }) => (passphrase.value = currentTarget.value)}
            />
          </label>
          <div role="alert" class={problem === undefined ? "" : "trouble"}>
            {problem === undefined ? null : <p>{problem.status === 422 ? t().wrong : told(problem)}</p>}
          </div>
          <div class="page-actions">
            <button type="submit" class="primary" disabled={doing.busy.value}>
              {t().unlock}
            </button>
          </div>
        </>
      ) : null}
    </form>
  )
}
