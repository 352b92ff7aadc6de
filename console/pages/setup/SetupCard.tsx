import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import type { Answer } from "../../lib/Endpoints.ts"
import { textIn, words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Badge } from "../../parts/Badge.tsx"
import { Trouble } from "../../parts/Trouble.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { undoable } from "../../lib/Undo.ts"
import { TestAlarm } from "./TestAlarm.tsx"
import "./setup.css"

const t = words({
  en: {
    title: "Set-up",
    intro: (open: number) => (open === 1 ? "One step is open." : `${open} steps are open.`),
    complete: "Everything that an installation needs is set up.",
    done: "Done",
    open: "Open",
    optional: "Optional",
    skipped: "Skipped",
    configure: (title: string) => `Set up: ${title}`,
    change: (title: string) => `Change: ${title}`,
    skip: (title: string) => `Skip: ${title}`,
    want: (title: string) => `Want again: ${title}`,
    setUp: "Set up",
    edit: "Change",
    leave: "Skip",
    back: "Want again",
    left: (title: string) => `Skipped: ${title}`,
    wanted: (title: string) => `Wanted again: ${title}`,
    all: "Show all steps",
    fewer: "Show open steps only"
  },
  de: {
    title: "Einrichtung",
    intro: (open: number) => (open === 1 ? "Ein Schritt ist offen." : `${open} Schritte sind offen.`),
    complete: "Alles, was eine Installation braucht, ist eingerichtet.",
    done: "Erledigt",
    open: "Offen",
    optional: "Optional",
    skipped: "Übersprungen",
    configure: (title: string) => `Einrichten: ${title}`,
    change: (title: string) => `Ändern: ${title}`,
    skip: (title: string) => `Überspringen: ${title}`,
    want: (title: string) => `Doch einrichten: ${title}`,
    setUp: "Einrichten",
    edit: "Ändern",
    leave: "Überspringen",
    back: "Doch einrichten",
    left: (title: string) => `Übersprungen: ${title}`,
    wanted: (title: string) => `Wieder vorgesehen: ${title}`,
    all: "Alle Schritte zeigen",
    fewer: "Nur offene Schritte zeigen"
  }
})

type Step = Answer<"GET /api/v1/settings/setup">["items"][number]

/** Where the form of a step is. */
const formOf = ({ group, page }: Step): string =>
  group === null ? `/console${page ?? "/"}` : `/console/operations/settings#group-${group}`

const StateBadge = ({ step: { optional, state } }: { readonly step: Step }) =>
  state === "done" ? (
    <Badge tone="success">{t().done}</Badge>
  ) : state === "skipped" ? (
    <Badge tone="quiet">{t().skipped}</Badge>
  ) : optional ? (
    <Badge tone="quiet">{t().optional}</Badge>
  ) : (
    <Badge tone="warning">{t().open}</Badge>
  )

const StepRow = ({ changed, step }: { readonly step: Step; readonly changed: () => void }) => {
  const doing = useDoing()
  const title = textIn(step.title)
  const skip = async (skipped: boolean) => {
    const params = { name: step.name }
    const put = (skipped: boolean) => call("PUT /api/v1/settings/setup/:name", { params, payload: { skipped } })
    const done = () => (skipped ? t().left(textIn(step.title)) : t().wanted(textIn(step.title)))
    if (
      await doing.run(() =>
        undoable(
          () => put(skipped),
          done,
          () => put(!skipped)
        )
      )
    )
      changed()
  }
  return (
    <li class="setup-step">
      <div class="setup-step-text">
        <StateBadge step={step} /> <b>{title}</b>
        <p class="soft">{textIn(step.why)}</p>
        <Trouble problem={doing.problem.value} />
      </div>
      <div class="choices">
        {step.name === "test-alarm" ? (
          <TestAlarm arrived={changed} first={step.state === "open"} />
        ) : (
          <a
            class="button"
            href={formOf(step)}
            aria-label={step.state === "done" ? t().change(title) : t().configure(title)}
          >
            {step.state === "done" ? t().edit : t().setUp}
          </a>
        )}
        {step.state === "open" ? (
          <button
            type="button"
            disabled={doing.busy.value}
            aria-label={t().skip(title)}
            onClick={() => void skip(true)}
          >
            {t().leave}
          </button>
        ) : step.state === "skipped" ? (
          <button
            type="button"
            disabled={doing.busy.value}
            aria-label={t().want(title)}
            onClick={() => void skip(false)}
          >
            {t().back}
          </button>
        ) : null}
      </div>
    </li>
  )
}

/** What the installation still needs: each step with its reason and its form. */
export const SetupCard = () => {
  const setup = useLoad(() => call("GET /api/v1/settings/setup"))
  const all = useSignal(false)
  const answer = setup.value.value
  // Without an answer, such as for users of other tenants, there is nothing to set up.
  if (answer === undefined) return null
  const shown = answer.items.filter(({ state }) => all.value || state === "open")
  return (
    <section class="card setup" aria-labelledby="setup-title">
      <h2 id="setup-title">{t().title}</h2>
      <p class="soft">{answer.open === 0 ? t().complete : t().intro(answer.open)}</p>
      <ul class="setup-list">
        {shown.map((step) => (
          <StepRow key={step.name} step={step} changed={setup.reload} />
        ))}
      </ul>
      {shown.length === answer.items.length && !all.value ? null : (
        <button type="button" onClick={() => void (all.value = !all.value)}>
          {all.value ? t().fewer : t().all}
        </button>
      )}
    </section>
  )
}
