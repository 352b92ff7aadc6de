/** Groups files for the requests of an upload. Pure. */

/** Limits of one request. Unit of the second: bytes. Source: wake-word, `samples/UploadLimits.ts`. */
const maxFiles = 20
const maxUpload = 24 * 1024 * 1024

/** Room for the other parts of the form. Unit: bytes. */
const overhead = 64 * 1024

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
