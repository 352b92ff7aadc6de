import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { moment } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { may } from "../../../lib/Me.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { bankCodeText, Refused } from "../Refusals.ts"
import { stoppedText } from "../Stopped.ts"
import type { Account, KeyStatus } from "../Shapes.ts"
import { AcceptKeys } from "./AcceptKeys.tsx"
import { isComplete, type Step, stepsOf } from "./KeySteps.ts"
import { Letters } from "./Letters.tsx"
import { stepTitle, stepWords } from "./StepWords.ts"
import { Unlock } from "./Unlock.tsx"
import { At } from "../../../parts/When.tsx"

const t = words({
  en: {
    title: "Set-up",
    ready: "The set-up is complete. Statements are fetched.",
    complete: "The set-up is complete.",
    suspended: "The set-up is complete. Fetching is suspended until somebody resumes it under Manage the keys.",
    done: "done",
    now: "next",
    wait: "the bank's turn",
    later: "later",
    answer: (step: string, at: string) => `Answer of the bank: ${step}, ${at}`,
    passphrase: "Passphrase (optional)",
    passphraseHint:
      "At least 12 characters. With a passphrase the keys are locked after each restart, until somebody enters it.",
    run: { init: "Generate keys", ini: "Send the first key", hia: "Send the other keys", activate: "Ask the bank" },
    running: "One moment …",
    stopped: "Fetching is stopped",
    refused: "A person with the permission to manage accounts does the next step."
  },
  de: {
    title: "Einrichtung",
    ready: "Die Einrichtung ist fertig. Auszüge werden abgerufen.",
    complete: "Die Einrichtung ist fertig.",
    suspended:
      "Die Einrichtung ist fertig. Der Abruf ist ausgesetzt, bis ihn jemand unter Schlüssel pflegen fortsetzt.",
    done: "erledigt",
    now: "als Nächstes",
    wait: "die Bank ist dran",
    later: "später",
    answer: (step: string, at: string) => `Antwort der Bank: ${step}, ${at}`,
    passphrase: "Passwort (optional)",
    passphraseHint:
      "Mindestens 12 Zeichen. Mit einem Passwort sind die Schlüssel nach jedem Neustart gesperrt, bis es jemand eingibt.",
    run: {
      init: "Schlüssel erzeugen",
      ini: "Ersten Schlüssel senden",
      hia: "Weitere Schlüssel senden",
      activate: "Bank fragen"
    },
    running: "Einen Moment …",
    stopped: "Der Abruf ist angehalten",
    refused: "Den nächsten Schritt tut jemand mit der Erlaubnis, Konten zu verwalten."
  }
})

interface Props {
  readonly account: Account
  readonly status: KeyStatus
  readonly changed: () => void
}

/** Guided set-up of an EBICS account: its steps, what is next, and the bank's last answer. */
export const SetUp = ({ account, changed, status }: Props) => {
  const complete = isComplete(status)
  return (
    <section class="card" aria-labelledby="set-up">
      <h2 id="set-up">{t().title}</h2>
      {status.locked ? <Unlock uuid={account.id} changed={changed} /> : null}
      {status.stopped === null ? null : (
        <p class="remark">
          {t().stopped}: {stoppedText(status.stopped)}
        </p>
      )}
      {complete ? (
        <p class={status.ready ? "done" : ""}>
          {status.ready ? t().ready : status.key_status === "suspended" ? t().suspended : t().complete}
        </p>
      ) : (
        <ol class="bank-steps">
          {stepsOf(status).map((step) => (
            <li key={step.name} class={step.state} aria-current={step.state === "now" ? "step" : undefined}>
              <StepLine step={step} />
              {step.state === "now" || step.state === "wait" ? (
                <>
                  <p>{stepWords()[step.name].what}</p>
                  {may("ebics.manage") || step.name === "letter" ? (
                    <Act step={step} account={account} status={status} changed={changed} />
                  ) : (
                    <p class="hint">{t().refused}</p>
                  )}
                </>
              ) : null}
            </li>
          ))}
        </ol>
      )}
      {status.last_answer === null || complete ? null : (
        <p class="bank-answer">
          <small>{t().answer(stepTitle(status.last_answer.step), moment(status.last_answer.at))}</small>
          {status.last_answer.code === null ? null : (
            <code>
              {status.last_answer.code} {status.last_answer.symbol ?? ""}
            </code>
          )}{" "}
          {bankCodeText(status.last_answer.code, status.last_answer.text)}
        </p>
      )}
    </section>
  )
}

const tones = { done: "success", now: "info", wait: "warning", later: "quiet" } as const

const StepLine = ({ step }: { readonly step: Step }) => (
  <div class="bank-step">
    <strong>{stepWords()[step.name].title}</strong>
    <Badge tone={tones[step.state]}>{t()[step.state]}</Badge>
    {step.at === null ? null : (
      <small>
        <At at={step.at} />
      </small>
    )}
  </div>
)

const Act = ({ account, changed, status, step }: Props & { readonly step: Step }) => {
  const doing = useDoing()
  const passphrase = useSignal("")
  const params = { uuid: account.id }
  // A refused step may have changed the state, too: the page shows it anew.
  const run = (work: () => Promise<unknown>) => void doing.run(work).then(changed)
  const button = (name: "init" | "ini" | "hia" | "activate", work: () => Promise<unknown>) => (
    <button type="button" class="primary" disabled={doing.busy.value} onClick={() => run(work)}>
      {doing.busy.value ? t().running : t().run[name]}
    </button>
  )
  switch (step.name) {
    case "configure":
      return null
    case "init":
      return (
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault()
            run(() =>
              call("POST /api/v1/crm/ebics/accounts/:uuid/keys/init", {
                params,
                payload: passphrase.value === "" ? {} : { passphrase: passphrase.value }
              })
            )
          }}
        >
          <label>
            {t().passphrase}
            <input
              type="password"
              autocomplete="new-password"
              minLength={12}
              maxLength={256}
              value={passphrase.value}
              aria-describedby="passphrase-hint"
              onInput={({ currentTarget }) => (passphrase.value = currentTarget.value)}
            />
            <small id="passphrase-hint">{t().passphraseHint}</small>
          </label>
          <div class="page-actions">
            <button type="submit" class="primary" disabled={doing.busy.value}>
              {doing.busy.value ? t().running : t().run.init}
            </button>
          </div>
          <Refused problem={doing.problem.value} />
        </form>
      )
    case "ini":
      return (
        <>
          {button("ini", () => call("POST /api/v1/crm/ebics/accounts/:uuid/keys/ini", { params }))}
          <Refused problem={doing.problem.value} />
        </>
      )
    case "hia":
      return (
        <>
          {button("hia", () => call("POST /api/v1/crm/ebics/accounts/:uuid/keys/hia", { params }))}
          <Refused problem={doing.problem.value} />
        </>
      )
    case "letter":
      return <Letters account={account} />
    case "activate":
      return (
        <>
          {button("activate", () => call("POST /api/v1/crm/ebics/accounts/:uuid/keys/activate", { params }))}
          <Refused problem={doing.problem.value} />
        </>
      )
    case "accept":
      return status.bank_keys.offered === null ? null : (
        <AcceptKeys account={account} offered={status.bank_keys.offered} changed={changed} />
      )
  }
}
