import type { ComponentChildren } from "preact"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { useNow } from "../../../parts/Now.ts"
import { Pager, useTrail } from "../../../parts/Pager.tsx"
import { When } from "../../../parts/When.tsx"
import { decimal, fineShare } from "../Figures.ts"
import { Refused } from "../Refusals.ts"
import { type Model, modelHref } from "../Shapes.ts"
import { languageWord } from "../Words.ts"
import { GateDialog, ModelActions } from "./ModelActions.tsx"
import { useActivation } from "./useActivation.ts"

const t = words({
  en: {
    title: "Models",
    none: "There is no model yet.",
    noneHint: "Train a word: its model appears here, and you decide whether it becomes active.",
    model: "Model",
    falseAccepts: "False accepts an hour",
    misses: "Missed",
    made: "Made",
    actions: "Actions",
    active: "active",
    gate: "not good enough",
    unknown: "not measured"
  },
  de: {
    title: "Modelle",
    none: "Es gibt noch kein Modell.",
    noneHint: "Trainieren Sie ein Wort: Sein Modell erscheint hier, und Sie entscheiden, ob es aktiv wird.",
    model: "Modell",
    falseAccepts: "Fehlauslösungen je Stunde",
    misses: "Überhört",
    made: "Entstanden",
    actions: "Aktionen",
    active: "aktiv",
    gate: "nicht gut genug",
    unknown: "nicht gemessen"
  }
})

/** Models of a page. */
const pageSize = 20

/** Models with their measurements; activates, deactivates and deletes them. */
export const Models = ({ turn }: { readonly turn: number }) => {
  const trail = useTrail([])
  const before = trail.value.at(-1)
  const list = useLoad(
    () => call("GET /api/v1/wakeword/models", { query: { limit: pageSize, before } }),
    [turn, before],
    { live: ["wakeword.model.activated"] }
  )
  const activation = useActivation(list.reload)
  return (
    <section class="card" aria-labelledby="models">
      <h2 id="models">{t().title}</h2>
      {activation.refused.value === undefined ? <Refused problem={activation.doing.problem.value} /> : null}
      <Loading of={list}>
        {({ items, next_before }) =>
          items.length === 0 && trail.value.length === 0 ? (
            <div class="empty">
              <p>{t().none}</p>
              {may("wakeword.manage") ? <p>{t().noneHint}</p> : null}
            </div>
          ) : (
            <>
              <div class="scroll" role="region" aria-labelledby="models" tabIndex={0}>
                <table class="wake-table">
                  <thead>
                    <tr>
                      <th scope="col">{t().model}</th>
                      <th scope="col" class="number">
                        {t().falseAccepts}
                      </th>
                      <th scope="col" class="number">
                        {t().misses}
                      </th>
                      <th scope="col">{t().made}</th>
                      {may("wakeword.manage") ? <th scope="col">{t().actions}</th> : null}
                    </tr>
                  </thead>
                  <tbody>
                    {items.map((model) => (
                      <Row key={model.name} of={model}>
                        {may("wakeword.manage") ? (
                          <td>
                            <ModelActions of={model} activation={activation} />
                          </td>
                        ) : null}
                      </Row>
                    ))}
                  </tbody>
                </table>
              </div>
              <Pager trail={trail} next={next_before} />
            </>
          )
        }
      </Loading>
      <GateDialog activation={activation} />
    </section>
  )
}

const Row = ({ children, of }: { readonly of: Model; readonly children: ComponentChildren }) => {
  const now = useNow(60_000)
  const { false_accepts_per_hour: falseAccepts, miss_rate: misses } = of.metrics
  return (
    <tr>
      <th scope="row">
        <a href={modelHref(of.name)}>{of.name}</a>
        <small>
          {of.word}, {languageWord(of.language)}
        </small>
        {of.active ? (
          <Badge tone="success">{t().active}</Badge>
        ) : of.gate.length > 0 ? (
          <Badge tone="warning">{t().gate}</Badge>
        ) : null}
      </th>
      <td class="number">{falseAccepts === null ? t().unknown : decimal(falseAccepts)}</td>
      <td class="number">{misses === null ? t().unknown : fineShare(misses)}</td>
      <td>
        <When at={of.created_at} now={now} />
      </td>
      {children}
    </tr>
  )
}
