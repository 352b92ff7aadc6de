import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { Dialog } from "../../parts/Dialog.tsx"
import type { Run } from "../../parts/RunBadges.tsx"
import { TargetChips } from "../../parts/TargetChips.tsx"
import { Trouble } from "../../parts/Trouble.tsx"
import { useDoing } from "../../lib/Doing.ts"

const t = words({
  en: {
    open: "Send a test alarm",
    again: "Send again",
    title: "Send a test alarm",
    hint: "A real alarm of severity INFO. It comes to this browser as a notification, without any setting.",
    more: (at: number) => `Further target ${at}`,
    channel: (at: number) => `Channel of target ${at}`,
    add: "Add a target",
    remove: (at: number) => `Remove target ${at}`,
    targetHint: "Also to a web address, a chat (4711 or @name) or a phone number. Whoever it names is really reached.",
    retries: "Tries again after a failure",
    every: "Minutes between the tries",
    text: "Text",
    usual: "A test. Nothing happened.",
    send: "Send",
    close: "Close",
    cancel: "Cancel",
    waiting: "The alarm is under way …",
    arrived: "The alarm has arrived in this browser.",
    late: "The alarm has not arrived yet. Its page shows why.",
    show: "Show the alarm"
  },
  de: {
    open: "Testalarm senden",
    again: "Noch einmal senden",
    title: "Testalarm senden",
    hint: "Ein echter Alarm der Stufe INFO. Er erscheint als Mitteilung in diesem Browser; dafür muss nichts eingerichtet sein.",
    more: (at: number) => `Weiteres Ziel ${at}`,
    channel: (at: number) => `Kanal von Ziel ${at}`,
    add: "Ziel hinzufügen",
    remove: (at: number) => `Ziel ${at} entfernen`,
    targetHint:
      "Auch an eine Webadresse, einen Chat (4711 oder @name) oder eine Rufnummer. " +
      "Wer genannt ist, wird wirklich erreicht.",
    retries: "Weitere Versuche nach einem Fehler",
    every: "Minuten zwischen den Versuchen",
    text: "Text",
    usual: "Ein Test. Es ist nichts passiert.",
    send: "Senden",
    close: "Schließen",
    cancel: "Abbrechen",
    waiting: "Der Alarm ist unterwegs …",
    arrived: "Der Alarm ist in diesem Browser angekommen.",
    late: "Der Alarm ist noch nicht angekommen. Seine Seite zeigt, warum.",
    show: "Alarm zeigen"
  }
})

const channels = ["WEBHOOK", "MESSENGER", "MESSENGER_VOICE", "CALL"] as const

interface Target {
  readonly id: number
  readonly channel: (typeof channels)[number]
  readonly target: string
}

/** Maximum number of targets. Source: daemons/comm-dispatcher/test-alarm/Api.ts. */
const maxTargets = 10

/** Interval of looks at the run, and how long a person waits. Units: milliseconds. */
const look = 250
const patience = 15_000

/** States of a delivery that can still change. */
const isUnsettled = ({ state }: Run["targets"][number]): boolean => state === "pending" || state === "attempting"

type Phase = "form" | "waiting" | "arrived" | "late"

/**
 * Button with a dialog that sends a test alarm. `arrived`: runs when the dialog closes after an alarm has arrived here.
 * Not before, because the caller may remove the button with its dialog.
 */
export const TestAlarm = ({ arrived, first }: { readonly arrived: () => void; readonly first: boolean }) => {
  const shown = useSignal(false)
  return (
    <>
      <button type="button" class={first ? "primary" : ""} onClick={() => void (shown.value = true)}>
        {first ? t().open : t().again}
      </button>
      {shown.value ? <TestDialog arrived={arrived} close={() => void (shown.value = false)} /> : null}
    </>
  )
}

/** Whether the set-up list knows of the arrival, which its receiver marks a moment after the delivery. */
const isMarked = async (): Promise<boolean> => {
  const { items } = await call("GET /api/v1/settings/setup")
  return items.some(({ name, state }) => name === "test-alarm" && state === "done")
}

