import { useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { me } from "../../lib/Me.ts"
import { Problem } from "../../lib/Problem.ts"
import { Dialog } from "../../parts/Dialog.tsx"
import { severities } from "../../parts/RunBadges.tsx"
import { Trouble } from "../../parts/Trouble.tsx"

const t = words({
  en: {
    title: "Send a test alarm",
    hint: "It is sent like a real alarm, with your address as the sender: it is refused when that address may not raise alarms, and its targets are really reached.",
    severity: "Severity",
    channel: "Channel",
    target: "Target",
    text: "Text",
    usual: "A test. Nothing happened.",
    send: "Send",
    cancel: "Cancel",
    targetHint: "A phone number, a chat id or @name, or a web address"
  },
  de: {
    title: "Testalarm senden",
    hint: "Er wird wie ein echter Alarm mit Ihrer Adresse als Absender gesendet: Darf sie keine Alarme auslösen, wird er abgewiesen. Seine Ziele werden wirklich erreicht.",
    severity: "Stufe",
    channel: "Kanal",
    target: "Ziel",
    text: "Text",
    usual: "Ein Test. Es ist nichts passiert.",
    send: "Senden",
    cancel: "Abbrechen",
    targetHint: "Eine Rufnummer, eine Chat-Kennung oder @name, oder eine Webadresse"
  }
})

const channels = ["WEBHOOK", "MESSENGER", "MESSENGER_VOICE", "CALL"] as const

/** Sends a test alarm and opens the page of its run. */
export const SendTest = ({ close }: { readonly close: () => void }) => {
  const { route } = useLocation()
  const severity = useSignal<string>("INFO")
  const channel = useSignal<string>(channels[0])
  const target = useSignal("")
  const text = useSignal(t().usual)
  const busy = useSignal(false)
  const problem = useSignal<Problem | undefined>(undefined)
  const send = async (event: Event) => {
    event.preventDefault()
    busy.value = true
    problem.value = undefined
    try {
      const { run_id } = await call("POST /api/v1/workflows/trigger", {
        payload: {
          event_type: "email.alarm.received",
          payload: {
            email_subject: `${severity.value}:${channel.value}+${target.value.trim()}`,
            email_body: text.value,
            email_from: me.value?.email ?? ""
          }
        }
      })
      close()
      route(`/console/alarms/${run_id}`)
    } catch (error) {
      problem.value = error instanceof Problem ? error : new Problem(0, "failed", String(error))
      busy.value = false
    }
  }
  return (
    <Dialog title={t().title} close={close}>
      <form class="stack" onSubmit={send}>
        <small>{t().hint}</small>
        <label>
          {t().severity}
          <select
            name="severity"
            value={severity.value}
            onChange={({ currentTarget }) => (severity.value = currentTarget.value)}
          >
            {[...severities].reverse().map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t().channel}
          <select
            name="channel"
            value={channel.value}
            onChange={({ currentTarget }) => (channel.value = currentTarget.value)}
          >
            {channels.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t().target}
          <input
            name="target"
            required
            maxLength={1_500}
            aria-describedby="target-hint"
            value={target.value}
            onInput={({ currentTarget }) => (target.value = currentTarget.value)}
          />
          <small id="target-hint">{t().targetHint}</small>
        </label>
        <label>
          {t().text}
          <textarea
            name="text"
            rows={3}
            value={text.value}
            onInput={({ currentTarget }) => (text.value = currentTarget.value)}
          />
        </label>
        <Trouble problem={problem.value} />
        <div class="dialog-actions">
          <button type="button" onClick={close}>
            {t().cancel}
          </button>
          <button type="submit" class="primary" disabled={busy.value}>
            {t().send}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
