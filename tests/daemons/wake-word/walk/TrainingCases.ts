/** Walk cases of recordings and of trainings. */
import { Effect } from "effect"
import { type Cases, creates, list, own, thing } from "#support/walk/Case.ts"
import { nobody, noJob, type Seeds } from "./Seeds.ts"

const base = "/api/v1/wakeword"
const boundary = "boundary-of-the-walk"

/** A form with a recording of 0.1 s: 8,000 Hz, 8 bits. All its bytes are ASCII, so it can be sent as text. */
const uploadForm = (word: string, speaker: string): string => {
  const number = (value: number, bytes: number) =>
    String.fromCharCode(...Array.from({ length: bytes }, (_, at) => (value >> (8 * at)) & 0xff))
  const format = `${number(1, 2)}${number(1, 2)}${number(8_000, 4)}${number(8_000, 4)}${number(1, 2)}${number(8, 2)}`
  const wav = `RIFF${number(836, 4)}WAVEfmt ${number(16, 4)}${format}data${number(800, 4)}${word.padEnd(800, "@")}`
  const part = (name: string, rest: string, content: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${rest}\r\n\r\n${content}\r\n`
  const file = part("files", `; filename="a.wav"\r\ncontent-type: audio/wav`, wav)
  return `${part("word", "", word)}${part("speaker", "", speaker)}${file}--${boundary}--\r\n`
}

export const sampleCases = ({ next, sample }: Seeds): Cases => {
  const never = { word: "a word of nobody", tenant: nobody }
  const ofWord = ({ tenant, word }: typeof never) => ({ path: { word }, query: { tenant_id: tenant } })
  const neverOne = { ...never, id: nobody }
  const one = ({ id, tenant, word }: typeof neverOne) => ({ path: { word, id }, query: { tenant_id: tenant } })
  return {
    [`POST ${base}/samples/upload`]: creates({
      namesNothing: "a word and a recording",
      request: (_, as) => ({
        headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
        body: uploadForm(next(as), as.mark)
      }),
      success: 201
    }),
    [`GET ${base}/samples`]: list({
      seed: sample,
      never,
      request: () => ({ query: { limit: 200 } }),
      success: 200,
      shows: ({ json }) => json.items.map(({ word }: { word: string }) => word),
      by: "word",
      naming: ({ tenant, word }) => [{ after: word }, { tenant_id: tenant }],
      // Any word may be the last one of the page before.
      freeText: ["query.after"]
    }),
    [`GET ${base}/samples/{word}`]: thing({ seed: sample, never, request: ofWord, success: 200 }),
    [`DELETE ${base}/samples/{word}`]: thing({ seed: sample, never, request: ofWord, success: 200 }),
    [`GET ${base}/samples/{word}/{id}/audio`]: thing({ seed: sample, never: neverOne, request: one, success: 200 }),
    [`DELETE ${base}/samples/{word}/{id}`]: thing({ seed: sample, never: neverOne, request: one, success: 204 })
  }
}

export const trainingCases = ({ next, training }: Seeds): Cases => {
  const never = { job: noJob }
  const isIt = ({ json }: { readonly json: any }, { job }: { readonly job: string }) =>
    json.id === job ? undefined : `not ${job}`
  return {
    [`POST ${base}/train`]: thing({
      seed: (as) => Effect.succeed({ tenant: as.tenant }),
      never: { tenant: nobody },
      request: ({ tenant }, as) => ({
        body: {
          word: as.mark,
          language: "de",
          name: next(as),
          seed: 1,
          size: "small",
          use_uploads: false,
          tenant_id: tenant
        }
      }),
      success: 202,
      made: ({ json }) => json.id
    }),
    [`GET ${base}/training`]: list({
      seed: (as) => training(as, "done"),
      never: { ...never, seq: nobody, tenant: nobody },
      request: () => ({ query: { limit: 200 } }),
      success: 200,
      shows: ({ json }) => json.items.map(({ id }: { id: string }) => id),
      by: "job",
      naming: ({ seq, tenant }) => [{ before: seq }, { tenant_id: tenant }]
    }),
    [`GET ${base}/training/{job_id}`]: thing({
      seed: (as) => training(as, "done"),
      never,
      request: ({ job }) => ({ path: { job_id: job } }),
      success: 200,
      wrong: isIt
    }),
    [`POST ${base}/training/{job_id}/cancel`]: thing({
      seed: (as) => training(as, "waiting"),
      never,
      request: ({ job }) => ({ path: { job_id: job } }),
      success: 200,
      wrong: isIt
    }),
    [`GET ${base}/languages`]: own("voices of the machine", { success: 200 })
  }
}
