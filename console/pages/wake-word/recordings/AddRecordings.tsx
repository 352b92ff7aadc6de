import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { bytes } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { useDoing } from "../../../lib/Doing.ts"
import { said } from "../Said.ts"
import { Refused } from "../Refusals.ts"
import { PlayButton } from "./PlayButton.tsx"
import { stopPlaying } from "./Player.ts"
import { Recorder } from "./Recorder.tsx"
import { type Pending, upload, type UploadResult } from "./Upload.ts"

const t = words({
  en: {
    title: "Add recordings",
    word: "Word or phrase",
    speaker: "Who speaks (optional)",
    speakerHint: "Any name. A training holds some speakers back, to measure the model with them.",
    files: "Choose files",
    filesHint: "WAV, at most 3 seconds each. Recordings of voices are personal data: ask the speakers.",
    waiting: "Recordings to upload",
    take: (count: number) => `recording-${count}.wav`,
    discard: "Discard",
    send: (count: number) => (count === 1 ? "Upload 1 recording" : `Upload ${count} recordings`),
    stored: (count: number) => (count === 1 ? "1 recording is stored." : `${count} recordings are stored.`),
    refused: "These files cannot be used:"
  },
  de: {
    title: "Aufnahmen hinzufügen",
    word: "Wort oder Wendung",
    speaker: "Wer spricht (optional)",
    speakerHint: "Ein beliebiger Name. Ein Training hält einige Sprecher zurück, um das Modell an ihnen zu messen.",
    files: "Dateien wählen",
    filesHint: "WAV, je höchstens 3 Sekunden. Aufnahmen von Stimmen sind personenbezogen: Fragen Sie die Sprecher.",
    waiting: "Aufnahmen zum Hochladen",
    take: (count: number) => `aufnahme-${count}.wav`,
    discard: "Verwerfen",
    send: (count: number) => (count === 1 ? "1 Aufnahme hochladen" : `${count} Aufnahmen hochladen`),
    stored: (count: number) => (count === 1 ? "1 Aufnahme ist gespeichert." : `${count} Aufnahmen sind gespeichert.`),
    refused: "Diese Dateien sind nicht brauchbar:"
  }
})

/** Longest word and name of a speaker. Unit: UTF-16 units. Source: wake-word. */
const longest = 60

/** Records a word or chooses files, and uploads them. `word`: the only word; undefined: the user types one. */
export const AddRecordings = ({ added, word: fixed }: { readonly word?: string; readonly added: () => void }) => {
  const word = useSignal(fixed ?? "")
  const speaker = useSignal("")
  const waiting = useSignal<ReadonlyArray<Pending>>([])
  const result = useSignal<UploadResult | undefined>(undefined)
  const doing = useDoing()
  const takes = useRef(0)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => stopPlaying, [])

  const add = (files: ReadonlyArray<Pending>) => {
    result.value = undefined
    waiting.value = [...waiting.value, ...files]
  }
  const drop = (files: ReadonlyArray<Pending>) => {
    waiting.value = waiting.value.filter((one) => !files.includes(one))
  }
  const submit = (event: Event) => {
    event.preventDefault()
    result.value = undefined
    void doing.run(async () => {
      const name = word.value.trim().replace(/\s+/g, " ")
      result.value = await upload(name, speaker.value.trim(), waiting.value, drop)
      if (result.value.stored > 0) added()
    })
  }
  return (
    <section class="card" aria-labelledby="add-recordings">
      <h2 id="add-recordings">{t().title}</h2>
      <form class="stack" aria-labelledby="add-recordings" onSubmit={submit}>
        {fixed === undefined ? (
          <label>
            {t().word}
            <input
              name="word"
              required
              maxLength={longest}
              autocomplete="off"
              value={word.value}
              onInput={({ currentTarget }) => (word.value = currentTarget.value)}
            />
          </label>
        ) : null}
        <label>
          {t().speaker}
          <input
            name="speaker"
            maxLength={longest}
            autocomplete="off"
            value={speaker.value}
            onInput={({ currentTarget }) => (speaker.value = currentTarget.value)}
          />
          <small>{t().speakerHint}</small>
        </label>
        <div class="wake-line">
          <Recorder made={(file) => add([{ name: t().take(++takes.current), file }])} />
          <button type="button" onClick={() => input.current?.click()}>
            {t().files}
          </button>
          <input
            ref={input}
            type="file"
            multiple
            hidden
            accept=".wav,audio/wav,audio/x-wav"
            aria-label={t().files}
            onChange={({ currentTarget }) => {
              add(Array.from(currentTarget.files ?? [], (file) => ({ name: file.name, file })))
              currentTarget.value = ""
            }}
          />
        </div>
        <p class="soft">{t().filesHint}</p>
        {waiting.value.length === 0 ? null : (
          <>
            <ul class="rows" aria-label={t().waiting}>
              {waiting.value.map((one, at) => (
                <li key={`${one.name} ${at}`} class="wake-line">
                  <span class="wake-name">{one.name}</span>
                  <small>{bytes(one.file.size)}</small>
                  <PlayButton
                    id={`pending ${one.name} ${at}`}
                    name={one.name}
                    get={() => Promise.resolve(one.file)}
                    failed={() => undefined}
                  />
                  <button type="button" class="small" disabled={doing.busy.value} onClick={() => drop([one])}>
                    {t().discard}
                    <span class="sr">: {one.name}</span>
                  </button>
                </li>
              ))}
            </ul>
            <div>
              <button type="submit" class="primary" disabled={doing.busy.value}>
                {t().send(waiting.value.length)}
              </button>
            </div>
          </>
        )}
        <Refused problem={doing.problem.value} />
        <div role="status">
          {result.value === undefined || result.value.stored === 0 ? null : (
            <p class="done">{t().stored(result.value.stored)}</p>
          )}
          {result.value === undefined || result.value.refused.length === 0 ? null : (
            <div class="remark">
              {t().refused}
              <ul class="wake-reasons">
                {result.value.refused.map(({ name, reason }, at) => (
                  <li key={at}>
                    {name}: {said(reason)}
                  </li>
                ))}
              </ul>
            </div>
          )}
        </div>
      </form>
    </section>
  )
}
