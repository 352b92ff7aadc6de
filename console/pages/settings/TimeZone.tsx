import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { useDoing } from "../../lib/Doing.ts"
import { moment } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { me, storeTimeZone } from "../../lib/Me.ts"
import { deviceZone } from "../../lib/TimeZone.ts"
import { undoable } from "../../lib/Undo.ts"
import { TimeZonePicker } from "../../parts/TimeZonePicker.tsx"
import { Outcome } from "./Outcome.tsx"

const t = words({
  en: {
    title: "Time zone",
    device: (zone: string) => `As on this device (${zone})`,
    zone: "Times in",
    purpose:
      "The console, mails and notifications show times in it. As on this device: mails and notifications say UTC.",
    now: (time: string) => `Now it is ${time}.`,
    changed: "The time zone is changed.",
    saved: "Saved."
  },
  de: {
    title: "Zeitzone",
    device: (zone: string) => `Wie auf diesem Gerät (${zone})`,
    zone: "Zeiten in",
    purpose:
      "Konsole, E-Mails und Benachrichtigungen zeigen Zeiten darin. Wie auf diesem Gerät: E-Mails und " +
      "Benachrichtigungen nennen UTC.",
    now: (time: string) => `Jetzt ist es ${time}.`,
    changed: "Die Zeitzone ist geändert.",
    saved: "Gespeichert."
  }
})

/** Time zone of the user's account. A choice is stored at once. */
export const TimeZone = () => {
  const own = me.value!.time_zone
  const doing = useDoing()
  /** Undefined while the user seeks a zone. */
  const picked = useSignal<string | null | undefined>(own)
  useEffect(() => {
    // Not while the user seeks, nor while a choice is being stored: this can be the answer to the choice before.
    if (picked.value !== undefined && !doing.busy.value) picked.value = own
  }, [own])
  const store = (zone: string | null) => {
    picked.value = zone
    if (zone === own) return
    void doing
      .run(() =>
        undoable(
          () => storeTimeZone(zone),
          () => t().changed,
          () => storeTimeZone(own)
        )
      )
      .then((done) => {
        if (!done) picked.value = me.value!.time_zone
      })
  }
  const isDevice = picked.value === null
  return (
    <section class="card" aria-labelledby="time-zone-title">
      <h2 id="time-zone-title">{t().title}</h2>
      <p class="soft">{t().purpose}</p>
      <label class="check">
        <input
          type="checkbox"
          name="device-zone"
          checked={isDevice}
          disabled={doing.busy.value}
          onChange={({ currentTarget }) => {
            if (currentTarget.checked) store(null)
            else picked.value = undefined
          }}
        />
        {t().device(deviceZone())}
      </label>
      {isDevice ? null : (
        <div class="field">
          <label for="time-zone">{t().zone}</label>
          <TimeZonePicker
            id="time-zone"
            focused={own === null}
            value={picked.value ?? undefined}
            pick={(zone) => {
              if (zone === undefined) picked.value = undefined
              else store(zone)
            }}
          />
        </div>
      )}
      <p>{t().now(moment(Date.now()))}</p>
      <Outcome of={doing} done={t().saved} />
    </section>
  )
}
