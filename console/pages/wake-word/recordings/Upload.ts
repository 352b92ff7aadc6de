/** Uploads recordings of a word, in requests that the server accepts. */
import { request } from "../../../lib/Call.ts"
import type { Answer } from "../../../lib/Endpoints.ts"
import { Problem } from "../../../lib/Problem.ts"
import { batches } from "./Batches.ts"

type Uploaded = Answer<"POST /api/v1/wakeword/samples/upload">
export type RefusedFile = Uploaded["refused"][number]

/** Longest time of a request. Unit: milliseconds. Reason: 24 MB over a slow line. */
const patience = 180_000

/** A recording that waits for its upload. */
export interface Pending {
  readonly name: string
  readonly file: Blob
}

export interface UploadResult {
  readonly stored: number
  readonly refused: ReadonlyArray<RefusedFile>
}

/** Uploads all files. A request without a usable file counts its files as refused; other errors reject. */
export const upload = async (
  word: string,
  speaker: string,
  files: ReadonlyArray<Pending>,
  done: (files: ReadonlyArray<Pending>) => void
): Promise<UploadResult> => {
  let stored = 0
  const refused: Array<RefusedFile> = []
  for (const batch of batches(files)) {
    const form = new FormData()
    form.append("word", word)
    if (speaker !== "") form.append("speaker", speaker)
    for (const { file, name } of batch) form.append("files", file, name)
    try {
      const answer = (await (
        await request("/api/v1/wakeword/samples/upload", {
          method: "POST",
          body: form,
          signal: AbortSignal.timeout(patience)
        })
      ).json()) as Uploaded
      stored += answer.items.length
      refused.push(...answer.refused)
    } catch (error) {
      if (!(error instanceof Problem && error.code === "files_refused")) throw error
      refused.push(...(error.fields["refused"] as ReadonlyArray<RefusedFile>))
    }
    done(batch)
  }
  return { stored, refused }
}
