import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { timeOfDay } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { type EngineChoice, hasMicrophone, type Wake } from "../../../wake-word/WakeWord.ts"
import { fixed } from "../Figures.ts"
import { said } from "../Said.ts"
import { LevelMeter } from "../LevelMeter.tsx"
import { modelHref } from "../Shapes.ts"
import { sectionHref, WakeWordPage } from "../WakeWordPage.tsx"
import { ScoreChart } from "./ScoreChart.tsx"
import { stateText, stateTone } from "./StateWords.ts"
import { type Trial, useListener } from "./useListener.ts"

const t = words({
  en: {
    title: "Listen",
    active: "Active model",
    noModel: "No model is active, so the browser's own recognition listens for the word that you type here.",
    toModels: "Train and activate a model",
    word: "Word for the browser's recognition",
    unavailable: (why: string) => `The server cannot use the model: ${why}`,
    engine: "Engine",
    server: "on the server",
    browser: "in this browser (loads 4 MB once)",
    listen: "Listen",
    stop: "Stop",
    noMicrophone: "Browsers give a microphone only to pages with https or on localhost.",
    wakes: "Wakes",
    none: "Nothing was heard yet. Start, and say the word.",
    by: { server: "server", browser: "browser", recognition: "browser's recognition" }
  },
  de: {
    title: "Zuhören",
    active: "Aktives Modell",
    noModel: "Kein Modell ist aktiv, deshalb hört die Erkennung des Browsers auf das Wort, das Sie hier eingeben.",
    toModels: "Ein Modell trainieren und aktivieren",
    word: "Wort für die Erkennung des Browsers",
    unavailable: (why: string) => `Der Server kann das Modell nicht verwenden: ${why}`,
    engine: "Berechnung",
    server: "auf dem Server",
    browser: "in diesem Browser (lädt einmal 4 MB)",
    listen: "Zuhören",
    stop: "Aufhören",
    noMicrophone: "Browser geben ein Mikrofon nur Seiten mit https oder auf localhost.",
    wakes: "Gehört",
    none: "Noch wurde nichts gehört. Fangen Sie an, und sagen Sie das Wort.",
    by: { server: "Server", browser: "Browser", recognition: "Erkennung des Browsers" }
  }
})

/** Listens for the wake word on this page: level, live score, and wakes. */
export default () => {
  const status = useLoad(() => call("GET /api/v1/wakeword/status"), [], { live: ["wakeword.model.activated"] })
  const trial = useListener()
  const engine = useSignal<EngineChoice>("server")
  const word = useSignal("")
  const choose = (chosen: EngineChoice) => {
    engine.value = chosen
    if (trial.on) trial.start(chosen, word.value.trim())
  }
  return (
    <WakeWordPage section="try">
      <section class="card" aria-labelledby="listen">
        <h2 id="listen">{t().title}</h2>
        <Loading of={status}>
          {({ model, problem }) => (
            <>
              {model === null ? (
                <>
                  <p>{t().noModel}</p>
                  <p>
                    <a href={sectionHref("models")}>{t().toModels}</a>
                  </p>
                </>
              ) : (
                <p class="wake-line">
                  {t().active}: <a href={modelHref(model.name)}>{model.name}</a> <strong>{model.word}</strong>
                </p>
              )}
              {problem === null ? null : <p class="remark">{t().unavailable(said(problem))}</p>}
              {hasMicrophone() ? null : <p class="remark">{t().noMicrophone}</p>}
              <form
                class="wake-form"
                aria-labelledby="listen"
                onSubmit={(event) => {
                  event.preventDefault()
                  if (trial.on) trial.stop()
                  else trial.start(engine.value, word.value.trim())
                }}
              >
                {model === null ? (
                  <label>
                    {t().word}
                    <input
                      name="word"
                      required
                      maxLength={60}
                      autocomplete="off"
                      value={word.value}
                      onInput={({ currentTarget }) => (word.value = currentTarget.value)}
                    />
                  </label>
                ) : (
                  <label>
                    {t().engine}
                    <select
                      value={engine.value}
                      onChange={({ currentTarget }) => choose(currentTarget.value === "browser" ? "browser" : "server")}
                    >
                      <option value="server">{t().server}</option>
                      <option value="browser">{t().browser}</option>
                    </select>
                  </label>
                )}
                <button type="submit" class={trial.on ? "danger" : "primary"}>
                  {trial.on ? t().stop : t().listen}
                </button>
              </form>
              <State of={trial} />
              {model === null ? null : <ScoreChart scores={trial.scores} threshold={model.threshold} />}
            </>
          )}
        </Loading>
      </section>
      <Wakes of={trial} />
    </WakeWordPage>
  )
}

const State = ({ of: { level, state } }: { readonly of: Trial }) => (
  <div class="wake-line">
    <p role="status" class={`wake-state ${stateTone(state.value)}`}>
      {stateText(state.value)}
    </p>
    <LevelMeter level={level} />
  </div>
)

const tones = { server: "success", browser: "info", recognition: "warning" } as const satisfies Record<
  Wake["by"],
  string
>

const Wakes = ({ of: { wakes } }: { readonly of: Trial }) => (
  <section class="card" aria-labelledby="wakes">
    <h2 id="wakes">{t().wakes}</h2>
    {wakes.value.length === 0 ? <p class="empty">{t().none}</p> : null}
    <div role="log" aria-labelledby="wakes">
      <ul class="rows">
        {wakes.value.map(({ at, by, score, word }) => (
          <li key={at} class="wake-line">
            <strong>{word}</strong>
            <span class="number">{fixed(score, 2)}</span>
            <Badge tone={tones[by]}>{t().by[by]}</Badge>
            <time dateTime={new Date(at).toISOString()}>{timeOfDay(at)}</time>
          </li>
        ))}
      </ul>
    </div>
  </section>
)
