import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { Dialog } from "../../../parts/Dialog.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { Refused } from "../Refusals.ts"
import { Messages } from "./Messages.tsx"

const t = words({
  en: {
    send: "Send a test message",
    title: "Test message",
    none: "No way to notify people is set up. The README of the watchdog lists the settings.",
    close: "Close"
  },
  de: {
    send: "Testnachricht senden",
    title: "Testnachricht",
    none: "Es ist kein Weg für Benachrichtigungen eingerichtet. Die README des Watchdogs nennt die Einstellungen.",
    close: "Schließen"
  }
})

/** Sends a test message by every way, and shows the outcome. */
export const TestMessage = () => {
  const doing = useDoing()
  const sent = useSignal<string | undefined>(undefined)
  const open = useSignal(false)
  if (!may("system.manage")) return null
  const send = () => {
    open.value = true
    sent.value = undefined
    void doing.run(async () => {
      sent.value = (await call("POST /api/v1/monitoring/alerts/test")).id
    })
  }
  return (
    <>
      <button type="button" disabled={doing.busy.value} onClick={send}>
        {t().send}
      </button>
      {open.value ? (
        <Dialog title={t().title} close={() => (open.value = false)}>
          <Refused problem={doing.problem.value} />
          {sent.value === undefined ? null : <Outcome id={sent.value} />}
          <div class="dialog-actions">
            <button type="button" onClick={() => (open.value = false)}>
              {t().close}
            </button>
          </div>
        </Dialog>
      ) : null}
    </>
  )
}

const Outcome = ({ id }: { readonly id: string }) => {
  const message = useLoad(() => call("GET /api/v1/monitoring/alert-messages/:id", { params: { id } }), [id], {
    every: 1_000
  })
  return (
    <Loading of={message}>
      {(found) => (found.deliveries.length === 0 ? <p>{t().none}</p> : <Messages label={t().title} of={[found]} />)}
    </Loading>
  )
}
