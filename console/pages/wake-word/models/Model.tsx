import { useLocation, useRoute } from "preact-iso"
import { call } from "../../../lib/Call.ts"
import { bytes, moment, number } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { decimal, fineShare } from "../Figures.ts"
import { said } from "../Said.ts"
import { Refused } from "../Refusals.ts"
import type { ModelDetail } from "../Shapes.ts"
import { WakeWordPage } from "../WakeWordPage.tsx"
import { languageWord } from "../Words.ts"
import { Curve } from "./Curve.tsx"
import { GateDialog, ModelActions } from "./ModelActions.tsx"
import { ModelFile } from "./ModelFile.tsx"
import { useActivation } from "./useActivation.ts"

const t = words({
  en: {
    title: "Model",
    measured: "Measurements",
    curve: "Curve over thresholds",
    noCurve: "The model was not measured.",
    word: "Word",
    state: "State",
    active: "active for all users",
    inactive: "not active",
    falseAccepts: "False accepts",
    accepts: (perHour: string, count: number, hours: string) => `${perHour} an hour (${count} in ${hours} h)`,
    misses: "Missed",
    missed: (share: string, count: number, all: string) => `${share} (${count} of ${all} utterances)`,
    unknown: "not measured",
    voices: "Held-out voices",
    people: "Recordings of people in the training",
    threshold: "Threshold",
    made: "Made",
    seed: "Seed",
    extractor: "Extractor",
    file: "File",
    gate: "It does not reach the bounds for activation:"
  },
  de: {
    title: "Modell",
    measured: "Messwerte",
    curve: "Kurve über die Schwellen",
    noCurve: "Das Modell wurde nicht gemessen.",
    word: "Wort",
    state: "Zustand",
    active: "aktiv für alle Benutzer",
    inactive: "nicht aktiv",
    falseAccepts: "Fehlauslösungen",
    accepts: (perHour: string, count: number, hours: string) => `${perHour} je Stunde (${count} in ${hours} h)`,
    misses: "Überhört",
    missed: (share: string, count: number, all: string) => `${share} (${count} von ${all} Äußerungen)`,
    unknown: "nicht gemessen",
    voices: "Zurückgehaltene Stimmen",
    people: "Aufnahmen von Menschen im Training",
    threshold: "Schwelle",
    made: "Entstanden",
    seed: "Startwert",
    extractor: "Merkmale von",
    file: "Datei",
    gate: "Es erreicht die Grenzen zum Aktivieren nicht:"
  }
})

/** A model: its measurements, its curve, and what can be done with it. */
export default () => {
  const { name = "" } = useRoute().params
  const { route } = useLocation()
  const model = useLoad(() => call("GET /api/v1/wakeword/models/:name", { params: { name } }), [name], {
    live: ["wakeword.model.activated"]
  })
  const activation = useActivation(model.reload, () => route("/console/wake-word"))
  const found = model.value.value
  return (
    <WakeWordPage
      section="models"
      title={found?.name ?? t().title}
      actions={
        found === undefined ? undefined : (
          <>
            <ModelFile name={found.name} activation={activation} />
            {may("wakeword.manage") ? <ModelActions of={found} activation={activation} /> : null}
          </>
        )
      }
    >
      {activation.refused.value === undefined ? <Refused problem={activation.doing.problem.value} /> : null}
      <Loading of={model}>
        {(shown) => (
          <>
            <Measurements of={shown} />
            <section class="card" aria-labelledby="curve">
              <h2 id="curve">{t().curve}</h2>
              {shown.curve.length === 0 ? (
                <p class="empty">{t().noCurve}</p>
              ) : (
                <Curve curve={shown.curve} threshold={shown.threshold} />
              )}
            </section>
          </>
        )}
      </Loading>
      <GateDialog activation={activation} />
    </WakeWordPage>
  )
}

const Measurements = ({ of }: { readonly of: ModelDetail }) => {
  const { metrics } = of
  const facts: ReadonlyArray<readonly [string, string]> = [
    [t().word, `${of.word} (${languageWord(of.language)})`],
    [
      t().falseAccepts,
      metrics.false_accepts_per_hour === null
        ? t().unknown
        : t().accepts(decimal(metrics.false_accepts_per_hour), metrics.false_accepts, decimal(metrics.negative_hours))
    ],
    [
      t().misses,
      metrics.miss_rate === null
        ? t().unknown
        : t().missed(fineShare(metrics.miss_rate), metrics.misses, number(metrics.utterances))
    ],
    [t().threshold, decimal(of.threshold)],
    [t().voices, metrics.voices.length === 0 ? "–" : metrics.voices.join(", ")],
    [t().people, number(metrics.uploads)],
    [t().made, moment(of.created_at)],
    ...(of.seed === null ? [] : [[t().seed, String(of.seed)] as const]),
    [t().extractor, of.extractor],
    [t().file, `${bytes(of.size)}, SHA-256 ${of.sha256}`]
  ]
  return (
    <section class="card" aria-labelledby="measured">
      <h2 id="measured">{t().measured}</h2>
      <dl class="facts wake-facts">
        <dt>{t().state}</dt>
        <dd>
          <Badge tone={of.active ? "success" : "quiet"}>{of.active ? t().active : t().inactive}</Badge>
        </dd>
        {facts.flatMap(([title, text]) => [<dt key={title}>{title}</dt>, <dd key={`${title} text`}>{text}</dd>])}
      </dl>
      {of.gate.length === 0 ? null : (
        <div class="remark">
          {t().gate}
          <ul class="wake-reasons">
            {of.gate.map((reason) => (
              <li key={reason}>{said(reason)}</li>
            ))}
          </ul>
        </div>
      )}
      <ul class="wake-reasons soft">
        {metrics.notes.map((note) => (
          <li key={note}>{said(note)}</li>
        ))}
      </ul>
    </section>
  )
}
