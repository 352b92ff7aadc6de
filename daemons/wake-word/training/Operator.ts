/** What the commands of trainings do. */
import { Console, Duration, Effect, Option, Schema } from "effect"
import { Ended, exitUsage, fail } from "#core/cli/Ending.ts"
import { minute } from "#core/cli/Moment.ts"
import { print, table } from "#core/cli/Output.ts"
import { settings } from "#core/config/Environment.ts"
import * as Audit from "#core/log/Audit.ts"
import { transaction } from "#core/sql/Sql.ts"
import { inOneTransaction, told, withWakeWords } from "../OperatorStore.ts"
import { ModelName, normalWord, Word } from "../vocabulary/Exports.ts"
import * as Languages from "./Languages.ts"
import { type Phase, phases, type Size } from "./Phases.ts"
import * as Store from "./Store.ts"
import { trainingSettings } from "./TrainingSettings.ts"

/** Pause between two looks at a training. */
const lookInterval = Duration.millis(500)

export const train = Effect.fnUntraced(function* (flags: {
  readonly word: string
  readonly language: string
  readonly name: Option.Option<string>
  readonly seed: number
  readonly size: Size
  readonly noUploads: boolean
  readonly noWait: boolean
  readonly tenant: number
  readonly json: boolean
}) {
  if (!Schema.is(Word)(flags.word)) return yield* fail("The word must be letters and digits.", exitUsage)
  const name = Option.getOrUndefined(flags.name)
  if (name !== undefined && !Schema.is(ModelName)(name))
    return yield* fail("--name: lower-case letters, digits, dots and hyphens", exitUsage)
  const spoken = yield* yield* Languages.make
  if (!spoken.some(({ language }) => language === flags.language))
    return yield* fail(
      spoken.length === 0
        ? "espeak-ng is not installed: apt install espeak-ng"
        : `--language: one of ${spoken.map(({ language }) => language).join(", ")}`,
      exitUsage
    )
  const { maxOpen } = yield* settings(trainingSettings)
  const wanted = {
    word: normalWord(flags.word),
    language: flags.language,
    name,
    seed: flags.seed,
    size: flags.size,
    useUploads: !flags.noUploads
  }
  const ended = yield* withWakeWords(
    Effect.gen(function* () {
      const added = yield* transaction(Store.add(flags.tenant, wanted, maxOpen, Audit.operator)).pipe(
        Effect.catchTags({ ModelNameTaken: told, TrainingQuota: told })
      )
      return flags.noWait ? added : yield* watched(added)
    })
  )
  yield* print(flags.json, Store.view(ended), (view) => [
    `training ${view.id}: ${view.state}`,
    ...(view.state === "done" ? [`  model ${view.name}`] : []),
    ...(view.problem === null ? [] : [`  ${view.problem}`])
  ])
  if (!flags.noWait && ended.state !== "done") return yield* new Ended({ code: 1 })
})

/** Waits for the end of a training and prints what changes. */
const watched = Effect.fnUntraced(function* (added: Store.TrainingRow) {
  let job = added
  let said = ""
  while (job.finished_at === null) {
    const now =
      job.state === "waiting"
        ? `waits for the daemon wake-word, ${job.before} before it`
        : `${phaseText(job.phase)} ${Math.round((job.progress[phases.indexOf(job.phase!)] ?? 0) * 100)} %`
    if (now !== said) yield* Console.error(now)
    said = now
    yield* Effect.sleep(lookInterval)
    job = yield* Effect.catchTag(Store.get(job.id), "NotFound", () => fail("The training was deleted."))
  }
  return job
})

/** What a training does in each phase. */
const phaseWords: Readonly<Record<Phase, string>> = {
  samples_tts: "speaks the word",
  samples_upload: "chooses recordings",
  augment: "adds noise and rooms",
  features: "computes features",
  train: "trains the network",
  validate: "measures false accepts and misses",
  save: "saves the model"
}

const phaseText = (phase: Phase | null): string =>
  phase === null ? "begins" : `${phases.indexOf(phase) + 1}/${phases.length} ${phaseWords[phase]}`

export const list = Effect.fnUntraced(function* (flags: {
  readonly tenant: number
  readonly limit: number
  readonly json: boolean
}) {
  const rows = yield* inOneTransaction(Store.list(flags.tenant, undefined, undefined, flags.limit))
  yield* print(flags.json, rows.map(Store.view), (items) =>
    table("No trainings yet. Start one: bin/signalbox wakeword train WORD", [
      ["ID", "CREATED", "WORD", "MODEL", "STATE", "PHASE", "PROBLEM"],
      ...items.map((item) => [
        item.id,
        minute(new Date(item.created_at)),
        item.word,
        item.name,
        item.state,
        item.phase === null ? "" : phaseWords[item.phase],
        item.problem?.split("\n", 1)[0] ?? ""
      ])
    ])
  )
})

export const cancel = Effect.fnUntraced(function* (flags: { readonly job: string; readonly json: boolean }) {
  if (!/^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/.test(flags.job))
    return yield* fail("Write the id of a training, as `signalbox wakeword training` lists it.", exitUsage)
  const row = yield* inOneTransaction(Store.cancel(flags.job, Audit.operator)).pipe(
    Effect.catchTags({ NotFound: told, TrainingEnded: told })
  )
  yield* print(flags.json, Store.view(row), ({ id }) => [`training ${id} cancelled`])
})
