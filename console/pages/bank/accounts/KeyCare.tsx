import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useDoing } from "../../../lib/Doing.ts"
import { Sure } from "../../mail/Sure.tsx"
import { bareHash } from "./KeySteps.ts"
import { Letters } from "./Letters.tsx"
import { Refused } from "../Refusals.ts"
import type { Account, KeyStatus } from "../Shapes.ts"

const t = words({
  en: {
    title: "Manage the keys",
    suspend: "Suspend fetching",
    suspendHint: "Nothing is fetched until you resume. The keys stay.",
    resume: "Resume fetching",
    resumeHint: "Fetching goes on as before.",
    refresh: "Fetch the bank's keys again",
    refreshHint: "Only when the bank announced new keys. Changed keys stop fetching until you have compared them.",
    letters: "Letters once more",
    reset: "Destroy the keys and begin again",
    sure: "Really? The keys cannot be restored.",
    resetHint:
      "Only when keys are lost or in wrong hands. The bank must reset the user, too, and new letters are necessary. Enter the IBAN of this account to confirm.",
    confirm: "IBAN of this account"
  },
  de: {
    title: "Schlüssel pflegen",
    suspend: "Abruf aussetzen",
    suspendHint: "Nichts wird abgerufen, bis Sie fortsetzen. Die Schlüssel bleiben.",
    resume: "Abruf fortsetzen",
    resumeHint: "Der Abruf geht weiter wie zuvor.",
    refresh: "Schlüssel der Bank neu holen",
    refreshHint:
      "Nur wenn die Bank neue Schlüssel angekündigt hat. Geänderte Schlüssel halten den Abruf an, bis Sie sie verglichen haben.",
    letters: "Briefe noch einmal",
    reset: "Schlüssel vernichten und neu beginnen",
    sure: "Wirklich? Die Schlüssel sind dann verloren.",
    resetHint:
      "Nur wenn Schlüssel verloren oder in falschen Händen sind. Die Bank muss den Teilnehmer ebenfalls zurücksetzen, und neue Briefe sind nötig. Geben Sie zur Bestätigung die IBAN dieses Kontos ein.",
    confirm: "IBAN dieses Kontos"
  }
})

/** Suspends, resumes and resets. */
export const KeyCare = ({
  account,
  changed,
  status
}: {
  readonly account: Account
  readonly status: KeyStatus
  readonly changed: () => void
}) => {
  const doing = useDoing()
  const confirm = useSignal("")
  const params = { uuid: account.id }
  const run = (work: () => Promise<unknown>) => void doing.run(work).then((done) => done && changed())
  if (status.keys_created_at === null) return null
  const canResume = status.key_status === "suspended" || (status.stopped !== null && status.bank_keys.offered === null)
  return (
    <details class="card">
      <summary>
        <h2>{t().title}</h2>
      </summary>
      <Refused problem={doing.problem.value} />
      {canResume ? (
        <Care hint={t().resumeHint}>
          <button
            type="button"
            disabled={doing.busy.value}
            onClick={() => run(() => call("POST /api/v1/crm/ebics/accounts/:uuid/keys/resume", { params }))}
          >
            {t().resume}
          </button>
        </Care>
      ) : status.key_status === "active" ? (
        <Care hint={t().suspendHint}>
          <button
            type="button"
            disabled={doing.busy.value}
            onClick={() => run(() => call("POST /api/v1/crm/ebics/accounts/:uuid/keys/suspend", { params }))}
          >
            {t().suspend}
          </button>
        </Care>
      ) : null}
      {status.activated_at === null ? null : (
        <>
          <Care hint={t().refreshHint}>
            <button
              type="button"
              disabled={doing.busy.value}
              onClick={() => run(() => call("POST /api/v1/crm/ebics/accounts/:uuid/keys/bank/refresh", { params }))}
            >
              {t().refresh}
            </button>
          </Care>
          <h3>{t().letters}</h3>
          <Letters account={account} />
        </>
      )}
      <h3>{t().reset}</h3>
      <p class="hint">{t().resetHint}</p>
      <div class="filters">
        <label>
          {t().confirm}
          <input
            name="confirm"
            autocomplete="off"
            value={confirm.value}
            onInput={({ currentTarget }) => (confirm.value = currentTarget.value)}
          />
        </label>
        <Sure
          sure={t().sure}
          disabled={doing.busy.value || bareHash(confirm.value) !== account.iban}
          onSure={() =>
            run(async () => {
              await call("POST /api/v1/crm/ebics/accounts/:uuid/keys/reset", {
                params,
                payload: { confirm: confirm.value }
              })
              confirm.value = ""
            })
          }
        >
          {t().reset}
        </Sure>
      </div>
    </details>
  )
}

const Care = ({ children, hint }: { readonly hint: string; readonly children: ComponentChildren }) => (
  <div class="bank-care">
    {children} <span class="hint">{hint}</span>
  </div>
)
