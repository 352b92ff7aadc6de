import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import type { Answer } from "../../../lib/Endpoints.ts"
import { longDuration, number } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { undoable } from "../../../lib/Undo.ts"
import { Loading } from "../../../parts/Loading.tsx"
import { FieldsForm } from "../../telephony/FieldsForm.tsx"
import type { Field } from "../../telephony/Kind.ts"
import { told } from "../Refusals.ts"
import { minutesOf, minutesText } from "./Minutes.ts"

type AlertRules = Answer<"GET /api/v1/monitoring/alert-rules">

const t = words({
  en: {
    title: "Notification rules",
    change: "Change",
    changed: "The rules are changed.",
    critical: "Reminders of critical alerts, after minutes",
    warning: "Reminders of warnings, after minutes",
    list: "Such as 60, 240: the last number counts for all later reminders. Empty: no reminders.",
    gather: "Gather the alerts of one cause for seconds",
    interval: "Pause between two messages about a cause, in seconds",
    changes: "Changes until an alert counts as flapping",
    changesHint: "0: none does.",
    window: "Counted within minutes",
    never: "never",
    later: (all: string) => `after ${all}, then always after the last`,
    flapping: (count: string, time: string) => `from ${count} changes within ${time}`
  },
  de: {
    title: "Benachrichtigungsregeln",
    change: "Ändern",
    changed: "Die Regeln sind geändert.",
    critical: "Erinnerungen an kritische Meldungen, nach Minuten",
    warning: "Erinnerungen an Warnungen, nach Minuten",
    list: "Etwa 60, 240: Die letzte Zahl gilt für alle späteren Erinnerungen. Leer: keine Erinnerungen.",
    gather: "Meldungen einer Ursache sammeln, Sekunden",
    interval: "Pause zwischen zwei Nachrichten über eine Ursache, Sekunden",
    changes: "Wechsel, ab denen eine Meldung flattert",
    changesHint: "0: keine flattert.",
    window: "Gezählt innerhalb von Minuten",
    never: "nie",
    later: (all: string) => `nach ${all}, dann immer nach der letzten`,
    flapping: (count: string, time: string) => `ab ${count} Wechseln innerhalb von ${time}`
  }
})

const whole = (name: keyof AlertRules, label: () => string, min: number, max: number, hint?: () => string): Field => ({
  name,
  label,
  input: { kind: "number", min, max },
  required: true,
  ...(hint === undefined ? {} : { hint })
})

const fields: ReadonlyArray<Field> = [
  { name: "repeat_critical_minutes", label: () => t().critical, hint: () => t().list, input: { kind: "text" } },
  { name: "repeat_warning_minutes", label: () => t().warning, hint: () => t().list, input: { kind: "text" } },
  whole("gather_s", () => t().gather, 0, 600),
  whole("group_interval_s", () => t().interval, 0, 3_600),
  whole(
    "flap_changes",
    () => t().changes,
    0,
    100,
    () => t().changesHint
  ),
  whole("flap_window_minutes", () => t().window, 1, 1_440)
]

/** Rules of reminders, gathering and flapping; changes them. */
export const Rules = () => {
  const rules = useLoad(() => call("GET /api/v1/monitoring/alert-rules"))
  const editing = useSignal(false)
  return (
    <section class="card" aria-labelledby="alert-rules">
      <div class="card-head">
        <h2 id="alert-rules">{t().title}</h2>
        {may("system.manage") && !editing.value && rules.value.value !== undefined ? (
          <button type="button" onClick={() => (editing.value = true)}>
            {t().change}
            <span class="sr">: {t().title}</span>
          </button>
        ) : null}
      </div>
      <Loading of={rules}>
        {(found) =>
          editing.value ? (
            <RulesForm
              of={found}
              shut={() => (editing.value = false)}
              saved={() => {
                editing.value = false
                rules.reload()
              }}
            />
          ) : (
            <Shown of={found} />
          )
        }
      </Loading>
    </section>
  )
}

const Shown = ({ of }: { readonly of: AlertRules }) => {
  const reminders = (minutes: ReadonlyArray<number>) =>
    minutes.length === 0 ? t().never : t().later(minutes.map((one) => longDuration(one * 60_000)).join(", "))
  return (
    <dl class="facts ops-facts">
      <dt>{t().critical}</dt>
      <dd>{reminders(of.repeat_critical_minutes)}</dd>
      <dt>{t().warning}</dt>
      <dd>{reminders(of.repeat_warning_minutes)}</dd>
      <dt>{t().gather}</dt>
      <dd>{number(of.gather_s)}</dd>
      <dt>{t().interval}</dt>
      <dd>{number(of.group_interval_s)}</dd>
      <dt>{t().changes}</dt>
      <dd>
        {of.flap_changes === 0
          ? t().never
          : t().flapping(number(of.flap_changes), longDuration(of.flap_window_minutes * 60_000))}
      </dd>
    </dl>
  )
}

const RulesForm = ({
  of,
  saved,
  shut
}: {
  readonly of: AlertRules
  readonly saved: () => void
  readonly shut: () => void
}) => (
  <FieldsForm
    title={t().title}
    fields={fields}
    row={{
      ...of,
      repeat_critical_minutes: minutesText(of.repeat_critical_minutes),
      repeat_warning_minutes: minutesText(of.repeat_warning_minutes)
    }}
    told={told}
    shut={shut}
    send={(changed) => {
      const list = (name: "repeat_critical_minutes" | "repeat_warning_minutes") =>
        name in changed ? minutesOf(String(changed[name])) : of[name]
      const put = (payload: AlertRules) => call("PUT /api/v1/monitoring/alert-rules", { payload })
      return undoable(
        () =>
          put({
            ...of,
            ...changed,
            repeat_critical_minutes: list("repeat_critical_minutes"),
            repeat_warning_minutes: list("repeat_warning_minutes")
          }),
        () => t().changed,
        () => put(of)
      ).then(saved)
    }}
  />
)
