/** The INI and HIA letters of an account as one PDF, drawn in a worker thread, because it takes 100 ms. */
import { Context, Duration, Effect, Layer } from "effect"
import { inScope } from "#core/auth/Caller.ts"
import { orUnavailable, Unavailable } from "#core/http/Problem.ts"
import * as WorkerThreads from "#core/supervision/WorkerThreads.ts"
import type { Language } from "#core/words/Language.ts"
import { ebicsOf } from "../AccountRow.ts"
import * as AccountStore from "../AccountStore.ts"
import { WrongStep } from "../Errors.ts"
import * as KeySteps from "../keys/KeySteps.ts"
import * as KeyStore from "../keys/KeyStore.ts"
import { versionOf } from "../keys/KeyView.ts"
import { sent } from "../keys/PrivateKeys.ts"
import { pagesOf, titleOf } from "./LetterContent.ts"
import type { LetterTask } from "./LetterPdf.ts"

/** Letters waiting or in work. Unit: letters. Reason: a person asks for a few a year. */
const maxLetters = 8

/** How long a thread may draw one letter. Unit: seconds. Reason: 100 ms on an idle core. */
const letterTimeout = Duration.seconds(20)

/** Heap of a thread. Unit: MiB. Reason: the library and three pages take 40. */
const threadHeap = 128

/** How long an idle thread is kept. Unit: seconds. Reason: the second language often follows. */
const idleThread = Duration.seconds(30)

export class Letters extends Context.Service<
  Letters,
  { readonly draw: (task: LetterTask) => Effect.Effect<Uint8Array, WorkerThreads.ThreadError> }
>()("signalbox/bank-fetcher/Letters") {}

export const letters = Layer.effect(
  Letters,
  Effect.map(
    WorkerThreads.make<LetterTask, Uint8Array>({
      file: WorkerThreads.entry("letterWorker", import.meta.url),
      threads: 1,
      queue: maxLetters,
      timeout: letterTimeout,
      idle: idleThread,
      heap: threadHeap,
      abandoned: "end"
    }),
    ({ run }) => Letters.of({ draw: (task) => run(() => task) })
  )
)

/** The PDF of an account's letters. */
export const letterOf = Effect.fnUntraced(function* (id: string, language: Language) {
  const { keys, row } = yield* orUnavailable(
    inScope(Effect.all({ row: AccountStore.get(id), keys: KeyStore.keysOf(id) }))
  )
  const ebics = ebicsOf(row)
  // The version decides whether the bank compares keys or certificates, so the letter follows INI.
  if (ebics === undefined || keys.length === 0 || row.ebics_version === null || row.ini_begun_at === null)
    return yield* new WrongStep({
      key_status: row.key_status,
      next: KeySteps.next(row, false),
      detail: "The letter contains the keys that the bank has. POST keys/ini first."
    })
  const pages = pagesOf(
    {
      hostId: ebics.hostId,
      partnerId: ebics.partnerId,
      userId: ebics.userId,
      bic: row.bic,
      iban: row.iban,
      holder: row.holder ?? row.name,
      at: row.ini_sent_at ?? row.ini_begun_at,
      withCertificates: row.ebics_version === "H005",
      keys: (["A", "X", "E"] as const).map((purpose) => {
        const key = keys.find((one) => one.purpose === purpose)!
        return { version: versionOf(row, key), sent: sent(key) }
      })
    },
    language
  )
  const { draw } = yield* Letters
  return yield* Effect.catch(draw({ title: titleOf(language), language, pages }), () =>
    Effect.fail(new Unavailable({ detail: "The letter could not be drawn; try again." }))
  )
})