const TestDialog = ({ arrived, close }: { readonly arrived: () => void; readonly close: () => void }) => {
  // One empty row: most people test a target of theirs. A row without an address is left out.
  const targets = useSignal<ReadonlyArray<Target>>([{ id: 1, channel: "WEBHOOK", target: "" }])
  const reached = useSignal<Run["targets"]>([])
  const times = useSignal("0")
  const every = useSignal("1")
  const text = useSignal(t().usual)
  const phase = useSignal<Phase>("form")
  const runId = useSignal("")
  const doing = useDoing()
  const change = (id: number, to: Partial<Target>) =>
    void (targets.value = targets.value.map((one) => (one.id === id ? { ...one, ...to } : one)))
  /**
   * Waits until the receiver of the daemon has the alarm, which is the first target. Then shows the other targets until
   * each is delivered or given up.
   */
  const follow = async (id: string) => {
    const until = performance.now() + patience
    while (performance.now() < until) {
      // The list is empty until the run has begun; asked by its id, the run would be an error until then.
      const { items } = await call("GET /api/v1/workflows/runs", { query: { q: id, limit: 1 } })
      const run = items.length === 0 ? undefined : await call("GET /api/v1/workflows/runs/:id", { params: { id } })
      const [browser, ...others] = run?.targets ?? []
      reached.value = others
      if (phase.value === "waiting" && browser?.state === "delivered" && (await isMarked())) phase.value = "arrived"
      if (phase.value === "arrived" && !others.some(isUnsettled)) return
      await new Promise((resolve) => setTimeout(resolve, look))
    }
    if (phase.value === "waiting") phase.value = "late"
  }
  const send = () =>
    doing.run(async () => {
      const named = targets.value.filter(({ target }) => target.trim() !== "")
      const payload = {
        text: text.value,
        ...(named.length === 0 ? {} : { targets: named.map(({ channel, target }) => ({ channel, target })) }),
        ...(Number(times.value) > 0 ? { retries: { times: Number(times.value), every: Number(every.value) } } : {})
      }
      const { run_id } = await call("POST /api/v1/comm/test-alarm", { payload })
      runId.value = run_id
      reached.value = []
      phase.value = "waiting"
      await follow(run_id)
    })
  const leave = () => {
    close()
    if (phase.value !== "form") arrived()
  }
  return (
    <Dialog title={t().title} close={leave}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <small>{t().hint}</small>
        {targets.value.map(({ channel, id, target }, index) => (
          <fieldset class="setup-target" key={id}>
            <select
              aria-label={t().channel(index + 1)}
              value={channel}
              onChange={({ currentTarget }) => change(id, { channel: currentTarget.value as Target["channel"] })}
            >
              {channels.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
            <input
              aria-label={t().more(index + 1)}
              maxLength={1_500}
              value={target}
              onInput={({ currentTarget }) => change(id, { target: currentTarget.value })}
            />
            <button
              type="button"
              aria-label={t().remove(index + 1)}
              onClick={() => void (targets.value = targets.value.filter((one) => one.id !== id))}
            >
              ×
            </button>
          </fieldset>
        ))}
        {targets.value.length < maxTargets ? (
          <p class="choices">
            <button
              type="button"
              aria-describedby="test-target-hint"
              onClick={() =>
                void (targets.value = [
                  ...targets.value,
                  { id: Math.max(0, ...targets.value.map(({ id }) => id)) + 1, channel: "WEBHOOK", target: "" }
                ])
              }
            >
              {t().add}
            </button>
            <small id="test-target-hint">{t().targetHint}</small>
          </p>
        ) : null}
        <label>
          {t().retries}
          <input
            type="number"
            min="0"
            max="10"
            value={times.value}
            onInput={({ currentTarget }) => void (times.value = currentTarget.value)}
          />
        </label>
        {Number(times.value) > 0 ? (
          <label>
            {t().every}
            <input
              type="number"
              min="1"
              max="60"
              value={every.value}
              onInput={({ currentTarget }) => void (every.value = currentTarget.value)}
            />
          </label>
        ) : null}
        <label>
          {t().text}
          <textarea
            rows={3}
            value={text.value}
            onInput={({ currentTarget }) => void (text.value = currentTarget.value)}
          />
        </label>
        <Trouble problem={doing.problem.value} />
        <p role="status" class={phase.value === "arrived" ? "done" : "soft"}>
          {phase.value === "form" ? "" : t()[phase.value]}{" "}
          {runId.value === "" ? null : <a href={`/console/alarms/${runId.value}`}>{t().show}</a>}
        </p>
        <TargetChips of={reached.value} />
        <div class="dialog-actions">
          <button type="button" onClick={leave}>
            {phase.value === "form" ? t().cancel : t().close}
          </button>
          <button type="submit" class="primary" disabled={doing.busy.value}>
            {phase.value === "form" ? t().send : t().again}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
