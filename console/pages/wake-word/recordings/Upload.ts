/** Uploads recordings of a word, in requests that the server accepts. */
import { request } from "../../../lib/Call.ts"
import type { Answer } from "../../../lib/Endpoints.ts"
import { Problem } from "../../../lib/Problem.ts"

type Uploaded = Answer<"POST /api/v1/wakeword/samples/upload">
export type RefusedFile = Uploaded["refused"][number]

/** Limits of one request. Unit of the second: bytes. Source: wake-word, `samples/UploadLimits.ts`. */
const maxFiles = 20
const maxUpload = 24 * 1024 * 1024

/** Room for the other parts of the form. Unit: bytes. */
const overhead = 64 * 1024

/** Longest time of a request. Unit: milliseconds. Reason: 24 MB over a slow line. */
const patience = 180_000

/** A recording that waits for its upload. */
export interface Pending {
  readonly name: string
  readonly file: Blob
}

/** Files in groups for one request each. A file that is too large alone is a group of its own. Pure. */
export const batches = <File extends { readonly file: { readonly size: number } }>(
  files: ReadonlyArray<File>
): ReadonlyArray<ReadonlyArray<File>> => {
  const found: Array<Array<File>> = []
  let room = 0
  for (const one of files) {
    const last = found.at(-1)
    if (last === undefined || last.length === maxFiles || one.file.size > room) {
      found.push([one])
      room = maxUpload - overhead - one.file.size
    } else {
      last.push(one)
      room -= one.file.size
    }
  }
  return found
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
